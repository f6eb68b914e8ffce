import type { Answer } from './answer';
import { readIds } from './given';
import type { Holdings } from './holdings';
import type { ReceivedRequest } from './log';
import { readCursor, readPageRequest } from './page';
import { sourceTypeOf } from './records';
import type { Envelope } from './refusal';
import { badRequest, noSuchFile, refuse } from './refusal';
import { findPages, readCrawlRequest, siteAt } from './sites';
import type { CrawlingOptions, WebsiteOptions } from './websites';

type Holds = Pick<Holdings, 'records' | 'websites'>;

const CALLBACK = 'https://callback.invalid/firecrawl';

/** Finds the pages of a site, and keeps them. */
export function crawl(
	{ body }: ReceivedRequest,
	{ websites }: Holds,
	{ sites = {}, crawling = {} }: WebsiteOptions,
): Answer {
	const asked = readCrawlRequest(body);
	if (!isAddress(asked.url)) return refuse(badRequest('Invalid URL format'));
	const site = siteAt(asked.url, sites);
	if (site === undefined) return refuse(badRequest(`Failed to scrape website: ${asked.url}`));
	const startedMs = Date.now();
	const { ms = 0, answersEarly = false } = crawling;
	const urls = (asked.fetchSitemap ? site.sitemap : undefined) ?? [];
	const found = urls.length > 0;
	const sitemap = {
		...{ found, url: found ? `${new URL(asked.url).origin}/sitemap.xml` : '' },
		...{ totalUrls: urls.length, urls, lastModified: '' },
	};
	const status = answersEarly ? 'processing' : 'completed';
	const data = { crawlId: `crawl-${startedMs}`, crawlDuration: ms, status, sitemap };
	return {
		status: 200,
		ms: answersEarly ? undefined : ms,
		body: () => ({ success: true, message: 'Website crawled successfully', data }),
		change: () => websites.keep(asked, findPages(site, asked), startedMs),
	};
}

export function listFound(
	{ path, uniqueId = '' }: ReceivedRequest,
	{ records, websites }: Holds,
	{ unknownWebsite = 'refuse' }: CrawlingOptions,
	envelope: Envelope,
): Answer {
	const isUnknown = !isWebsite(uniqueId, records);
	if (isUnknown && unknownWebsite === 'refuse') return refuse(noSuchFile(uniqueId, envelope));
	const query = new URLSearchParams(path.split('?')[1]);
	const status = query.get('status') ?? undefined;
	const asked = { ...readPageRequest(query), status, cursor: readCursor(query) };
	const body = () => {
		const { data, meta } = websites.page(uniqueId, asked);
		return { data: data.map(shown), meta };
	};
	return { status: 200, body };
}

type Found = ReturnType<Holdings['websites']['found']>[number];

function shown({ urlId, url, title, content, status, reading, retryCount, createdAt }: Found) {
	const isRead = status === 'processed';
	const atMs = isRead || status === 'failed' ? (reading?.atMs ?? createdAt) : createdAt;
	return {
		...{ urlId, url, title, description: '', content: content.slice(0, 500), status },
		...{ lastCrawledAt: atMs, retryCount, createdAt, updatedAt: atMs },
		vectorizationStatus: isRead ? 'completed' : 'pending',
		...{ chunksCreated: isRead ? 1 : 0, embeddingsGenerated: isRead ? 1 : 0 },
	};
}

/** Reads what was not read yet, but for what is left out. Whether it reads others again is not documented. */
export function processFound(
	{ body, uniqueId = '' }: ReceivedRequest,
	{ websites }: Holds,
	envelope: Envelope,
): Answer {
	const leftOut = readIds(body, 'exclude') ?? [];
	const all = websites.found(uniqueId);
	const open = all.filter(({ status }) => status === 'discovered');
	const read = open.map(({ urlId }) => urlId).filter((id) => !leftOut.includes(id));
	if (read.length === 0) {
		const refused = noSuchFile(uniqueId, envelope);
		return refuse({ ...refused, message: 'No valid discovered URLs found for processing' });
	}
	const counts = { urlsProcessed: read.length, totalUrls: all.length };
	return {
		status: 200,
		body: () => begun('batch', counts),
		change: () => websites.process(uniqueId, { read, leftOut }),
	};
}

/** Reads pages again, unless they were left out. That it asks for a failure is not documented. */
export function retryFound(
	{ body, uniqueId = '' }: ReceivedRequest,
	{ websites }: Holds,
	envelope: Envelope,
): Answer {
	const asked = readIds(body, 'uniqueIds') ?? [];
	if (asked.length === 0) return refuse(badRequest('uniqueIds must not be empty'));
	const named = websites.found(uniqueId).filter(({ urlId }) => asked.includes(urlId));
	const excluded = named.filter(({ isLeftOut }) => isLeftOut);
	const read = named.filter(({ isLeftOut }) => !isLeftOut).map(({ urlId }) => urlId);
	if (read.length === 0) return refuse(noSuchFile(uniqueId, envelope));
	const counts = { urlsProcessed: read.length, totalRequested: asked.length };
	return {
		status: 200,
		body: () =>
			begun('sync-batch', { ...counts, excludedUrls: excluded.length, processedUrls: read }),
		change: () => websites.process(uniqueId, { read, leftOut: [] }),
	};
}

export function pollFound({ body, uniqueId = '' }: ReceivedRequest, { websites }: Holds): Answer {
	const asked = readIds(body, 'uniqueId') ?? [];
	const data = () =>
		Object.fromEntries(
			websites
				.found(uniqueId)
				.filter(({ urlId }) => asked.includes(urlId))
				.map(({ urlId, status }) => [urlId, status]),
		);
	return { status: 200, body: () => ({ success: true, data: data() }) };
}

function begun(name: string, counts: object) {
	const batch = { batchId: `${name}-${Date.now()}`, webhookUrl: CALLBACK, status: 'processing' };
	return { success: true, message: 'Processing started', data: { ...batch, ...counts } };
}

function isWebsite(uniqueId: string, records: Holds['records']): boolean {
	const type = records.get(uniqueId)?.type;
	return type !== undefined && sourceTypeOf(type) === 'website';
}

function isAddress(url: string): boolean {
	return /^https?:\/\/[^/]/.test(url) && URL.canParse(url);
}
