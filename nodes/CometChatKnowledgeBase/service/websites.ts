import { isWhole } from '../account/redaction';
import type { Fields } from '../results/itemResult';
import { fieldsOf } from '../results/itemResult';
import { readableTime } from '../values/times';
import { isRecord } from '../values/userError';
import type { ApiClient } from './apiClient';
import { id, list, success } from './shape';
import { JSON_BODY, KNOWLEDGE_BASE } from './documents';
import type { ListPage, OnCut } from './wholeList';
import { pagesOf, readNext, readWholeList } from './wholeList';
import type { Json } from '../values/json';

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

/** What the answer to a crawl tells; the ID of the website is not among it. */
export interface Crawl {
	/** Only `completed` is documented. */
	status?: string;
}

/** A page that a crawl has found, and all that the service says of it. */
export interface FoundPage extends Fields {
	urlId: string;
	url: string;
	title?: string;
	status?: string;
}

/** Which pages the service has taken up to be read again. */
export interface Retried {
	/** Undefined if the answer does not name them. */
	takenIds?: string[];
	taken?: number;
}

export const PAGE_STATUSES = [
	{ name: 'Discovered', value: 'discovered' },
	{ name: 'Failed', value: 'failed' },
	{ name: 'Processed', value: 'processed' },
	{ name: 'Processing', value: 'processing' },
	{ name: 'Skipped', value: 'skipped' },
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

export function readCrawl(body: Json | undefined): Crawl | undefined {
	const data = dataOf(body);
	if (data === undefined) return undefined;
	const { status } = data;
	return { status: typeof status === 'string' ? status : undefined };
}

/** The maximum that is documented. */
const FOUND_PER_ANSWER = 100;

interface FoundPagesQuery {
	cursor?: string;
	limit?: number;
	status?: string;
}

/** @param parentId Of the website: one that can be part of an address, here and below. */
export function foundPagesRequest(
	parentId: string,
	{ cursor, limit = FOUND_PER_ANSWER, status }: FoundPagesQuery = {},
) {
	return {
		method: 'GET' as const,
		url: foundAt(parentId),
		qs: {
			limit,
			...(cursor === undefined ? {} : { affix: 'append', cursor }),
			...(status === undefined ? {} : { status }),
		},
	};
}

/** Undefined if the body is no list of pages, or one of them has no ID or address. */
export function readFoundPages(body: Json | undefined): ListPage<FoundPage> | undefined {
	if (!isRecord(body) || !Array.isArray(body.data)) return undefined;
	const entries: FoundPage[] = [];
	for (const entry of body.data) {
		if (!isRecord(entry)) return undefined;
		const { urlId, url, title, status } = entry;
		if (typeof urlId !== 'string' || urlId === '' || !isWhole(urlId)) return undefined;
		if (typeof url !== 'string' || url === '') return undefined;
		entries.push({
			...fieldsOf(entry),
			urlId,
			url,
			title: typeof title === 'string' && title !== '' ? title : undefined,
			status: typeof status === 'string' ? status : undefined,
		});
	}
	return { entries, next: readNext(body.meta, 'cursor', entries.length === FOUND_PER_ANSWER) };
}

/**
 * The pages of a website, newest first, up to a number of them.
 *
 * @param status The only one that counts, also where the service does not look at it.
 * @param fits Which of those count; left out: all.
 */
export async function foundPages(
	client: ApiClient,
	parentId: string,
	{
		status,
		limit = Infinity,
		fits,
		onCut,
	}: {
		status?: string;
		limit?: number;
		fits?: (page: FoundPage) => boolean;
		onCut?: OnCut;
	} = {},
): Promise<FoundPage[]> {
	const isAny = status === undefined && fits === undefined;
	const pages = pagesOf(
		async (cursor, found) => {
			const wanted = isAny ? Math.min(limit - found, FOUND_PER_ANSWER) : FOUND_PER_ANSWER;
			const request = foundPagesRequest(parentId, { cursor, limit: wanted, status });
			return await client.call(request, readFoundPages, { about: 'website' });
		},
		({ urlId }) => urlId,
	);
	return await readWholeList(pages, {
		...(!isAny && {
			fits: (page) => (status ?? page.status) === page.status && (fits?.(page) ?? true),
		}),
		limit,
		onCut,
	});
}

/**
 * Lets the service read the pages that were found, but for these. A 404 means that there is none to read,
 * or no such website.
 */
export function processRequest(parentId: string, excludedUrlIds: string[]) {
	return {
		method: 'POST' as const,
		url: `${foundAt(parentId)}/process`,
		headers: JSON_BODY,
		body: { exclude: excludedUrlIds },
	};
}

/** How many pages the service has taken up; undefined if it does not say. */
export function readProcessed(body: Json | undefined): number | undefined {
	return numberOf(dataOf(body)?.urlsProcessed);
}

/**
 * Lets the service read pages again.
 *
 * @param urlIds Never none: one of the service's pages says that this means all that failed, an older one
 *   that it is refused.
 */
export function retryPagesRequest(parentId: string, urlIds: string[]) {
	return {
		method: 'PATCH' as const,
		url: `${foundAt(parentId)}/sync`,
		headers: JSON_BODY,
		body: { uniqueIds: urlIds },
	};
}

/** Undefined, too, for a bare success: it does not say what was taken up. */
export function readRetried(body: Json | undefined): Retried | undefined {
	const data = dataOf(body);
	const takenIds = list(id)(data?.processedUrls);
	const taken = numberOf(data?.urlsProcessed);
	return takenIds === undefined && taken === undefined ? undefined : { takenIds, taken };
}

const PAGE_FAILED =
	'CometChat was not able to read it, and gives no reason. If a browser shows it without signing in, send it again with Website: Retry Pages.';

/** What a person looks for, in that order. @param uniqueId Of the website. */
export function simplifiedPage(page: FoundPage, uniqueId: string): Fields {
	const { urlId, url, title, status, lastCrawledAt, createdAt, updatedAt, retryCount } = page;
	const told: Fields = {
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
	return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined));
}

function foundAt(parentId: string): string {
	return `${WEBSITES}/${encodeURIComponent(parentId)}/discovered-urls`;
}

/** What a request that was carried out is answered with. */
function dataOf(body: Json | undefined): { [name: string]: Json } | undefined {
	if (success(body) === undefined || !isRecord(body)) return undefined;
	return isRecord(body.data) ? body.data : {};
}

function numberOf(value: Json | undefined): number | undefined {
	return typeof value === 'number' ? value : undefined;
}
