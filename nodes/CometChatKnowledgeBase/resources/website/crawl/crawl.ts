import { isUnknown } from '../../../api/apiClient';
import { pagesUntil } from '../../../api/pagination';
import type { Batch } from '../../../delivery/delivery';
import { newestFirst } from '../../../delivery/documents';
import type { ItemContext } from '../../../operations/itemContext';
import { growingPauses, until } from '../../../http/time';
import type { Document } from '../../../api/documents';
import { documentPages } from '../../../api/documents';
import type { CrawlSettings } from '../../../api/websites';
import { crawlRequest, readCrawl } from '../../../api/websites';
import type { Failure } from '../../../text/failure';
import { toResult, isFailure, mayHaveSucceeded, UserError } from '../../../text/failure';
import { joinLimited, quoted } from '../../../text/quoting';
import { sourceTypeOf, WEBSITE } from '../../../text/sourceTypes';
import type { CrawlRule, ExistingWebsite } from './plan';
import { normalizeUrl } from './url';
import { Website } from './website';

/** The website of an item. */
export interface CrawlTask {
	url: string;
	/** The agent to add the website to; undefined for none. */
	uid: string | undefined;
	waits: boolean;
	pages: CrawlSettings;
	rule: CrawlRule;
	maxCrawlMs: number;
	maxIndexingMs: number;
}

/** The longest delay until a new website is found in the list. */
const LONGEST_PAUSE_MS = 60_000;

/** Reads the account's websites with a URL, newest first. */
export async function findWebsites(run: Batch, url: string): Promise<Website[]> {
	const { documents, listFailure } = run.snapshot;
	if (listFailure) throw listFailure;
	const websites: Website[] = [];
	for (const { uniqueId, sourceName = '' } of websitesIn(documents.all()).filter(hasUrl(url))) {
		const website = new Website(run.starting, uniqueId, sourceName);
		const looked = await toResult(website.look());
		if (!isFailure(looked)) websites.push(website);
		// Another execution may have deleted the website.
		else if (!isUnknown(looked, WEBSITE)) throw looked;
	}
	return websites;
}

/**
 * Crawls a URL once, and waits for the website until 'Crawl Timeout': a new website with this URL, or an existing
 * website with changed pages. A new website with another URL may belong to another execution, or to a redirect.
 *
 * @param existing The websites with this URL.
 * @throws Failure, with an unknown effect once the request was sent
 */
export async function crawl(
	run: Batch,
	item: ItemContext,
	{ url, pages, maxCrawlMs: timeoutMs }: CrawlTask,
	existing: ExistingWebsite[],
): Promise<Website> {
	const { clock } = run.finishing;
	const endMs = clock.nowMs() + timeoutMs;
	// A repeated request could crawl twice, and cost twice as much.
	const how = { repeat: 'never' as const, timeoutMs };
	const answer = await toResult(item.call(crawlRequest(url, pages), readCrawl, how));
	const isLost = isFailure(answer);
	if (isLost && isUrlRefused(answer)) {
		throw answer.with({ title: `CometChat couldn't crawl ${quoted(url)}`, hint: CHECK_URL });
	}
	if (isLost && !mayHaveSucceeded(answer)) throw answer;
	let fresh: Document[] = [];
	const found = await until(clock, endMs, growingPauses(LONGEST_PAUSE_MS), async () => {
		fresh = await readNewWebsites(run);
		return fresh.find(hasUrl(url)) ?? (await findCrawledInPlace(run, existing));
	});
	if (found === undefined || isFailure(found)) {
		if (isLost) throw answer.with({ hint: INCREASE_TIMEOUT });
		throw found?.with({ effect: 'unknown' }) ?? notListed(url, fresh);
	}
	const { uniqueId, sourceName = url } = found;
	const { status = 'completed' } = isLost ? { status: '' } : answer;
	const isNew = run.snapshot.documents.withId(uniqueId) === undefined;
	return new Website(run.finishing, uniqueId, sourceName, { isNew, status, endMs });
}

/** Reads the websites that did not exist before, newest first. */
async function readNewWebsites(run: Batch): Promise<Document[]> {
	const isKnown = ({ uniqueId }: Document) => run.snapshot.documents.withId(uniqueId) !== undefined;
	const { entries } = await pagesUntil(documentPages(run.finishing), (page) => page.some(isKnown));
	return websitesIn(entries).filter((one) => !isKnown(one));
}

/** Finds the existing website that CometChat has crawled again, by its changed pages. */
async function findCrawledInPlace(
	run: Batch,
	existing: ExistingWebsite[],
): Promise<Document | undefined> {
	for (const { uniqueId, name: sourceName = '', website: before } of existing) {
		const { open, waiting } = before.pages;
		// Pages that CometChat is indexing change without a crawl.
		if (open.length > waiting.length) continue;
		const now = new Website(run.finishing, uniqueId, sourceName);
		await now.look();
		const hasChanged = JSON.stringify(now.pages.found) !== JSON.stringify(before.pages.found);
		if (hasChanged) return { uniqueId, sourceName };
	}
	return undefined;
}

function websitesIn(documents: Document[]): Document[] {
	return newestFirst(documents.filter(({ type }) => sourceTypeOf(type) === WEBSITE));
}

function hasUrl(wanted: string): (document: Document) => boolean {
	return ({ sourceName = '' }) => normalizeUrl(sourceName) === normalizeUrl(wanted);
}

/** Whether CometChat can't open a website: its page on crawling documents 400 and 500 without a code. */
function isUrlRefused({ more: { said, status = 0, code } }: Failure): boolean {
	return said !== undefined && code === undefined && [400, 500].includes(status);
}

const CHECK_URL =
	"Open 'Website URL' in a browser without signing in, and correct the URL. If the page opens, run the item again later.";

const INCREASE_TIMEOUT =
	"If the website is large, increase 'Crawl Timeout (Minutes)' under 'Options'.";

function notListed(url: string, fresh: Document[]): UserError {
	const others = joinLimited(fresh.map(({ sourceName = '' }) => quoted(sourceName)));
	return new UserError(
		`CometChat crawled ${quoted(url)}, but lists no new website with this URL`,
		others === ''
			? "Look for the website with 'Document: Get Many'."
			: `If the website redirects to another URL, enter ${others} in 'Website URL'.`,
		{ cause: 'temporarily-unavailable', effect: 'unknown' },
	);
}
