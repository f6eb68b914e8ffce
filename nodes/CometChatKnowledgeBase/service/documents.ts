import type { Fields } from '../results/itemResult';
import { sourceTypeOf } from '../values/sourceTypes';
import { readableTime, shownTime } from '../values/times';
import type { ApiClient } from './apiClient';
import type { Shape } from './shape';
import { anyText, id, optional, shape, whole } from './shape';
import type { ListPage, Next } from './wholeList';
import { pageOf, pagesOf } from './wholeList';

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

/** Which part of the list is read; left out: all of it. */
interface Part {
	/** Where an earlier reading has ended. */
	from?: Next;
	/** How many are enough. */
	limit?: number;
	/** When they were created, in Unix milliseconds: who relies on it looks at each document, too. */
	within?: { startTime?: number; endTime?: number };
}

/**
 * List knowledge base records (https://www.cometchat.com/docs/ai-agents/apis/list-knowledge-base-records), page
 * by page: newest first, and no filter but the time. `start` and `end` are called required there, without a
 * meaning, and the page's own example leaves them out; so do we.
 */
export function documentPages(
	client: ApiClient,
	{ from, limit = Infinity, within }: Part = {},
): AsyncGenerator<ListPage<Document>> {
	return pagesOf(
		async (cursor, found) => {
			const place = cursor === undefined ? {} : { affix: 'append', cursor };
			const qs = { limit: Math.min(limit - found, DOCUMENTS_PER_PAGE), ...place, ...within };
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
export function reindexRequest(kind: string, uniqueId: string) {
	const url = `${KNOWLEDGE_BASE}/${kind}/${encodeURIComponent(uniqueId)}/sync`;
	return { method: 'PATCH' as const, url };
}
