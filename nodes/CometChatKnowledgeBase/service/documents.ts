import { sourceTypeOf } from '../values/sourceTypes';
import { readableTime, shownTime } from '../values/times';
import { isRecord } from '../values/userError';
import { isWhole } from '../account/redaction';
import type { Fields } from '../results/itemResult';
import { fieldsOf } from '../results/itemResult';
import type { ApiClient } from './apiClient';
import type { ListPage, Next, OnCut } from './wholeList';
import { pagesOf, readNext, readWholeList } from './wholeList';
import type { Json } from '../values/json';

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

type DocumentPage = ListPage<Document>;

/** The maximum that is documented. */
const DOCUMENTS_PER_PAGE = 100;

/** Which records the service is asked for, by when they were created: Unix times in milliseconds. */
export interface Within {
	startTime?: number;
	endTime?: number;
}

/**
 * List knowledge base records (https://www.cometchat.com/docs/ai-agents/apis/list-knowledge-base-records):
 * newest first. `start` and `end` are called required there, without a meaning, and the page's own
 * example leaves them out; so do we.
 */
export function documentsRequest(cursor?: string, limit = DOCUMENTS_PER_PAGE, within: Within = {}) {
	return {
		method: 'GET' as const,
		url: KNOWLEDGE_BASE,
		qs: { limit, ...(cursor === undefined ? {} : { affix: 'append', cursor }), ...within },
	};
}

/** Undefined if the body is no list of records, or one of them has no ID. */
export function readDocumentPage(body: Json | undefined): ListPage<Document> | undefined {
	if (!isRecord(body) || !Array.isArray(body.data)) return undefined;
	const entries: Document[] = [];
	for (const entry of body.data) {
		if (!isRecord(entry)) return undefined;
		const { uniqueId, sourceName, type, status } = entry;
		if (typeof uniqueId !== 'string' || uniqueId === '' || !isWhole(uniqueId)) return undefined;
		entries.push({
			...fieldsOf(entry),
			uniqueId,
			sourceName: shownText(sourceName),
			type: shownText(type),
			status: shownText(status),
		});
	}
	return { entries, next: readNext(body.meta, 'cursor', entries.length === DOCUMENTS_PER_PAGE) };
}

/**
 * All records that fit, up to a number of them. The service's list knows no filter, so that its pages
 * are read to the end unless enough have been found.
 *
 * @param fits undefined if all do.
 * @param isLast Whether no page behind this one is needed.
 * @param within Narrows what is read, where the service does so: who relies on it looks at each record.
 */
export async function documentsThat(
	client: ApiClient,
	fits: ((record: Document) => boolean) | undefined,
	limit = Infinity,
	{
		isLast,
		within,
		onCut,
	}: { isLast?: (page: DocumentPage) => boolean; within?: Within; onCut?: OnCut } = {},
): Promise<Document[]> {
	return await readWholeList(
		async (next, found) => {
			const wanted = fits ? DOCUMENTS_PER_PAGE : Math.min(limit - found, DOCUMENTS_PER_PAGE);
			return await client.call(documentsRequest(next, wanted, within), readDocumentPage);
		},
		({ uniqueId }) => uniqueId,
		{ fits, limit, isLast, onCut },
	);
}

/** The pages of the account's list, newest first, from a place in it on. */
export function documentPages(client: ApiClient, from?: Next): AsyncGenerator<DocumentPage> {
	return pagesOf(
		async (next) => await client.call(documentsRequest(next), readDocumentPage),
		({ uniqueId }) => uniqueId,
		from,
	);
}

/** The records from a place in the list on, to its end or until no more are needed. */
export async function documentsFrom(
	client: ApiClient,
	from: Next | undefined,
	isLast: (page: DocumentPage) => boolean,
): Promise<Document[]> {
	return await readWholeList(
		async (next) => await client.call(documentsRequest(next), readDocumentPage),
		({ uniqueId }) => uniqueId,
		{ isLast, from },
	);
}

/** What a person looks for, in that order. */
export function simplified(record: Document): Fields {
	const { uniqueId, sourceName, type, status, createdAt, updatedAt } = record;
	return {
		name: sourceName ?? uniqueId,
		...(type === undefined ? {} : { sourceType: sourceTypeOf(type) }),
		...(status === undefined ? {} : { status }),
		uniqueId,
		...(createdAt === undefined ? {} : { createdAt: readableTime(createdAt) }),
		...(updatedAt === undefined ? {} : { updatedAt: readableTime(updatedAt) }),
	};
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

function shownText(value: Json | undefined): string | undefined {
	return typeof value === 'string' ? value : undefined;
}

export const STATUSES = [
	{ name: 'Failed', value: 'failed' },
	{ name: 'In Sync', value: 'inSync' },
	{ name: 'Indexed', value: 'indexed' },
	{ name: 'Indexing', value: 'indexing' },
];
