import { KNOWLEDGE_BASE } from './address';
import type { Records, Source } from './records';
import { recordOf } from './records';
import type { Answer, Asked, Route } from './routes';
import { route } from './routes';
import type { ServiceOptions } from './service';
import { digits, oneOf, optional } from './shapes';
import type { Websites } from './websites';

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

const SHAPES = {
	limit: optional(digits(1)),
	page: optional(digits()),
	affix: optional(oneOf('append')),
};

/** One that is not indexed has no pages (undocumented). */
export function pagesOf(records: Records, websites: Websites, options: ServiceOptions): Route {
	const answer = (asked: Asked<{ limit?: string; page?: string }>): Answer => {
		const { pagesFrom, firstPage = 1, mostPages = 100, pages = {} } = options;
		const { uniqueId, sourceType, given } = asked;
		const source = records.known(uniqueId, sourceType);
		const limit = Math.min(Number(given.limit ?? 1), mostPages);
		const behind = Number(given.page) + (pagesFrom === 'at' ? 0 : 1);
		const start = given.page === undefined ? firstPage : behind;
		const body = () => {
			const own = websites.contents(uniqueId) ?? source.versions?.slice(-1).map(({ text }) => text);
			const all = contentOf(source, pages, own).map((content, at) => {
				return { content, pageNumber: firstPage + at, charCount: content.length };
			});
			const found = all.filter(({ pageNumber }) => pageNumber >= start).slice(0, limit);
			const { sourceName: fileName, createdAt } = source.record;
			const written = new Date(createdAt).toISOString().replace('Z', '000');
			const sourceDetails = { fileName, totalPages: all.length, createdAt: written };
			const meta = { current: { limit, count: found.length } };
			return { data: { sourceDetails, pageContent: found }, meta };
		};
		return { body };
	};
	return route('pages', `GET ${KNOWLEDGE_BASE}/{sourceType}/{uniqueId}/pages`, SHAPES, answer);
}

function contentOf(
	source: Source,
	pages: Record<string, string[]>,
	own = [`The text of ${source.record.sourceName}.`],
): string[] {
	const { status, uniqueId, sourceName } = recordOf(source);
	const isRead = status === 'indexed' || status === 'inSync';
	return isRead ? (pages[uniqueId] ?? pages[sourceName] ?? own) : [];
}
