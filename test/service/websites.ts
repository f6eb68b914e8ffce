import { behindCursor, BY_CURSOR, cursorOf, cutPage, newestFirst, type Place } from './lists';
import { type Records, type RecordType, type Source, uuid } from './records';
import { type Answer, badRequest, KNOWLEDGE_BASE, refused, route } from './routes';
import type { ServiceOptions } from './service';
import { type Given, list, number, oneOf, optional, text } from './shapes';

/** A page on the web, as a crawler would find it. */
export interface SitePage {
	/** A URL, or a path of the website. */
	url: string;
	/** The URL if left out. */
	title?: string;
	/** A sentence with the URL if left out. */
	content?: string;
	/** The number of failed indexings, `Infinity` for all; 0 if left out. */
	fails?: number;
	/** The time for indexing; left out: the usual time. */
	takesMs?: number;
}

export interface Site {
	/** In the order in which they are found. Empty: the URL exists, but nothing is found. */
	pages: SitePage[];
}

/** The websites on the web, by the start URL, or by origin for all its URLs. */
export type Sites = Record<string, Site>;

export interface WebsiteOptions {
	/** The websites that can be crawled; a missing URL is refused with 400. Left out: none. */
	sites?: Sites;
	/** The pages of the websites at the start, newest first, by the ID of the record. */
	found?: Record<string, FoundSeed[]>;
	crawling?: CrawlingOptions;
}

export interface CrawlingOptions {
	/** The time of a crawl; 0 if left out. */
	ms?: number;
	/** Whether the response is immediate ("processing"), and the pages appear one after another. */
	answersEarly?: boolean;
	/** The time for indexing a page; 20 if left out. */
	processMs?: number;
	/** Whether a crawl finds all pages but the first, and reports a failure. */
	breaksOff?: boolean;
	/** Whether found pages are indexed without a request. */
	indexesAtOnce?: boolean;
	recordType?: Exclude<RecordType, 'uploads' | 'text-details'>;
	/** The spelling of the URL in the record. */
	sourceName?: 'asGiven' | 'withoutSlash';
	/** The URL in the record if the website redirects to another URL. */
	listedAs?: string;
	/** Whether another crawl of the URL renews the pages of the record, or makes a second record. */
	secondScrape?: 'refresh' | 'second';
	/** The delay until the record is listed; 0 if left out. */
	listedAfterMs?: number;
	/** The delay until the pages are listed; 0 if left out. */
	pagesAfterMs?: number;
	/** Whether the list of pages is filtered by status. */
	statusFilter?: 'apply' | 'ignore';
}

type UrlStatus = 'discovered' | 'processing' | 'processed' | 'failed' | 'skipped';

/** A page at the start. It stays unchanged until it is indexed. */
export interface FoundSeed extends SitePage {
	urlId: string;
	/** 'discovered' if left out. */
	status?: UrlStatus;
	retryCount?: number;
}

/** A page of a website, with the time and order in which it was found. */
interface Found extends Place, Required<Omit<FoundSeed, 'takesMs'>> {
	takesMs?: number;
	isLeftOut: boolean;
	/** The number of indexings, and the end of the last indexing in Unix milliseconds. */
	reads: number;
	readAtMs?: number;
}

export interface Website {
	url: string;
	scrapes: number;
	scrapedMs: number;
	/** Oldest first. */
	found: Found[];
}

const SITES = `${KNOWLEDGE_BASE}/website`;
const FOUND = `${SITES}/{uniqueId}/discovered-urls`;
const STATUS = oneOf('discovered', 'processing', 'processed', 'failed', 'skipped');
const CRAWL = {
	...{ url: text(), maxDepth: optional(number(1, 10)), maxPages: optional(number(1, 10_000)) },
	...{ include: optional(list(text())), exclude: optional(list(text())) },
};
type CrawlRequest = Given<typeof CRAWL>;

