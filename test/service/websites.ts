import { behindCursor, BY_CURSOR, cursorOf, cutPage, newestFirst, type Place } from './lists';
import { type Records, type RecordType, type Source, uuid } from './records';
import { type Answer, badRequest, KNOWLEDGE_BASE, refused, route } from './routes';
import type { ServiceOptions } from './service';
import { flag, type Given, list, number, oneOf, optional, text } from './shapes';

/** A page of the web, as a crawler would find it. */
export interface SitePage {
	/** May be a path, which leads on from the site's address. */
	url: string;
	/** Its address if left out. */
	title?: string;
	/** A sentence with its address if left out. */
	content?: string;
	/** How many links lead there from the start; 0 if left out. */
	depth?: number;
	/** How many times reading it fails, `Infinity` for always; 0 if left out. */
	fails?: number;
	/** How long reading it takes; left out: as long as any other page. */
	takesMs?: number;
}

export interface Site {
	/** In the order in which they are found; none: the address is there, and nothing can be found. */
	pages: SitePage[];
	/** Addresses. Left out: the site has no sitemap. */
	sitemap?: string[];
}

/** What is out there, by the address of a page to start from, or by origin for all its addresses. */
export type Sites = Record<string, Site>;

export interface WebsiteOptions {
	/** What a crawl can find; an address that is not there is refused with 400. Left out: none is there. */
	sites?: Sites;
	/** Pages of the websites of the start, newest first, by the ID of the record. */
	found?: Record<string, FoundSeed[]>;
	crawling?: CrawlingOptions;
}

export interface CrawlingOptions {
	/** How long the crawl of links takes; 0 if left out. */
	ms?: number;
	/** Whether it is answered at once, as "processing", and the pages come bit by bit. */
	answersEarly?: boolean;
	/** How long the reading of one page takes; 20 if left out. */
	processMs?: number;
	/** Whether a crawl finds all pages but the first, and says that it failed. */
	breaksOff?: boolean;
	/** Whether found pages are read without being asked for. */
	indexesAtOnce?: boolean;
	recordType?: Exclude<RecordType, 'uploads' | 'text-details'>;
	/** How the record spells the address. */
	sourceName?: 'asGiven' | 'withoutSlash';
	/** The address of the record where the site redirects to another one. */
	listedAs?: string;
	/** Whether another crawl of the address makes the pages of the same record new, or a second record. */
	secondScrape?: 'refresh' | 'second';
	/** How long the list of records does not show the record; 0 if left out. */
	listedAfterMs?: number;
	/** How long the list of pages does not show the pages; 0 if left out. */
	pagesAfterMs?: number;
	/** What the list of pages does with a status to filter by. */
	statusFilter?: 'apply' | 'ignore';
}

type UrlStatus = 'discovered' | 'processing' | 'processed' | 'failed' | 'skipped';

/** A page to start with. It stays as it is until it is to be read. */
export interface FoundSeed extends Omit<SitePage, 'depth'> {
	urlId: string;
	/** 'discovered' if left out. */
	status?: UrlStatus;
	retryCount?: number;
}

/** A page of a website; as a `Place`, when it was found, and which one it was. */
interface Found extends Place, Required<Omit<FoundSeed, 'takesMs'>> {
	takesMs?: number;
	/** Whether it was not chosen when others were. */
	isLeftOut: boolean;
	/** How many times it was to be read, and the last time until when, in Unix milliseconds. */
	reads: number;
	readAtMs?: number;
}

export interface Website {
	url: string;
	/** How many crawls have filled it. */
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
	fetchSitemap: optional(flag),
};
type CrawlRequest = Given<typeof CRAWL>;

