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
 * Websites: a crawl finds their pages, which CometChat reads when it is told to, or of its own accord. Built
 * on its public pages (…/ai-agents-apis/knowledge-base/scrape-website, process-discovered-urls,
 * retry-indexing-for-website-pages; https://www.cometchat.com/docs/ai-agents/apis/get-discovered-urls), not tried.
 */

const WEBSITES = `${KNOWLEDGE_BASE}/website`;

/** What a crawl is asked for. */
export interface CrawlSettings {
	/** 1 to 10. */
	maxDepth: number;
	/** 1 to 10,000. */
	maxPages: number;
	/** Only addresses that contain one of these; none: all. */
	include: string[];
	/** No addresses that contain one of these. */
	exclude: string[];
}

/** A page that a crawl has found, and all that the service says of it. */
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

/** May take minutes. Nothing says that a second one of the same address does no harm. */
export function crawlRequest(url: string, { maxDepth, maxPages, include, exclude }: CrawlSettings) {
	return {
		method: 'POST' as const,
		url: `${WEBSITES}/scrape`,
		headers: JSON_BODY,
		body: { url, maxDepth, maxPages, include, exclude },
	};
}

/** The status of a crawl, of which only `completed` is documented; the answer does not hold the website's ID. */
export const readCrawl = answerWith(shape({ status: optional(text) }));

/** The maximum that is documented. */
const FOUND_PER_ANSWER = 100;

const readFoundPages = pageOf<WebsitePage>(
	whole(shape({ urlId: id, url: text, title: optional(text), status: optional(anyText) })),
	'cursor',
	FOUND_PER_ANSWER,
);

/**
 * The pages of a website, newest first.
 *
 * @param parentId Of the website: one that can be part of an address.
 * @param part How many are enough, and their statuses: who relies on these looks at each page, too.
 */
export function websitePages(
	client: ApiClient,
	parentId: string,
	part: { statuses?: string[]; limit?: number } = {},
): AsyncGenerator<ListPage<WebsitePage>> {
	const { statuses = [], limit = Infinity } = part;
	const isAny = statuses.length === 0;
	// The service filters by one, if at all.
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

/** Lets the service read the pages that were found. A 404 means that there is none to read, or no such website. */
export function processRequest(parentId: string) {
	return {
		method: 'POST' as const,
		url: `${foundAt(parentId)}/process`,
		headers: JSON_BODY,
		body: { exclude: [] },
	};
}

/** How many pages the service has taken up. */
export const readProcessed = answerWith(shape({ urlsProcessed: number }));

/** CometChat documents no maximum. */
const PAGES_PER_RETRY = 100;

/**
 * Lets CometChat index pages again. A repeated request does no harm. An empty list is never sent: CometChat's pages
 * disagree about its meaning.
 *
 * @returns How many pages CometChat indexes again.
 */
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

/** How many pages CometChat indexes again. Undefined for a bare success, which does not report it. */
const readRetried: Shape<number> = (body) => {
	const found = retried(body);
	return found?.urlsProcessed ?? found?.processedUrls?.length;
};

const PAGE_FAILED =
	"CometChat couldn't index the page and doesn't report why. If the page opens in a browser without signing in, use 'Document: Retry Indexing' for the website.";

/** What a person looks for, in that order. @param uniqueId Of the website. */
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

/** What a request that was carried out says of it. */
function answerWith<T>(data: Shape<T>): Shape<T> {
	const read = shape({ data });
	return (body: Json | undefined) => (success(body) ? read(body)?.data : undefined);
}
