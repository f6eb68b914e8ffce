import { behindCursor, BY_CURSOR, cursorOf, cutPage, newestFirst, type Place } from './lists';
import { type KnowledgeRecord, type Records, type RecordType, type Source, uuid } from './records';
import { type Answer, badRequest, KNOWLEDGE_BASE, refused, route } from './routes';
import type { ServiceOptions } from './service';
import { list, oneOf, optional, text } from './shapes';
import type { CrawlRequest, SitePage, Sites } from './sites';
import { CRAWL, findPages, siteAt, withoutSlash } from './sites';

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
	/** Whether found pages are read without being asked for. */
	indexesAtOnce?: boolean;
	recordType?: Exclude<RecordType, 'uploads' | 'text-details'>;
	/** How the record spells the address. */
	sourceName?: 'asGiven' | 'withSlash' | 'withoutSlash';
	/** Whether another crawl of the address makes the pages of the same record new, or a second record. */
	secondScrape?: 'refresh' | 'second';
	/** How long the list of records does not show the record; 0 if left out. */
	listedAfterMs?: number;
	/** The status of a page that was not chosen. */
	excluded?: 'skipped' | 'discovered';
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
interface Found extends Place, Required<Omit<SitePage, 'depth'>> {
	urlId: string;
	/** Before it was ever to be read. */
	status: UrlStatus;
	/** How many times it was to be read. */
	reads: number;
	retryCount: number;
	/** The last time: until when, in Unix milliseconds. */
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

/** For a test to look at; the pages in the order in which they were found. */
export type WebsiteShown = ReturnType<Websites['all']>[number];

const SITES = `${KNOWLEDGE_BASE}/website`;
const FOUND = `${SITES}/{uniqueId}/discovered-urls`;
const STATUS = oneOf('discovered', 'processing', 'processed', 'failed', 'skipped');

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
				const from = behindCursor(found, given.cursor);
				const { data, meta } = cutPage(found, placeOf, { limit: given.limit, from });
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
		route('pollUrls', `POST ${FOUND}/status/poll`, { uniqueId: list(text()) }, (asked) => {
			const isAsked = ({ urlId }: Found) => asked.given.uniqueId.includes(urlId);
			const found = () => this.found(asked.uniqueId).filter(isAsked);
			const statuses = () => found().map(({ urlId, status }) => [urlId, status]);
			return { body: () => ({ success: true, data: Object.fromEntries(statuses()) }) };
		}),
	];

	/** Never starts anew, so that no ID is given twice in a stand-in's life. */
	private count = 0;

	constructor(
		private readonly records: Records,
		private readonly options: ServiceOptions,
	) {}

	/** Those whose pages are known, newest first. */
	all() {
		return this.records.listed().flatMap(({ record: { uniqueId } }) => {
			const website = this.of(uniqueId);
			const pages = this.found(uniqueId).map(({ urlId, url, title, status, reads }) => {
				return { urlId, url, title, status, reads };
			});
			return website ? [{ uniqueId, url: website.url, scrapes: website.scrapes, pages }] : [];
		});
	}

	/** What can be read of it: the text of each of its pages; undefined if nothing of them is known. */
	contents(uniqueId: string): string[] | undefined {
		const read = this.found(uniqueId).filter(({ status }) => status === 'processed');
		return this.of(uniqueId) && read.map(({ content }) => content);
	}

	/** Finds the pages of a site, and keeps them. */
	private crawl(asked: CrawlRequest): Answer {
		const { sites = {}, crawling = {} } = this.options;
		const { url } = asked;
		if (!/^https?:\/\/[^/]/.test(url) || !URL.canParse(url)) throw badRequest('Invalid URL format');
		const site = siteAt(url, sites);
		if (site === undefined) throw badRequest(`Failed to scrape website: ${url}`);
		const startedMs = Date.now();
		const { ms = 0, answersEarly = false } = crawling;
		const urls = (asked.fetchSitemap ? site.sitemap : undefined) ?? [];
		const sitemap = { found: urls.length > 0, totalUrls: urls.length, urls };
		const data = { status: answersEarly ? 'processing' : 'completed', sitemap };
		return {
			ms: answersEarly ? undefined : ms,
			body: () => ({ success: true, data }),
			change: () => this.keep(url, findPages(site, asked), startedMs),
		};
	}

	/** Each page from its moment on. @param startedMs When the crawl began: Unix time in milliseconds. */
	private keep(url: string, pages: SitePage[], startedMs: number): void {
		const { ms = 0, indexesAtOnce, secondScrape } = this.options.crawling ?? {};
		const bare = withoutSlash(url);
		const isSame = ({ website }: Source) => website && withoutSlash(website.url) === bare;
		const same = secondScrape === 'second' ? undefined : this.records.all().findLast(isSame);
		const source = same ?? this.add(url);
		const website = source.website ?? { url, scrapes: 0, scrapedMs: 0, found: [] };
		const before = new Map(website.found.map(({ url: known, urlId }) => [known, urlId]));
		const found = pages.map((page, index) => {
			const atMs = startedMs + Math.floor((ms * index) / pages.length);
			return this.find(page, atMs, before.get(page.url));
		});
		const scrapes = website.scrapes + 1;
		this.fill(source, { ...website, scrapes, scrapedMs: Date.now(), found });
		if (indexesAtOnce) found.forEach((page) => this.read(page));
	}

	private fill(source: Source, website: Website): void {
		source.website = website;
		source.ofPages = (asOfMs) => this.state(website, asOfMs);
	}

	private add(url: string): Source {
		const { crawling = {} } = this.options;
		const { recordType: type = 'website', sourceName = 'asGiven', listedAfterMs = 0 } = crawling;
		const bare = withoutSlash(url);
		const spelled = { asGiven: url, withSlash: `${bare}/`, withoutSlash: bare }[sourceName];
		const record = this.records.prepare({ sourceName: spelled, type, status: 'indexing' });
		return this.records.add(record, record.createdAt + listedAfterMs);
	}

	private find(page: SitePage, createdAt: number, known?: string): Found {
		this.count += 1;
		const { url, title = url, content = `The text of ${url}.`, fails = 0 } = page;
		const life = { status: 'discovered' as const, reads: 0, retryCount: 0 };
		const urlId = known ?? uuid(0xf000_0000 + this.count);
		return { urlId, url, title, content, fails, ...life, createdAt, sequence: this.count };
	}

	/** As it is now; undefined if there is none, or nothing of its pages is known. */
	private of(uniqueId: string): Website | undefined {
		const source = this.records.get(uniqueId);
		const seeds = this.options.found?.[uniqueId];
		if (source === undefined || source.website !== undefined || seeds === undefined)
			return source?.website;
		const { sourceName: url, createdAt } = source.record;
		const found = seeds.map((page, index) => ({
			...this.find(page, createdAt + seeds.length - index, page.urlId),
			...{ status: page.status ?? 'discovered', retryCount: page.retryCount ?? 0 },
		}));
		source.website = { url, scrapes: 0, scrapedMs: createdAt, found: found.reverse() };
		return source.website;
	}

	/** The pages that were found until now, oldest first, each with its status. */
	private found(uniqueId: string): Array<Found & { isLeftOut: boolean }> {
		const nowMs = Date.now();
		const found = this.of(uniqueId)?.found.filter(({ createdAt }) => createdAt <= nowMs) ?? [];
		return found.map((page) => {
			const isLeftOut = page.status === 'skipped' && page.readAtMs === undefined;
			return { ...page, status: this.statusOf(page, nowMs), isLeftOut };
		});
	}

	/** Puts pages into the line, and leaves others out for good. */
	private begin(uniqueId: string, read: string[], leftOut: string[], counts: object): Answer {
		if (read.length === 0) {
			throw refused(404, 'ERR_KB_NOT_FOUND', 'No valid discovered URLs found for processing');
		}
		const data = { urlsProcessed: read.length, ...counts, status: 'processing' };
		const change = () => {
			const [source, website] = [this.records.get(uniqueId), this.of(uniqueId)];
			if (source === undefined || website === undefined) return;
			for (const page of website.found) {
				if (leftOut.includes(page.urlId)) page.status = 'skipped';
				if (read.includes(page.urlId)) this.read(page);
			}
			this.fill(source, website);
		};
		return { body: () => ({ success: true, data }), change };
	}

	/** Has a page read, unless that is under way. */
	private read(page: Found): void {
		const nowMs = Math.max(Date.now(), page.createdAt);
		if (page.readAtMs !== undefined && page.readAtMs > nowMs) return;
		if (page.reads > 0 || page.status === 'failed') page.retryCount += 1;
		page.reads += 1;
		page.readAtMs = nowMs + (this.options.crawling?.processMs ?? 20);
	}

	private statusOf({ readAtMs, status, reads, fails }: Found, asOfMs: number): UrlStatus {
		if (readAtMs === undefined)
			return status === 'skipped' ? (this.options.crawling?.excluded ?? status) : status;
		if (asOfMs < readAtMs) return 'processing';
		return reads <= fails ? 'failed' : 'processed';
	}

	/** What the record of a website shows. */
	private state({ found, scrapedMs }: Website, asOfMs: number): Partial<KnowledgeRecord> {
		const statuses = found.map((page) => this.statusOf(page, asOfMs));
		const isRead = statuses.some((status) => status === 'processed' || status === 'failed');
		if (!isRead || statuses.includes('processing'))
			return { status: 'indexing', updatedAt: scrapedMs };
		const lastSynced = Math.max(...found.map(({ readAtMs }) => readAtMs ?? scrapedMs));
		const status = statuses.includes('processed') ? 'indexed' : 'failed';
		return { status, lastSynced, updatedAt: lastSynced };
	}
}

/** A page as the list of them shows it. */
function shown({ urlId, url, title, content, status, readAtMs, retryCount, createdAt }: Found) {
	const isOver = status === 'processed' || status === 'failed';
	const atMs = (isOver ? readAtMs : undefined) ?? createdAt;
	const times = { lastCrawledAt: atMs, createdAt, updatedAt: atMs };
	return { urlId, url, title, content: content.slice(0, 500), status, retryCount, ...times };
}
