import { recordOf, type Records, type Source } from './records';
import { badRequest, KNOWLEDGE_BASE, type Route, route } from './routes';
import type { ServiceOptions } from './service';
import { digits, oneOf, optional, text } from './shapes';
import type { Websites } from './websites';

/** The content of a text entry since a Unix time in milliseconds. */
export interface Version {
	title: string;
	text: string;
	fromMs: number;
}

export interface PageOptions {
	/** Whether white space in a title is stored as plain spaces. */
	plainTitles?: boolean;
	/** The pages of documents, by ID or name. Other indexed documents have one page with their name. */
	pages?: Record<string, string[]>;
	/** Whether the page in a request is repeated. */
	pagesFrom?: 'behind' | 'at';
	/** The number of the first page; 1 if left out, as in the documentation's example. */
	firstPage?: 0 | 1;
	/** The maximum number of pages in a response; 100 if left out. */
	mostPages?: number;
}

const TEXTS = `${KNOWLEDGE_BASE}/text`;
const SHAPES = { title: text(1, 500), text: text(1, 5000) };
const PAGES = {
	limit: optional(digits(1)),
	page: optional(digits()),
	affix: optional(oneOf('append')),
};
const CHANGE = { title: optional(SHAPES.title), text: optional(SHAPES.text) };

/** Returns the routes of text entries. The texts of the start consist of one sentence. */
export function textRoutes(records: Records, options: ServiceOptions): Route[] {
	const stored = (title: string) => (options.plainTitles ? title.replace(/\s+/g, ' ') : title);
	return [
		route(
			'createText',
			`POST ${TEXTS}`,
			SHAPES,
			({ given }) => {
				const draft = { type: 'text-details', status: 'indexing' } as const;
				const title = stored(given.title);
				const record = records.prepare({ ...draft, sourceName: title });
				const change = () => {
					const source = records.add(record);
					source.versions = [{ ...given, title, fromMs: Date.now() }];
					records.index(source);
				};
				return { status: 201, body: () => written(record.uniqueId, given.title), change };
			},
			({ title }) => [title],
		),
		// All text entries, newest first (undocumented), with their texts and without pages.
		route('listTexts', `GET ${TEXTS}`, {}, () => {
			const behindMs = options.lagsMs?.texts ?? 0;
			const isText = ({ record }: Source) => record.type === 'text-details';
			const shown = (source: Source) => shownText(source, Date.now() - behindMs);
			return { body: () => ({ data: records.listed(behindMs).filter(isText).map(shown) }) };
		}),
		route('getText', `GET ${TEXTS}/{uniqueId}`, {}, ({ uniqueId }) => {
			const source = records.known(uniqueId, 'text');
			return { body: () => ({ data: shownText(source) }) };
		}),
		// The ID and its agents stay. An empty change is undocumented.
		route('updateText', `PATCH ${TEXTS}/{uniqueId}`, CHANGE, ({ uniqueId, given }) => {
			if (Object.keys(given).length === 0) throw badRequest('There is nothing to change.');
			const source = records.known(uniqueId, 'text');
			const before = textOf(source);
			const { title: sent = before.title, text: said = before.text } = given;
			const title = stored(sent);
			const change = () => {
				const versions = source.versions ?? [{ ...before, fromMs: -Infinity }];
				source.versions = [...versions, { title, text: said, fromMs: Date.now() }];
				records.reindex(source, { sourceName: title, updatedAt: Date.now() });
			};
			return { body: () => written(uniqueId, title), change };
		}),
	];
}

export function pagesRoute(records: Records, websites: Websites, options: ServiceOptions): Route {
	/** A document that is not indexed has no pages (undocumented). */
	const contentOf = (source: Source) => {
		const { uniqueId, status, sourceName } = recordOf(source);
		if (status !== 'indexed' && status !== 'inSync') return [];
		const written = source.versions?.slice(-1).map(({ text }) => text);
		const read = source.website && websites.contents(uniqueId);
		const own = read ?? written ?? [`The text of ${sourceName}.`];
		return options.pages?.[uniqueId] ?? options.pages?.[sourceName] ?? own;
	};
	return route(
		'pages',
		`GET ${KNOWLEDGE_BASE}/{sourceType}/{uniqueId}/pages`,
		PAGES,
		({ uniqueId, sourceType, given }) => {
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
		},
	);
}

/** Returns the content of a text entry, now or at an earlier time. */
export function textOf({ record, versions = [] }: Source, asOfMs = Infinity) {
	const { uniqueId, sourceName } = record;
	const seeded = { title: sourceName, text: seededText(uniqueId) };
	const { title, text: said } = versions.findLast(({ fromMs }) => fromMs <= asOfMs) ?? seeded;
	return { title, text: said };
}

export function seededText(uniqueId: string): string {
	return `This is ${uniqueId}.`;
}

function shownText(source: Source, asOfMs = Date.now()): object {
	const { uniqueId, status, createdAt, updatedAt } = recordOf(source, asOfMs);
	return { uniqueId, ...textOf(source, asOfMs), status, createdAt, updatedAt };
}

function written(uniqueId: string, title: string) {
	return { success: true, data: { uniqueId, title, status: 'indexing' } };
}
