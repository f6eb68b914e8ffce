import type { ApiClient } from './apiClient';
import { deleteFor, sendTogether, isUnknown } from './apiClient';
import type { Shape } from './shape';
import { anyText, id, optional, shape, whole } from './shape';
import type { ListPage } from './pagination';
import { pageOf, pagesOf } from './pagination';
import type { ApiError } from '../http/apiError';
import { readId } from '../fields/ids';
import type { RetryPolicy } from '../http/retryPolicy';
import type { Fields } from '../output/itemResult';
import type { Failure } from '../text/failure';
import { isFailure } from '../text/failure';
import { chunk } from '../text/groups';
import type { Json } from '../text/json';
import { isRecord } from '../text/json';
import { foldForSearch } from '../text/names';
import { sourceTypeOf } from '../text/sourceTypes';
import { readableTime, shownTime } from '../text/times';

/**
 * The knowledge base records of the account: uploads, texts, websites. All but adding and removing is
 * built on CometChat's public pages alone; nobody here could try it on the live service.
 */
export const KNOWLEDGE_BASE = '/ai-agents/agent-builder/knowledge-base';

export const JSON_BODY = { 'Content-Type': 'application/json' };

/** A record as the service lists it. */
export interface Document extends Fields {
	uniqueId: string;
	sourceName?: string;
	type?: string;
	status?: string;
}

/** The maximum that is documented. */
const DOCUMENTS_PER_PAGE = 100;

const readDocument: Shape<Document> = whole(
	shape({
		uniqueId: id,
		sourceName: optional(anyText),
		type: optional(anyText),
		status: optional(anyText),
	}),
);

const readPage = pageOf(readDocument, 'cursor', DOCUMENTS_PER_PAGE);

/**
 * List knowledge base records (https://www.cometchat.com/docs/ai-agents/apis/list-knowledge-base-records), page
 * by page: newest first, and no filter but the time. `start` and `end` are called required there, without a
 * meaning, and the page's own example leaves them out; so do we.
 *
 * @param part Where an earlier reading has ended, how many are enough, and when they were created, in Unix milliseconds:
 *   who relies on that looks at each document, too.
 */
export function documentPages(
	client: ApiClient,
	part: { from?: string; limit?: number; within?: { startTime?: number; endTime?: number } } = {},
): AsyncGenerator<ListPage<Document>> {
	const { from, limit = Infinity, within } = part;
	return pagesOf(
		async (cursor, found) => {
			const page = cursor === undefined ? {} : { affix: 'append', cursor };
			const qs = { limit: Math.min(limit - found, DOCUMENTS_PER_PAGE), ...page, ...within };
			return await client.call({ method: 'GET', url: KNOWLEDGE_BASE, qs }, readPage);
		},
		({ uniqueId }) => uniqueId,
		from,
	);
}

/** What a person looks for, as far as it is there. */
export function simplified(record: Document): Fields {
	const { uniqueId, sourceName, type, status, createdAt, updatedAt } = record;
	return {
		name: sourceName ?? uniqueId,
		sourceType: type === undefined ? undefined : sourceTypeOf(type),
		...{ status, uniqueId },
		createdAt: readableTime(createdAt),
		updatedAt: readableTime(updatedAt),
	};
}

/** Whether a document is of one of some types, and has a part in its name, as `searchable` writes it; empty for any. */
export function matches(
	{ uniqueId, sourceName = uniqueId, type }: Document,
	{ sourceTypes = [], nameContains = '' }: { sourceTypes?: string[]; nameContains?: string },
): boolean {
	const isOfType = sourceTypes.length === 0 || sourceTypes.includes(sourceTypeOf(type));
	return isOfType && foldForSearch(sourceName).includes(nameContains);
}

/** What tells records of one name apart, as far as it is known: `indexed`, `21 Nov 2026, 14:03 CET`. */
export function detailsOf(
	{ status, createdAt }: Fields & Pick<Document, 'status'>,
	timeZone: string,
	precision?: 'minute' | 'second',
): string[] {
	const parts: string[] = [status ?? '', shownTime(createdAt, timeZone, precision) ?? ''];
	return parts.filter((part) => part !== '');
}

export const STATUSES = [
	{ name: 'Failed', value: 'failed' },
	{ name: 'In Sync', value: 'inSync' },
	{ name: 'Indexed', value: 'indexed' },
	{ name: 'Indexing', value: 'indexing' },
];

