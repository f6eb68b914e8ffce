import type { ApiClient } from './apiClient';
import { list, number, optional, shape, text, textOrNone } from './shape';
import type { Json } from '../text/json';
import { KNOWLEDGE_BASE } from './documents';

/** The text of a document in CometChat, or some of its pages. */
export interface SourcePages {
	fileName?: string;
	/** The number of pages, as CometChat reports it. */
	total?: number;
	/** The pages without repetitions, in ascending order. */
	pages: SourcePage[];
}

interface SourcePage {
	/** CometChat's own number. */
	number: number;
	text: string;
}

/** Our choice: no maximum is documented. The list of knowledge base records allows 100. */
const PAGES_PER_ANSWER = 100;

/**
 * "Get source pages" (https://www.cometchat.com/docs/ai-agents/apis/get-source-pages), not tried.
 *
 * @param from The page number after which CometChat continues; left out: the first page.
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

/** More than one page, because a document may start with pages that only contain pictures. */
const FIRST_PAGES = 10;

/** The request for the first pages, to check whether a document contains text. */
export function firstPagesRequest(sourceType: string, uniqueId: string) {
	return { ...pagesRequest(sourceType, uniqueId), qs: { limit: FIRST_PAGES } };
}

const readAnswer = shape({
	data: shape({
		sourceDetails: optional(shape({ fileName: optional(text), totalPages: optional(number) })),
		pageContent: list(shape({ pageNumber: number, content: textOrNone })),
	}),
});

/** Reads pages; undefined if the body is no list of pages, or if a page has no number. */
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
 * Reads the pages of a document, to the last page or until they are enough. Undocumented is whether the named page is
 * repeated, and whether the first page is 0 or 1. So a response without new pages is the end.
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
