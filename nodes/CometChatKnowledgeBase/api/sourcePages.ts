import type { ApiClient } from './apiClient';
import { list, number, optional, shape, text, textOrNone } from './shape';
import type { Json } from '../text/json';
import { KNOWLEDGE_BASE } from './documents';

/** The text that CometChat has taken from a document, or some of its pages. */
export interface SourcePages {
	fileName?: string;
	/** How many there are, as CometChat says. */
	total?: number;
	/** Each once, in order. */
	pages: SourcePage[];
}

interface SourcePage {
	/** As CometChat counts. */
	number: number;
	text: string;
}

/** No maximum is documented; the sister list of knowledge base records allows 100. */
const PAGES_PER_ANSWER = 100;

/**
 * Get source pages (https://www.cometchat.com/docs/ai-agents/apis/get-source-pages): built on that page,
 * not tried.
 *
 * @param sourceType `uploads`, `text` or `website`.
 * @param uniqueId One that can be part of an address (`readId`).
 * @param from The number of the page to go on from; left out: the first.
 */
function pagesRequest(sourceType: string, uniqueId: string, from?: number) {
	return {
		method: 'GET' as const,
		url: `${KNOWLEDGE_BASE}/${encodeURIComponent(sourceType)}/${encodeURIComponent(uniqueId)}/pages`,
		qs: {
			limit: PAGES_PER_ANSWER,
			...(from === undefined ? {} : { page: from, affix: 'append' }),
		},
	};
}

/** A document may start with pages that have only pictures. */
const FIRST_PAGES = 10;

/** The first pages, to see whether there is any text. */
export function firstPagesRequest(sourceType: string, uniqueId: string) {
	return { ...pagesRequest(sourceType, uniqueId), qs: { limit: FIRST_PAGES } };
}

const readAnswer = shape({
	data: shape({
		sourceDetails: optional(shape({ fileName: optional(text), totalPages: optional(number) })),
		pageContent: list(shape({ pageNumber: number, content: textOrNone })),
	}),
});

/** Undefined if the body is no list of pages, or one of them has no number. */
export function readSourcePages(body: Json | undefined): SourcePages | undefined {
	const { data } = readAnswer(body) ?? {};
	if (data === undefined) return undefined;
	const { fileName, totalPages: total } = data.sourceDetails ?? {};
	const pages = data.pageContent.map(({ pageNumber, content }) => {
		return { number: pageNumber, text: content };
	});
	return { fileName, total, pages };
}

/**
 * The pages of a document, to the last one or until it is enough. Undocumented is whether the page that is
 * named comes again, and whether the first is 0 or 1: what is known is taken once, and an answer with nothing
 * new is the end.
 *
 * @param isEnough Whether no page behind these is needed.
 */
export async function sourcePages(
	client: ApiClient,
	sourceType: string,
	uniqueId: string,
	isEnough: (pages: SourcePage[]) => boolean,
): Promise<SourcePages> {
	const found = new Map<number, SourcePage>();
	let from: number | undefined;
	for (;;) {
		const answer = await client.call(pagesRequest(sourceType, uniqueId, from), readSourcePages);
		const before = found.size;
		for (const page of answer.pages) if (!found.has(page.number)) found.set(page.number, page);
		const pages = [...found.values()].sort((one, other) => one.number - other.number);
		const { total = Infinity } = answer;
		if (found.size === before || found.size >= total || isEnough(pages))
			return { ...answer, pages };
		from = pages.at(-1)?.number;
	}
}
