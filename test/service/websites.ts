import type { IndexingEnd } from './indexing';
import { Indexing } from './indexing';
import type { PageRequest } from './page';
import { cutPage } from './page';
import type { KnowledgeRecord, Records, RecordType } from './records';
import { uuid } from './records';
import type { CrawlRequest, SitePage, Sites } from './sites';
import { withoutSlash } from './sites';

/** What is undocumented about websites, and what is out there. Looked at with every answer. */
export interface WebsiteOptions {
	/** What a crawl can find; an address that is not there is refused with 400. Left out: none is there. */
	sites?: Sites;
	/** Pages of the websites of the start, newest first, by the ID of the record. */
	found?: Record<string, FoundSeed[]>;
	crawling?: CrawlingOptions;
}

export interface CrawlingOptions {
	/** How long the crawl of links takes, in milliseconds; 0 if left out. */
	ms?: number;
	/** Whether it is answered at once, as "processing", and the pages come bit by bit; false if left out. */
	answersEarly?: boolean;
	/** How long the reading of one page takes, in milliseconds; 20 if left out. */
	processMs?: number;
	/** How many pages are read at once, the others wait in line; `Infinity` if left out. */
	atOnce?: number;
	/** Whether found pages are read without being asked for; false if left out. */
	indexesAtOnce?: boolean;
	/** 'website' if left out. */
	recordType?: Exclude<RecordType, 'uploads' | 'text-details'>;
	/** How the record spells the address; 'asGiven' if left out. */
	sourceName?: 'asGiven' | 'withSlash' | 'withoutSlash';
	/**
	 * What another crawl of the address makes. 'refresh', if left out: the same record, whose pages are to
	 * be read anew; 'second': a second record.
	 */
	secondScrape?: 'refresh' | 'second';
	/** How long the list of records does not show the record, in milliseconds; 0 if left out. */
	listedAfterMs?: number;
	/** The status of a page that was not chosen; 'skipped' if left out. */
	excluded?: 'skipped' | 'discovered';
	/** The status of the record before any page is to be read; 'indexing' if left out. */
	parentBefore?: 'indexing' | 'inSync';
	/** The status of the record when its pages have been read; 'indexed' if left out. */
	ends?: 'indexed' | 'inSync';
	/** What looking at the pages of an unknown website gives; 'refuse' if left out: 404. */
	unknownWebsite?: 'refuse' | 'empty';
	/** What the list of pages does with a status to filter by; 'apply' if left out. */
	statusFilter?: 'apply' | 'ignore';
}

export type UrlStatus = 'discovered' | 'processing' | 'processed' | 'failed' | 'skipped';

/** A page to start with. It stays as it is until it is to be read. */
export interface FoundSeed {
	urlId: string;
	url: string;
	title?: string;
	content?: string;
	/** 'discovered' if left out. */
	status?: UrlStatus;
	retryCount?: number;
	/** As of a `SitePage`. */
	fails?: number;
}

/** A website, for a test to look at. */
export interface WebsiteShown {
	uniqueId: string;
	url: string;
	/** How many crawls have filled it. */
	scrapes: number;
	/** In the order in which they were found; `reads` is how many times it was to be read. */
	pages: Array<{ urlId: string; url: string; title: string; status: UrlStatus; reads: number }>;
}

/** A page of a website. Times are Unix times in milliseconds. */
interface Found {
	urlId: string;
	url: string;
	title: string;
	content: string;
	fails: number;
	/** Before it was ever to be read. */
	status: UrlStatus;
	reads: number;
	retryCount: number;
	reading?: IndexingEnd;
	/** When it was found, and which one it was. */
	createdAt: number;
	sequence: number;
}

interface Website {
	uniqueId: string;
	url: string;
	scrapes: number;
	scrapedMs: number;
	/** Oldest first. */
	found: Found[];
}

interface Cursor {
	createdAt: number;
	sequence: number;
}

export interface FoundRequest extends PageRequest {
	status?: string;
	cursor?: Cursor;
}

