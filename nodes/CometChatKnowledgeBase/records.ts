import { isRecord } from './complaint';
import type { Fields } from './outcome';
import type { Steps } from './steps';
import { Refused } from './steps';

/**
 * The knowledge base records of the account: uploads, texts, websites. From here to `indexing.ts` all
 * is built on CometChat's public pages alone; nobody here could try it on the live service.
 */
export const KNOWLEDGE_BASE = '/ai-agents/agent-builder/knowledge-base';

/** A record as the service lists it. */
export interface KnowledgeBaseRecord extends Fields {
	uniqueId: string;
	sourceName?: string;
	type?: string;
	status?: string;
}

export interface RecordPage {
	records: KnowledgeBaseRecord[];
	/** What to hand to `recordsRequest` for the page after this one; undefined after the last. */
	next?: string;
}

/** The maximum that is documented. */
const RECORDS_PER_PAGE = 100;

/**
 * List knowledge base records (https://www.cometchat.com/docs/ai-agents/apis/list-knowledge-base-records):
 * newest first. `start` and `end` are called required there, without a meaning, and the page's own
 * example leaves them out; so do we.
 */
export function recordsRequest(cursor?: string, limit = RECORDS_PER_PAGE) {
	return {
		method: 'GET' as const,
		url: KNOWLEDGE_BASE,
		qs: { limit, ...(cursor === undefined ? {} : { affix: 'append', cursor }) },
	};
}

/** Undefined if the body is no list of records. */
export function readRecordPage(body: unknown): RecordPage | undefined {
	if (!isRecord(body) || !Array.isArray(body.data)) return undefined;
	const records = body.data.flatMap((entry): KnowledgeBaseRecord[] => {
		if (!isRecord(entry) || typeof entry.uniqueId !== 'string') return [];
		const { uniqueId, sourceName, type, status } = entry;
		return [
			{
				...jsonOf(entry),
				uniqueId,
				sourceName: textOf(sourceName),
				type: textOf(type),
				status: textOf(status),
			},
		];
	});
	const next = isRecord(body.meta) && isRecord(body.meta.next) ? body.meta.next.cursor : undefined;
	const isCursor = typeof next === 'string' || typeof next === 'number';
	return { records, next: isCursor ? String(next) : undefined };
}

/**
 * All records that fit, up to a number of them. The service's list knows no filter, so that its pages
 * are read to the end unless enough have been found.
 *
 * @param fits undefined if all do.
 */
export async function recordsThat(
	steps: Steps,
	fits: ((record: KnowledgeBaseRecord) => boolean) | undefined,
	limit = Infinity,
): Promise<KnowledgeBaseRecord[] | Refused> {
	const found: KnowledgeBaseRecord[] = [];
	const seen = new Set<string>();
	let cursor: string | undefined;
	do {
		const wanted = fits ? RECORDS_PER_PAGE : Math.min(limit - found.length, RECORDS_PER_PAGE);
		const page = await steps.ask(recordsRequest(cursor, wanted), readRecordPage);
		if (page instanceof Refused) return page;
		found.push(...(fits ? page.records.filter(fits) : page.records));
		// The same place twice would go round for ever.
		cursor = page.next !== undefined && !seen.has(page.next) ? page.next : undefined;
		if (cursor !== undefined) seen.add(cursor);
	} while (cursor !== undefined && found.length < limit);
	return found.slice(0, limit);
}

/** What an item can carry of a foreign object: JSON has nothing else. */
function jsonOf(entry: Record<string, unknown>): Fields {
	const fields: Fields = {};
	for (const [name, value] of Object.entries(entry)) {
		if (typeof value === 'string' || typeof value === 'number') fields[name] = value;
		if (typeof value === 'boolean' || typeof value === 'object') fields[name] = value;
	}
	return fields;
}

function textOf(value: unknown): string | undefined {
	return typeof value === 'string' ? value : undefined;
}

/** How the service calls the types, and what a user reads. */
export const RECORD_TYPES = [
	{ name: 'Text', value: 'text-details' },
	{ name: 'Upload', value: 'uploads' },
	{ name: 'Website', value: 'website' },
];

export const STATUSES = [
	{ name: 'Failed', value: 'failed' },
	{ name: 'In Sync', value: 'inSync' },
	{ name: 'Indexed', value: 'indexed' },
	{ name: 'Indexing', value: 'indexing' },
];