export class Websites {
	readonly routes = [
		route(
			'crawl',
			`POST ${SITES}/scrape`,
			CRAWL,
			({ given }) => this.crawl(given),
			({ url }) => [url],
		),
		// Newest first.
		route('discoveredUrls', `GET ${FOUND}`, { ...BY_CURSOR, status: optional(STATUS) }, (asked) => {
			const { uniqueId, given } = asked;
			this.records.known(uniqueId, 'website');
			const isIgnored = this.options.crawling?.statusFilter === 'ignore';
			const wanted = isIgnored ? undefined : given.status;
			const isWanted = ({ status }: Found) => status === (wanted ?? status);
			const placeOf = (page: Found) => ({ cursor: cursorOf(page) });
			const body = () => {
				const found = this.found(uniqueId).filter(isWanted).sort(newestFirst);
				const { data, meta } = cutPage(behindCursor(found, given.cursor), given.limit, placeOf);
				return { data: data.map(shown), meta };
			};
			return { body };
		}),
		// Indexes new pages, except for excluded pages. Whether others are indexed again is not documented.
		route('processUrls', `POST ${FOUND}/process`, { exclude: list(text()) }, (asked) => {
			const { exclude } = asked.given;
			const all = this.found(asked.uniqueId);
			const open = all.filter(({ status }) => status === 'discovered').map(({ urlId }) => urlId);
			const read = open.filter((id) => !exclude.includes(id));
			return this.begin(asked.uniqueId, read, exclude, { totalUrls: all.length });
		}),
		// An empty list means all failed pages in the newest documentation, and 400 in an older page.
		route('retryUrls', `PATCH ${FOUND}/sync`, { uniqueIds: list(text(), 1) }, (asked) => {
			const { uniqueIds } = asked.given;
			const named = this.found(asked.uniqueId).filter(({ urlId }) => uniqueIds.includes(urlId));
			const read = named.filter(({ isLeftOut }) => !isLeftOut).map(({ urlId }) => urlId);
			const counts = { totalRequested: uniqueIds.length, excludedUrls: named.length - read.length };
			return this.begin(asked.uniqueId, read, [], { ...counts, processedUrls: read });
		}),
	];

	/** Never reset, so that no ID is used twice. */
	private count = 0;

	constructor(
		private readonly records: Records,
		private readonly options: ServiceOptions,
	) {
		this.reset();
	}

	reset(): void {
		for (const [uniqueId, seeds] of Object.entries(this.options.found ?? {})) {
			const source = this.records.known(uniqueId);
			const { sourceName: url, createdAt } = source.record;
			const found = seeds.map((page, at) =>
				this.find(page, createdAt + seeds.length - at, page.urlId),
			);
			source.website = { url, scrapes: 0, scrapedMs: createdAt, found: found.reverse() };
		}
	}

	/** Returns the websites with known pages, newest first. Pages are in the order in which they were found. */
	all() {
		return this.records.listed().flatMap(({ record: { uniqueId }, website }) => {
			const pages = this.found(uniqueId).map(({ urlId, url, title, content, status, reads }) => {
				return { urlId, url, title, content, status, reads };
			});
			return website ? [{ uniqueId, url: website.url, scrapes: website.scrapes, pages }] : [];
		});
	}

	contents(uniqueId: string): string[] {
		const read = this.found(uniqueId).filter(({ status }) => status === 'processed');
		return read.map(({ content }) => content);
	}

	private crawl(asked: CrawlRequest): Answer {
		const { sites = {}, crawling = {} } = this.options;
		const { url } = asked;
		if (!/^https?:\/\/[^/]/.test(url) || !URL.canParse(url)) throw badRequest('Invalid URL format');
		const names = [url, withoutSlash(url), `${withoutSlash(url)}/`, new URL(url).origin];
		const site = names.map((name) => sites[name]).find((one) => one !== undefined);
		if (site === undefined) throw badRequest(`Failed to scrape website: ${url}`);
		const startedMs = Date.now();
		const { ms = 0, answersEarly = false, breaksOff = false } = crawling;
		const status = breaksOff ? 'failed' : answersEarly ? 'processing' : 'completed';
		const pages = findPages(site, asked).slice(breaksOff ? 1 : 0);
		return {
			ms: answersEarly ? undefined : ms,
			body: () => ({ success: true, data: { status } }),
			change: () => this.keep(url, pages, startedMs),
		};
	}

	/** Stores each page, with its own time. @param startedMs The start of the crawl in Unix milliseconds. */
	private keep(url: string, pages: SitePage[], startedMs: number): void {
		const { ms = 0, pagesAfterMs = 0, indexesAtOnce, secondScrape } = this.options.crawling ?? {};
		const isSame = ({ website }: Source) =>
			website !== undefined && withoutSlash(website.url) === withoutSlash(url);
		const same = secondScrape === 'second' ? undefined : this.records.all().findLast(isSame);
		const source = same ?? this.add(url);
		const { scrapes = 0, found: known = [] } = source.website ?? {};
		const before = new Map(known.map((page) => [page.url, page.urlId]));
		const found = pages.map((page, index) => {
			const foundMs = startedMs + Math.floor((ms * index) / pages.length);
			const atMs = pagesAfterMs > 0 ? startedMs + ms + pagesAfterMs : foundMs;
			return this.find(page, atMs, before.get(page.url));
		});
		source.website = { url, scrapes: scrapes + 1, scrapedMs: Date.now(), found };
		if (indexesAtOnce) found.forEach((page) => this.read(page));
	}