/** The websites of the app, and the pages that were found there. */
export class Websites {
	private readonly websites = new Map<string, Website>();
	private readonly line: Indexing;
	/** Never starts anew, so that no ID is given twice in a stand-in's life. */
	private count = 0;

	constructor(
		private readonly records: Records,
		private readonly options: WebsiteOptions,
	) {
		this.line = new Indexing({
			get ms() {
				return options.crawling?.processMs;
			},
			get atOnce() {
				return options.crawling?.atOnce;
			},
		});
	}

	reset(): void {
		this.websites.clear();
		this.line.reset();
	}

	all(): WebsiteShown[] {
		const ids = this.records.all().map(({ uniqueId }) => uniqueId);
		return ids.flatMap((id) => this.shown(this.get(id)) ?? []);
	}

	/** As it is now; undefined if there is none, or nothing of its pages is known. */
	get(uniqueId: string): Website | undefined {
		const known = this.websites.get(uniqueId);
		const record = this.records.get(uniqueId);
		const seeds = this.options.found?.[uniqueId];
		if (known !== undefined || record === undefined || seeds === undefined) return known;
		return this.seed(record, seeds);
	}

	/** What can be read of it: the text of each of its pages. */
	contents(uniqueId: string): string[] | undefined {
		const nowMs = Date.now();
		return this.get(uniqueId)
			?.found.filter((page) => this.statusOf(page, nowMs) === 'processed')
			.map(({ content }) => content);
	}

	/**
	 * Keeps what a crawl has found, each page from its moment on.
	 *
	 * @param startedMs When the crawl began: Unix time in milliseconds.
	 */
	keep({ url }: CrawlRequest, pages: SitePage[], startedMs: number): void {
		const website = this.refreshed(url) ?? this.second(url);
		const before = new Map(website.found.map((page) => [page.url, page]));
		const { ms = 0, indexesAtOnce } = this.options.crawling ?? {};
		website.scrapes += 1;
		website.scrapedMs = Date.now();
		website.found = pages.map((page, index) => {
			const atMs = startedMs + Math.floor((ms * index) / pages.length);
			return this.find(page, atMs, before.get(page.url));
		});
		this.records.follow(website.uniqueId, (asOfMs) => this.state(website, asOfMs));
		if (indexesAtOnce) website.found.forEach((page) => this.read(page));
	}

	remove(uniqueId: string): void {
		this.websites.delete(uniqueId);
	}

	/** The pages that were found until now, oldest first, each with its status. */
	found(uniqueId: string): Array<Found & { isLeftOut: boolean }> {
		const nowMs = Date.now();
		const { found = [] } = this.get(uniqueId) ?? {};
		return found
			.filter(({ createdAt }) => createdAt <= nowMs)
			.map((page) => {
				const isLeftOut = page.status === 'skipped' && page.reading === undefined;
				return { ...page, status: this.statusOf(page, nowMs), isLeftOut };
			});
	}

	/** Newest first. */
	page(uniqueId: string, { status, cursor, ...request }: FoundRequest) {
		const isAny = status === undefined || this.options.crawling?.statusFilter === 'ignore';
		const fitting = this.found(uniqueId).filter((page) => isAny || page.status === status);
		const age = cursor === undefined ? undefined : (one: Cursor) => newestFirst(one, cursor);
		const placeOf = ({ createdAt, sequence }: Cursor) => ({ cursor: `${createdAt}.${sequence}` });
		return cutPage(fitting.sort(newestFirst), request, placeOf, age);
	}

	/** Puts pages into the line, and leaves others out for good. */
	process(uniqueId: string, { read, leftOut }: { read: string[]; leftOut: string[] }): void {
		const website = this.get(uniqueId);
		if (website === undefined) return;
		for (const page of website.found) {
			if (leftOut.includes(page.urlId)) page.status = 'skipped';
			if (read.includes(page.urlId)) this.read(page);
		}
		this.records.follow(uniqueId, (asOfMs) => this.state(website, asOfMs));
	}

