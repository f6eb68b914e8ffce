import { recordOf, type Records, type Source } from './records';
import { KNOWLEDGE_BASE, route, type Route } from './routes';
import type { ServiceOptions } from './service';
import { digits, oneOf, optional } from './shapes';
import type { Websites } from './websites';

export interface PageOptions {
	/** The pages of some documents, by ID or name. Of the others, an indexed one has one page with its name. */
	pages?: Record<string, string[]>;
	/** Whether the page that a request names comes again. */
	pagesFrom?: 'behind' | 'at';
	/** The number of the first page; 1 if left out, as in the documentation's example. */
	firstPage?: 0 | 1;
	/** How many pages an answer has at most; 100 if left out. */
	mostPages?: number;
}

const LINE = `GET ${KNOWLEDGE_BASE}/{sourceType}/{uniqueId}/pages`;
const SHAPES = {
	limit: optional(digits(1)),
	page: optional(digits()),
	affix: optional(oneOf('append')),
};

export function pagesRoute(records: Records, websites: Websites, options: ServiceOptions): Route {
	/** One that is not indexed has no pages (undocumented). */
	const contentOf = (source: Source) => {
		const { uniqueId, status, sourceName } = recordOf(source);
		if (status !== 'indexed' && status !== 'inSync') return [];
		const written = source.versions?.slice(-1).map(({ text }) => text);
		const read = source.website && websites.contents(uniqueId);
		const own = read ?? written ?? [`The text of ${sourceName}.`];
		return options.pages?.[uniqueId] ?? options.pages?.[sourceName] ?? own;
	};
	return route('pages', LINE, SHAPES, ({ uniqueId, sourceType, given }) => {
		const { pagesFrom, firstPage = 1, mostPages = 100 } = options;
		const source = records.known(uniqueId, sourceType);
		const limit = Math.min(Number(given.limit ?? 1), mostPages);
		const behind = Number(given.page) + (pagesFrom === 'at' ? 0 : 1);
		const start = given.page === undefined ? firstPage : behind;
		const body = () => {
			const all = contentOf(source).map((content, at) => {
				return { content, pageNumber: firstPage + at, charCount: content.length };
			});
			const pageContent = all.filter(({ pageNumber }) => pageNumber >= start).slice(0, limit);
			const sourceDetails = { fileName: source.record.sourceName, totalPages: all.length };
			return { data: { sourceDetails, pageContent } };
		};
		return { body };
	});
}
