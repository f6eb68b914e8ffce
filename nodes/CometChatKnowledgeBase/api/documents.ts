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
 * The path of the account's knowledge base: uploads, texts and websites. Except for adding and removing, the requests
 * are built on CometChat's public pages, and were not tried on the live service.
 */
export const KNOWLEDGE_BASE = '/ai-agents/agent-builder/knowledge-base';

export const JSON_BODY = { 'Content-Type': 'application/json' };

/** A document as CometChat lists it. */
export interface Document extends Fields {
	uniqueId: string;
	sourceName?: string;
	type?: string;
	status?: string;
}

/** The documented maximum. */
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
 * Reads the pages of "List knowledge base records"
 * (https://www.cometchat.com/docs/ai-agents/apis/list-knowledge-base-records): newest first, with no filter except the
 * time, which callers check again. The page's example leaves out the required `start` and `end`, and so does the node.
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

/** Returns a document's main fields. */
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

/** Whether a document has one of the types, and a name that contains a text of `foldForSearch`; empty for any. */
export function matches(
	{ uniqueId, sourceName = uniqueId, type }: Document,
	{ sourceTypes = [], nameContains = '' }: { sourceTypes?: string[]; nameContains?: string },
): boolean {
	const isOfType = sourceTypes.length === 0 || sourceTypes.includes(sourceTypeOf(type));
	return isOfType && foldForSearch(sourceName).includes(nameContains);
}

/** Returns the known details that distinguish documents with the same name: `indexed`, `21 Nov 2026, 14:03 CET`. */
export function detailsOf(
	{ status, createdAt }: Fields & Pick<Document, 'status'>,
	timeZone: string,
): string[] {
	const parts: string[] = [status ?? '', shownTime(createdAt, timeZone) ?? ''];
	return parts.filter((part) => part !== '');
}

export const STATUSES = [
	{ name: 'Failed', value: 'failed' },
	{ name: 'In Sync', value: 'inSync' },
	{ name: 'Indexed', value: 'indexed' },
	{ name: 'Indexing', value: 'indexing' },
];

/**
 * The request "Retry indexing of a source"
 * (https://www.cometchat.com/docs/rest-api/ai-agents-apis/knowledge-base/retry-knowledge-base-source-indexing): no
 * body. Built on public pages, not tried. It is repeated after a lost response: indexing a file twice does no harm.
 */
export function reindexRequest(sourceType: string, uniqueId: string) {
	const url = `${KNOWLEDGE_BASE}/${encodeURIComponent(sourceType)}/${encodeURIComponent(uniqueId)}/sync`;
	return { method: 'PATCH' as const, url };
}

/** Our choice: CometChat documents no maximum for the IDs of one request. */
export const IDS_PER_QUESTION = 100;

/** The statuses of a document that agents can use. CometChat's pages name both and explain neither. */
const READY = ['indexed', 'inSync'];

export const FAILED = 'failed';

/** The status of an ID that CometChat's response leaves out. */
export const NOT_LISTED = 'notFound';

/** Statuses by document ID. */
export type StatusById = Map<string, string>;

/**
 * The request "Poll knowledge base status"
 * (https://www.cometchat.com/docs/rest-api/ai-agents-apis/knowledge-base/poll-knowledge-base-status): its field
 * `uniqueId`, in the singular, is a list. Built on that page, not tried.
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
	// Any status is shown unchanged.
	return new Map(Object.entries(body.data).map(([id, status]) => [id, String(status)]));
}

/** Requests the status of each ID; a failure if CometChat doesn't report the status. */
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

/** Requests the statuses that CometChat reports. @throws Failure if CometChat reports none */
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
 * Deletes a document permanently (`delete-uploaded-file`, `delete-text-detail`, `delete-website`), not tried.
 *
 * @throws ApiError; `isUnknownDocument` holds if the document didn't exist.
 */
export async function deleteOne(
	client: ApiClient,
	sourceType: string,
	uniqueId: string,
	policy?: RetryPolicy,
): Promise<void> {
	// The ID is a part of the URL, whatever its origin.
	readId(uniqueId, { label: 'The ID of the document', hint: 'Enter the ID of the document.' });
	const url = `${KNOWLEDGE_BASE}/${encodeURIComponent(sourceType)}/${encodeURIComponent(uniqueId)}`;
	await deleteFor(client, { url }, 'document', policy);
}

/** Whether CometChat responded that the document doesn't exist. */
export function isUnknownDocument(failure: Failure): failure is ApiError {
	return isUnknown(failure, 'document');
}