/** The websites of the app, and the pages that were found there. */
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
		// What was not read yet, but for what is left out. Whether it reads others again is not documented.
		route('processUrls', `POST ${FOUND}/process`, { exclude: list(text()) }, (asked) => {
			const { exclude } = asked.given;
			const all = this.found(asked.uniqueId);
			const open = all.filter(({ status }) => status === 'discovered').map(({ urlId }) => urlId);
			const read = open.filter((id) => !exclude.includes(id));
			return this.begin(asked.uniqueId, read, exclude, { totalUrls: all.length });
		}),
		// Unless they were left out. Of none: all that failed in the newest documentation, 400 in an older one.
		route('retryUrls', `PATCH ${FOUND}/sync`, { uniqueIds: list(text(), 1) }, (asked) => {
			const { uniqueIds } = asked.given;
			const named = this.found(asked.uniqueId).filter(({ urlId }) => uniqueIds.includes(urlId));
			const read = named.filter(({ isLeftOut }) => !isLeftOut).map(({ urlId }) => urlId);
			const counts = { totalRequested: uniqueIds.length, excludedUrls: named.length - read.length };
			return this.begin(asked.uniqueId, read, [], { ...counts, processedUrls: read });
		}),
	];

	/** Never starts anew, so that no ID is given twice in a stand-in's life. */
	private count = 0;

	constructor(
		private readonly records: Records,
		private readonly options: ServiceOptions,
	) {
		this.reset();
	}

	/** The records are as at the start again. */
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

	/** Those whose pages are known, newest first; the pages in the order in which they were found. */
	all() {
		return this.records.listed().flatMap(({ record: { uniqueId }, website }) => {
			const pages = this.found(uniqueId).map(({ urlId, url, title, content, status, reads }) => {
				return { urlId, url, title, content, status, reads };
			});
			return website ? [{ uniqueId, url: website.url, scrapes: website.scrapes, pages }] : [];
		});
	}

	/** What can be read of it: the text of each of its pages. */
	contents(uniqueId: string): string[] {
		const read = this.found(uniqueId).filter(({ status }) => status === 'processed');
		return read.map(({ content }) => content);
	}

	/** Finds the pages of a site, and keeps them. */
	private crawl(asked: CrawlRequest): Answer {
		const { sites = {}, crawling = {} } = this.options;
		const { url } = asked;
		if (!/^https?:\/\/[^/]/.test(url) || !URL.canParse(url)) throw badRequest('Invalid URL format');
		const names = [url, withoutSlash(url), `${withoutSlash(url)}/`, new URL(url).origin];
		const site = names.map((name) => sites[name]).find((one) => one !== undefined);
		if (site === undefined) throw badRequest(`Failed to scrape website: ${url}`);
		const startedMs = Date.now();
		const { ms = 0, answersEarly = false, breaksOff = false } = crawling;
		const urls = (asked.fetchSitemap ? site.sitemap : undefined) ?? [];
		const sitemap = { found: urls.length > 0, totalUrls: urls.length, urls };
		const status = breaksOff ? 'failed' : answersEarly ? 'processing' : 'completed';
		const pages = findPages(site, asked).slice(breaksOff ? 1 : 0);
		return {
			ms: answersEarly ? undefined : ms,
			body: () => ({ success: true, data: { status, sitemap } }),
			change: () => this.keep(url, pages, startedMs),
		};
	}

	/** Each page from its moment on. @param startedMs When the crawl began: Unix time in milliseconds. */
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

	/** The pages that were found until now, oldest first, each with its status. */
	private found(uniqueId: string): Found[] {
		const nowMs = Date.now();
		const { found = [] } = this.records.get(uniqueId)?.website ?? {};
		return found
			.filter(({ createdAt }) => createdAt <= nowMs)
			.map((page) => ({ ...page, status: statusOf(page, nowMs) }));
	}

	/** Has pages read, and leaves others out for good. */
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

	/** Unless that is under way. */
	private read(page: Found): void {
		const nowMs = Math.max(Date.now(), page.createdAt);
		if (page.readAtMs !== undefined && page.readAtMs > nowMs) return;
		if (page.reads > 0 || page.status === 'failed') page.retryCount += 1;
		page.reads += 1;
		page.isLeftOut = false;
		page.readAtMs = nowMs + (page.takesMs ?? this.options.crawling?.processMs ?? 20);
	}
}

/** The pages that a crawl finds, with whole addresses. */
function findPages(site: Site, asked: CrawlRequest): SitePage[] {
	const { url, maxDepth = 3, maxPages = 100, include = [], exclude = [] } = asked;
	return site.pages
		.map((page) => ({ ...page, url: new URL(page.url, url).href }))
		.filter(({ depth = 0 }) => depth <= maxDepth)
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

/** What the record of a website shows. One of the start stays as it is until pages are to be read. */
export function stateOf({ found, scrapes, scrapedMs }: Website, asOfMs: number) {
	if (scrapes === 0 && found.every(({ reads }) => reads === 0)) return {};
	const statuses = found.map((page) => statusOf(page, asOfMs));
	const isRead = statuses.some((status) => status === 'processed' || status === 'failed');
	if (!isRead || statuses.includes('processing'))
		return { status: 'indexing' as const, updatedAt: scrapedMs };
	const status = statuses.includes('processed') ? ('indexed' as const) : ('failed' as const);
	return { status, updatedAt: Math.max(...found.map(({ readAtMs }) => readAtMs ?? scrapedMs)) };
}

/** A page as the list of them shows it. */
function shown({ urlId, url, title, content, status, readAtMs, retryCount, createdAt }: Found) {
	const isOver = status === 'processed' || status === 'failed';
	const atMs = (isOver ? readAtMs : undefined) ?? createdAt;
	const times = { lastCrawledAt: atMs, createdAt, updatedAt: atMs };
	return { urlId, url, title, content: content.slice(0, 500), status, retryCount, ...times };
}