	private seed({ uniqueId, sourceName, createdAt }: KnowledgeRecord, seeds: FoundSeed[]): Website {
		const found = seeds.map((page, index) => ({
			...this.find(page, createdAt + seeds.length - index),
			...{ urlId: page.urlId, status: page.status ?? 'discovered' },
			retryCount: page.retryCount ?? 0,
		}));
		const times = { scrapes: 0, scrapedMs: createdAt };
		const website = { uniqueId, url: sourceName, ...times, found: found.reverse() };
		this.websites.set(uniqueId, website);
		return website;
	}

	private refreshed(url: string): Website | undefined {
		if (this.options.crawling?.secondScrape === 'second') return undefined;
		return [...this.websites.values()].find((one) => withoutSlash(one.url) === withoutSlash(url));
	}

	private second(url: string): Website {
		const {
			recordType: type = 'website',
			sourceName,
			listedAfterMs = 0,
		} = this.options.crawling ?? {};
		const spelled = {
			asGiven: url,
			withSlash: `${withoutSlash(url)}/`,
			withoutSlash: withoutSlash(url),
		}[sourceName ?? 'asGiven'];
		const record = this.records.prepare({ sourceName: spelled, type, status: 'indexing' });
		const { uniqueId, createdAt } = record;
		const website: Website = { uniqueId, url, scrapes: 0, scrapedMs: createdAt, found: [] };
		this.records.add(record, createdAt + listedAfterMs);
		this.websites.set(uniqueId, website);
		return website;
	}

	private find(page: SitePage, createdAt: number, before?: Found): Found {
		this.count += 1;
		const { url, title = url, content = `The text of ${url}.`, fails = 0 } = page;
		const life = { status: 'discovered' as const, reads: 0, retryCount: 0 };
		const urlId = before?.urlId ?? uuid(0xf000_0000 + this.count);
		return { urlId, url, title, content, fails, ...life, createdAt, sequence: this.count };
	}

	/** Puts a page into the line, unless it is there already. */
	private read(page: Found): void {
		const nowMs = Math.max(Date.now(), page.createdAt);
		if (page.reading !== undefined && page.reading.atMs > nowMs) return;
		if (page.reads > 0 || page.status === 'failed') page.retryCount += 1;
		page.reads += 1;
		const { atMs } = this.line.begin(page.urlId, page.url, nowMs);
		page.reading = { atMs, status: page.reads <= page.fails ? 'failed' : 'indexed' };
	}

	private statusOf({ reading, status }: Found, asOfMs: number): UrlStatus {
		if (reading === undefined)
			return status === 'skipped' ? (this.options.crawling?.excluded ?? status) : status;
		if (asOfMs < reading.atMs) return 'processing';
		return reading.status === 'failed' ? 'failed' : 'processed';
	}

	/** What the record of a website shows. */
	private state({ found, scrapedMs }: Website, asOfMs: number): Partial<KnowledgeRecord> {
		const { parentBefore = 'indexing', ends = 'indexed' } = this.options.crawling ?? {};
		const statuses = found.map((page) => this.statusOf(page, asOfMs));
		if (statuses.includes('processing')) return { status: 'indexing', updatedAt: scrapedMs };
		const isRead = statuses.some((status) => status === 'processed' || status === 'failed');
		if (!isRead) return { status: parentBefore, updatedAt: scrapedMs };
		const endsMs = found.map(({ reading }) => reading?.atMs ?? scrapedMs);
		const lastSynced = Math.max(...endsMs);
		const status = statuses.includes('processed') ? ends : 'failed';
		return { status, lastSynced, updatedAt: lastSynced };
	}

	private shown(website: Website | undefined): WebsiteShown | undefined {
		if (website === undefined) return undefined;
		const { uniqueId, url, scrapes } = website;
		const pages = this.found(uniqueId).map(({ urlId, url: address, title, status, reads }) => {
			return { urlId, url: address, title, status, reads };
		});
		return { uniqueId, url, scrapes, pages };
	}
}

/** Below 0 if the one comes first, being newer. */
function newestFirst(one: Cursor, other: Cursor): number {
	return other.createdAt - one.createdAt || other.sequence - one.sequence;
}
