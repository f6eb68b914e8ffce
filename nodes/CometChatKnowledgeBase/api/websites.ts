import type { ApiClient } from './apiClient';
import type { Shape } from './shape';
import { anyText, id, list, number, optional, shape, success, text, whole } from './shape';
import type { ListPage } from './pagination';
import { pageOf, pagesOf } from './pagination';
import type { Fields } from '../output/itemResult';
import { chunk } from '../text/groups';
import type { Json } from '../text/json';
import { readableTime } from '../text/times';
import { JSON_BODY, KNOWLEDGE_BASE } from './documents';

/*
 * Websites: a crawl finds pages, which CometChat indexes on request or by itself. Built on CometChat's public pages
 * (…/ai-agents-apis/knowledge-base/scrape-website, process-discovered-urls, retry-indexing-for-website-pages;
 * https://www.cometchat.com/docs/ai-agents/apis/get-discovered-urls), not tried.
 */

const WEBSITES = `${KNOWLEDGE_BASE}/website`;

/** The settings of a crawl. */
export interface CrawlSettings {
	/** 1 to 10. */
	maxDepth: number;
	/** 1 to 10,000. */
	maxPages: number;
	/** Only URLs that contain one of these texts; empty: all URLs. */
	include: string[];
	/** No URLs that contain one of these texts. */
	exclude: string[];
}

/** A page that a crawl has found, with all fields that CometChat returns. */
export interface WebsitePage extends Fields {
	urlId: string;
	url: string;
	title?: string;
	status?: string;
}

export const PAGE_STATUSES = [
	{ name: 'Discovered', value: 'discovered', description: 'Found, but not indexed yet' },
	{ name: 'Failed', value: 'failed', description: "CometChat couldn't index the page" },
	{ name: 'Processed', value: 'processed', description: 'Indexed' },
	{ name: 'Processing', value: 'processing', description: 'CometChat is indexing the page' },
	{ name: 'Skipped', value: 'skipped', description: 'Excluded by the page filters of a crawl' },
];

/** The request may take minutes. Nothing promises that a second crawl of the same URL does no harm. */
export function crawlRequest(url: string, { maxDepth, maxPages, include, exclude }: CrawlSettings) {
	return {
		method: 'POST' as const,
		url: `${WEBSITES}/scrape`,
		headers: JSON_BODY,
		body: { url, maxDepth, maxPages, include, exclude },
	};
}

/** Reads the status of a crawl. Only `completed` is documented, and the response has no ID of the website. */
export const readCrawl = answerWith(shape({ status: optional(text) }));

/** The documented maximum. */
const FOUND_PER_ANSWER = 100;

const readFoundPages = pageOf<WebsitePage>(
	whole(shape({ urlId: id, url: text, title: optional(text), status: optional(anyText) })),
	'cursor',
	FOUND_PER_ANSWER,
);

/** Reads the pages of a website, newest first. Callers check the status of each page, too. */
export function websitePages(
	client: ApiClient,
	parentId: string,
	part: { statuses?: string[]; limit?: number } = {},
): AsyncGenerator<ListPage<WebsitePage>> {
	const { statuses = [], limit = Infinity } = part;
	const isAny = statuses.length === 0;
	// CometChat filters by one status at most, or not at all.
	const filter = statuses.length === 1 ? { status: statuses[0] } : {};
	return pagesOf(
		async (cursor, found) => {
			const wanted = isAny ? Math.min(limit - found, FOUND_PER_ANSWER) : FOUND_PER_ANSWER;
			const page = cursor === undefined ? {} : { affix: 'append', cursor };
			const qs = { limit: wanted, ...page, ...filter };
			const request = { method: 'GET' as const, url: foundAt(parentId), qs };
			return await client.call(request, readFoundPages, { about: 'website' });
		},
		({ urlId }) => urlId,
	);
}

/** The request to index the pages that were found. A 404 means that there is no page to index, or no such website. */
export function processRequest(parentId: string) {
	return {
		method: 'POST' as const,
		url: `${foundAt(parentId)}/process`,
		headers: JSON_BODY,
		body: { exclude: [] },
	};
}

/** Reads the number of pages that CometChat will index. */
export const readProcessed = answerWith(shape({ urlsProcessed: number }));

/** Our choice: CometChat documents no maximum. */
const PAGES_PER_RETRY = 100;

/** Lets CometChat index pages again: never an empty list, whose meaning is unclear. @returns The accepted number. */
export async function retryPages(
	client: ApiClient,
	parentId: string,
	pages: WebsitePage[],
): Promise<number> {
	let accepted = 0;
	for (const part of chunk(pages, PAGES_PER_RETRY)) {
		const body = { uniqueIds: part.map(({ urlId }) => urlId) };
		const url = `${foundAt(parentId)}/sync`;
		const request = { method: 'PATCH' as const, url, headers: JSON_BODY, body };
		accepted += await client.call(request, readRetried);
	}
	return accepted;
}

const retried = answerWith(
	shape({ processedUrls: optional(list(text)), urlsProcessed: optional(number) }),
);

/** Reads the number of pages that CometChat indexes again; undefined for a bare success, which doesn't report it. */
const readRetried: Shape<number> = (body) => {
	const found = retried(body);
	return found?.urlsProcessed ?? found?.processedUrls?.length;
};

const PAGE_FAILED =
	"CometChat couldn't index the page and doesn't report why. If the page opens in a browser without signing in, use 'Document: Retry Indexing' for the website.";

/** Returns a page's main fields in the order of the output. @param uniqueId The website's ID. */
export function simplifiedPage(page: WebsitePage, uniqueId: string): Fields {
	const { urlId, url, title, status, lastCrawledAt, createdAt, updatedAt, retryCount } = page;
	return {
		name: url,
		status,
		uniqueId,
		reason: status === 'failed' ? PAGE_FAILED : undefined,
		title,
		urlId,
		retryCount,
		createdAt: readableTime(createdAt),
		updatedAt: readableTime(updatedAt),
		lastCrawledAt: readableTime(lastCrawledAt),
	};
}

function foundAt(parentId: string): string {
	return `${WEBSITES}/${encodeURIComponent(parentId)}/discovered-urls`;
}

/** Reads the `data` of a successful response. */
function answerWith<T>(data: Shape<T>): Shape<T> {
	const read = shape({ data });
	return (body: Json | undefined) => (success(body) ? read(body)?.data : undefined);
}
