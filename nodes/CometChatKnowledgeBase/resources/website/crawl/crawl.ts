import { isUnknown } from '../../../api/apiClient';
import { collect } from '../../../api/pagination';
import type { Batch } from '../../../delivery/delivery';
import { newestFirst } from '../../../delivery/documents';
import type { ItemContext } from '../../../operations/itemContext';
import { pollingDelayMs } from '../../../http/time';
import type { Document } from '../../../api/documents';
import { documentPages } from '../../../api/documents';
import type { CrawlSettings } from '../../../api/websites';
import { crawlRequest, readCrawl } from '../../../api/websites';
import type { Failure } from '../../../text/failure';
import { toResult, isFailure, mayHaveSucceeded, UserError } from '../../../text/failure';
import { joinLimited, quoted } from '../../../text/quoting';
import { sourceTypeOf, WEBSITE } from '../../../text/sourceTypes';
import type { CrawlRule } from './plan';
import { Site } from './site';
import { normalizeSite, normalizeUrl } from './url';

/** A website as an item wants it. */
export interface CrawlTask {
	url: string;
	/** The agent that gets it; undefined for none. */
	uid: string | undefined;
	waits: boolean;
	pages: CrawlSettings;
	rule: CrawlRule;
	maxCrawlMs: number;
	maxIndexingMs: number;
}

/** A website that is listed late is found so much later at most. */
const LONGEST_PAUSE_MS = 60_000;

/** The websites of the account with a URL, newest first. If there is none, those that differ by scheme or `www.`. */
export async function findSites(run: Batch, { url }: CrawlTask): Promise<Site[]> {
	const { documents, listFailure } = run.snapshot;
	if (listFailure) throw listFailure;
	const all = websitesIn(documents.all());
	const same = all.filter(hasUrl(url));
	const sites: Site[] = [];
	for (const website of same.length > 0 ? same : all.filter(isVariantOf(url))) {
		const site = new Site(run, website);
		const looked = await toResult(site.look());
		if (!isFailure(looked)) sites.push(site);
		// Another execution may have deleted it.
		else if (!isUnknown(looked, WEBSITE)) throw looked;
	}
	return sites;
}

/**
 * Crawls a URL once, and looks for the website until Crawl Timeout.
 *
 * @param existing The websites with this URL. @param wanted The URLs of all items, normalized.
 * @throws Failure, with an unknown effect once the request was sent
 */
export async function crawl(
	run: Batch,
	item: ItemContext,
	task: CrawlTask,
	{ existing, wanted }: { existing: Site[]; wanted: ReadonlySet<string> },
): Promise<Site> {
	const { url, pages, maxCrawlMs: timeoutMs } = task;
	const endMs = run.starting.clock.nowMs() + timeoutMs;
	// A repeated request could crawl twice, and be paid for twice.
	const how = { repeat: 'never' as const, timeoutMs };
	const answer = await toResult(item.call(crawlRequest(url, pages), readCrawl, how));
	const isLost = isFailure(answer);
	if (isLost && isUrlRefused(answer)) {
		throw answer.with({ title: `CometChat couldn't crawl ${quoted(url)}`, hint: CHECK_URL });
	}
	if (isLost && !mayHaveSucceeded(answer)) throw answer;
	const look = async (isLast: boolean) => {
		const fresh = (await readNewWebsites(run)).filter(
			(one) => hasUrl(url)(one) || !wanted.has(normalizeUrl(one.url)),
		);
		const made = fresh.find(hasUrl(url)) ?? fresh.find(isVariantOf(url));
		if (made) return made;
		const again = await findReadAgain(run, existing);
		// A redirect is certain only if nothing else is new.
		if (again || !isLast) return again;
		if (fresh.length === 1 && !isLost) return fresh[0];
		throw isLost ? answer : notListed(url, fresh);
	};
	const found = await toResult(lookUntil(run, endMs, look));
	if (isFailure(found)) {
		const hint = isLost ? INCREASE_TIMEOUT : found.hint;
		throw found.with({ hint, effect: 'unknown' });
	}
	run.createdIds.add(found.uniqueId);
	const isNew = run.snapshot.documents.withId(found.uniqueId) === undefined;
	const { status = 'completed' } = isLost ? { status: '' } : answer;
	return new Site(run, found, { isNew, status, endMs });
}

/** @param look Returns undefined to be called again. */
async function lookUntil<Found>(
	{ starting: { clock } }: Batch,
	endMs: number,
	look: (isLast: boolean) => Promise<Found | undefined>,
): Promise<Found> {
	const startMs = clock.nowMs();
	for (;;) {
		const nowMs = clock.nowMs();
		const found = await look(nowMs >= endMs || clock.isCancelled());
		if (found) return found;
		const pauseMs = Math.min(pollingDelayMs(nowMs - startMs, LONGEST_PAUSE_MS), endMs - nowMs);
		await clock.delay(pauseMs);
	}
}

interface Website {
	uniqueId: string;
	url: string;
}

/** The websites that did not exist before, without those of other items, newest first. */
async function readNewWebsites(run: Batch): Promise<Website[]> {
	const isKnown = ({ uniqueId }: Website | Document) =>
		run.snapshot.documents.withId(uniqueId) !== undefined;
	const isLast = ({ entries }: { entries: Document[] }) => entries.some(isKnown);
	const websites = websitesIn(await collect(documentPages(run.finishing), { isLast }));
	return websites.filter((one) => !isKnown(one) && !run.createdIds.has(one.uniqueId));
}

/** The website that CometChat has crawled again in its place: its pages have changed. */
async function findReadAgain(run: Batch, existing: Site[]): Promise<Website | undefined> {
	for (const { website, pages } of existing) {
		const now = new Site(run, website);
		now.client = run.finishing;
		await now.look();
		if (JSON.stringify(now.pages.found) !== JSON.stringify(pages.found)) return website;
	}
	return undefined;
}

function websitesIn(documents: Document[]): Website[] {
	const websites = documents.filter(({ type }) => sourceTypeOf(type) === WEBSITE);
	return newestFirst(websites).map(({ uniqueId, sourceName: url = '' }) => ({ uniqueId, url }));
}

function hasUrl(wanted: string): (website: Website) => boolean {
	return ({ url }) => normalizeUrl(url) === normalizeUrl(wanted);
}

function isVariantOf(wanted: string): (website: Website) => boolean {
	return ({ url }) => normalizeSite(url) === normalizeSite(wanted);
}

/** CometChat's page on crawling documents 400 and 500 without a code for a website that it can't open. */
function isUrlRefused({ more: { said, status = 0, code } }: Failure): boolean {
	return said !== undefined && code === undefined && [400, 500].includes(status);
}

const CHECK_URL =
	"Open 'Website URL' in a browser without signing in, and correct the URL. If the page opens, run the item again later.";

const INCREASE_TIMEOUT =
	"If the website is large, increase 'Crawl Timeout (Minutes)' under 'Options'.";

function notListed(url: string, fresh: Website[]): UserError {
	const names = joinLimited(fresh.map((one) => quoted(one.url)));
	return new UserError(
		`CometChat crawled ${quoted(url)}, but the website is not in its list yet`,
		"Look for the website with 'Document: Get Many'. If the website redirects to another URL, enter that URL in 'Website URL'.",
		{
			cause: 'temporarily-unavailable',
			...(fresh.length > 0 && { detail: `New websites with different URLs: ${names}.` }),
		},
	);
}
