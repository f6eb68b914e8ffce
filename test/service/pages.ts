import type { Answer } from './answer';
import type { Holdings } from './holdings';
import type { ReceivedRequest } from './log';
import type { KnowledgeRecord } from './records';
import { sourceTypeOf } from './records';
import type { Envelope } from './refusal';
import { noSuchFile, refuse } from './refusal';

/** What is undocumented about the text of a document, and what that text is. */
export interface PageOptions {
	/** The pages of some documents, by ID or name. Of the others, an indexed one has one page with its name. */
	pages?: Record<string, string[]>;
	/** Whether the page that a request names comes again; 'behind' if left out: it does not. */
	pagesFrom?: 'behind' | 'at';
	/** The number of the first page; 1 if left out, as in the documentation's example. */
	firstPage?: 0 | 1;
	/** How many pages an answer has at most; 100 if left out. */
	mostPages?: number;
}

/** One of another kind is unknown, and one that is not indexed has no pages (both undocumented). */
export function getPages(
	{ path, sourceType, uniqueId = '' }: ReceivedRequest,
	{ records, texts, websites }: Pick<Holdings, 'records' | 'texts' | 'websites'>,
	{ pages = {}, pagesFrom = 'behind', firstPage = 1, mostPages = 100 }: PageOptions,
	envelope: Envelope,
): Answer {
	const record = records.get(uniqueId);
	if (record === undefined || sourceTypeOf(record.type) !== sourceType)
		return refuse(noSuchFile(uniqueId, envelope));
	const query = new URLSearchParams(path.split('?')[1]);
	const limit = Math.min(Number(query.get('limit') ?? 1), mostPages);
	const named = query.get('page');
	const start = named === null ? firstPage : Number(named) + (pagesFrom === 'at' ? 0 : 1);
	const body = () => {
		const written = texts.written(uniqueId);
		const own = websites.contents(uniqueId) ?? (written === undefined ? undefined : [written]);
		const all = textOf(records.get(uniqueId) ?? record, pages, own).map((content, at) => {
			return { content, pageNumber: firstPage + at, charCount: content.length };
		});
		const found = all.filter(({ pageNumber }) => pageNumber >= start).slice(0, limit);
		const createdAt = new Date(record.createdAt).toISOString().replace('Z', '000');
		const sourceDetails = { fileName: record.sourceName, totalPages: all.length, createdAt };
		const meta = { current: { limit, count: found.length } };
		return { data: { sourceDetails, pageContent: found }, meta };
	};
	return { status: 200, body };
}

function textOf(
	{ uniqueId, sourceName, status }: KnowledgeRecord,
	pages: Record<string, string[]>,
	own = [`The text of ${sourceName}.`],
): string[] {
	const isRead = status === 'indexed' || status === 'inSync';
	return isRead ? (pages[uniqueId] ?? pages[sourceName] ?? own) : [];
}