/**
 * Retry indexing of a source
 * (https://www.cometchat.com/docs/rest-api/ai-agents-apis/knowledge-base/retry-knowledge-base-source-indexing):
 * no body. Built on public pages, not tried. Sent again after a lost answer: a file that is read twice
 * is indexed all the same.
 *
 * @param uniqueId One that can be part of an address, as `readId` lets through.
 */
export function reindexRequest(sourceType: string, uniqueId: string) {
	const url = `${KNOWLEDGE_BASE}/${encodeURIComponent(sourceType)}/${encodeURIComponent(uniqueId)}/sync`;
	return { method: 'PATCH' as const, url };
}

/** Our choice: the service documents no maximum for the IDs of one question. */
export const IDS_PER_QUESTION = 100;

/** The statuses of a file that an agent can answer from; the pages name both and explain neither. */
const READY = ['indexed', 'inSync'];

export const FAILED = 'failed';

/** What is said of an ID that the service leaves out of its answer. */
export const NOT_LISTED = 'notFound';

/** By file ID. */
export type StatusById = Map<string, string>;

/**
 * Poll knowledge base status
 * (https://www.cometchat.com/docs/rest-api/ai-agents-apis/knowledge-base/poll-knowledge-base-status):
 * the field is `uniqueId`, in the singular, and a list. Built on that page, not tried.
 */
function statusRequest(uniqueIds: string[]) {
	return {
		method: 'POST' as const,
		url: `${KNOWLEDGE_BASE}/status/poll`,
		headers: JSON_BODY,
		body: { uniqueId: uniqueIds },
	};
}

function readStatuses(body: Json | undefined): StatusById | undefined {
	if (!isRecord(body) || !isRecord(body.data)) return undefined;
	// Shown as it is, whatever the service gives for a status.
	return new Map(Object.entries(body.data).map(([id, status]) => [id, String(status)]));
}

/** The status of each ID, or why CometChat did not say it. */
export async function statusOfEach(
	client: ApiClient,
	uniqueIds: string[],
): Promise<Map<string, string | Failure>> {
	const found = new Map<string, string | Failure>();
	const ask = async (ids: string[]) => {
		return await client.call(statusRequest(ids), readStatuses, { about: 'document' });
	};
	for (const part of chunk(uniqueIds, IDS_PER_QUESTION)) {
		for (const [id, answer] of await sendTogether(part, ask)) {
			found.set(id, isFailure(answer) ? answer : (answer.get(id) ?? NOT_LISTED));
		}
	}
	return found;
}

/** The status of each ID, as far as CometChat says it. @throws Failure if CometChat says none */
export async function knownStatuses(client: ApiClient, uniqueIds: string[]): Promise<StatusById> {
	const known: StatusById = new Map();
	const failures: Failure[] = [];
	for (const [id, status] of await statusOfEach(client, uniqueIds)) {
		if (!isFailure(status)) known.set(id, status);
		else if (isUnknownDocument(status)) known.set(id, NOT_LISTED);
		else failures.push(status);
	}
	const [failure] = failures;
	if (known.size === 0 && failure) throw failure;
	return known;
}

export function isReady(status: string | undefined): boolean {
	return status !== undefined && READY.includes(status);
}

/**
 * Deletes a document permanently (`delete-uploaded-file`, `delete-text-detail`, `delete-website`). Built on CometChat's
 * public pages, not tried.
 *
 * @param policy Left out: that of the execution.
 * @throws ApiError; one for which `isUnknownDocument` holds if there was no such document.
 */
export async function deleteOne(
	client: ApiClient,
	sourceType: string,
	uniqueId: string,
	policy?: RetryPolicy,
): Promise<void> {
	// The ID is part of the URL, wherever it comes from.
	readId(uniqueId, { label: 'The ID of the document', hint: 'Enter the ID of the document.' });
	const url = `${KNOWLEDGE_BASE}/${encodeURIComponent(sourceType)}/${encodeURIComponent(uniqueId)}`;
	await deleteFor(client, { url }, 'document', policy);
}

/** Whether the service has said that there is no such file. */
export function isUnknownDocument(failure: Failure): failure is ApiError {
	return isUnknown(failure, 'document');
}