	private add(url: string): Source {
		const { crawling = {} } = this.options;
		const {
			recordType: type = 'website',
			sourceName = 'asGiven',
			listedAfterMs = 0,
			listedAs,
		} = crawling;
		const spelled = { asGiven: url, withoutSlash: withoutSlash(url) }[sourceName];
		const record = this.records.prepare({
			sourceName: listedAs ?? spelled,
			type,
			status: 'indexing',
		});
		return this.records.add(record, record.createdAt + listedAfterMs);
	}

	private find(page: Omit<FoundSeed, 'urlId'>, createdAt: number, known?: string): Found {
		this.count += 1;
		const { url, title = url, content = `The text of ${url}.`, fails = 0, takesMs } = page;
		const { status = 'discovered', retryCount = 0 } = page;
		const urlId = known ?? uuid(0xf000_0000 + this.count);
		const life = { status, isLeftOut: status === 'skipped', reads: 0, retryCount };
		const itself = { urlId, url, title, content, fails, takesMs };
		return { ...itself, ...life, createdAt, sequence: this.count };
	}

	/** Returns the pages that were found until now, oldest first, with their statuses. */
	private found(uniqueId: string): Found[] {
		const nowMs = Date.now();
		const { found = [] } = this.records.get(uniqueId)?.website ?? {};
		return found
			.filter(({ createdAt }) => createdAt <= nowMs)
			.map((page) => ({ ...page, status: statusOf(page, nowMs) }));
	}

	/** Starts indexing of pages, and excludes others permanently. */
	private begin(uniqueId: string, read: string[], leftOut: string[], counts: object): Answer {
		if (read.length === 0)
			throw refused(404, 'ERR_KB_NOT_FOUND', 'No valid discovered URLs found for processing');
		const data = { urlsProcessed: read.length, ...counts, status: 'processing' };
		const change = () => {
			for (const page of this.records.get(uniqueId)?.website?.found ?? []) {
				if (leftOut.includes(page.urlId))
					Object.assign(page, { status: 'skipped', isLeftOut: true });
				if (read.includes(page.urlId)) this.read(page);
			}
		};
		return { body: () => ({ success: true, data }), change };
	}

	/** Starts indexing of a page that is not being indexed. */
	private read(page: Found): void {
		const nowMs = Math.max(Date.now(), page.createdAt);
		if (page.readAtMs !== undefined && page.readAtMs > nowMs) return;
		if (page.reads > 0 || page.status === 'failed') page.retryCount += 1;
		page.reads += 1;
		page.isLeftOut = false;
		page.readAtMs = nowMs + (page.takesMs ?? this.options.crawling?.processMs ?? 20);
	}
}

function findPages(site: Site, asked: CrawlRequest): SitePage[] {
	const { url, maxPages = 100, include = [], exclude = [] } = asked;
	return site.pages
		.map((page) => ({ ...page, url: new URL(page.url, url).href }))
		.filter((page) => include.length === 0 || include.some((part) => page.url.includes(part)))
		.filter((page) => !exclude.some((part) => page.url.includes(part)))
		.slice(0, maxPages);
}

function withoutSlash(url: string): string {
	return url.replace(/\/$/, '');
}

function statusOf({ readAtMs, status, reads, fails }: Found, asOfMs: number): UrlStatus {
	if (readAtMs === undefined) return status;
	if (asOfMs < readAtMs) return 'processing';
	return reads <= fails ? 'failed' : 'processed';
}

/** Returns the record's fields of a website. At the start, it is unchanged until pages are indexed. */
export function stateOf({ found, scrapes, scrapedMs }: Website, asOfMs: number) {
	if (scrapes === 0 && found.every(({ reads }) => reads === 0)) return {};
	const statuses = found.map((page) => statusOf(page, asOfMs));
	const isRead = statuses.some((status) => status === 'processed' || status === 'failed');
	if (!isRead || statuses.includes('processing'))
		return { status: 'indexing' as const, updatedAt: scrapedMs };
	const status = statuses.includes('processed') ? ('indexed' as const) : ('failed' as const);
	return { status, updatedAt: Math.max(...found.map(({ readAtMs }) => readAtMs ?? scrapedMs)) };
}

function shown({ urlId, url, title, content, status, readAtMs, retryCount, createdAt }: Found) {
	const isOver = status === 'processed' || status === 'failed';
	const atMs = (isOver ? readAtMs : undefined) ?? createdAt;
	const times = { lastCrawledAt: atMs, createdAt, updatedAt: atMs };
	return { urlId, url, title, content: content.slice(0, 500), status, retryCount, ...times };
}
