import type { ItemState } from '../../execution/itemContext';
import type { ItemFailure } from '../../results/apiError';
import { ApiError, caught, isItemFailure, mayBeDone } from '../../results/apiError';
import type { CreatedRecord } from '../../results/itemResult';
import type { Document } from '../../service/documents';
import type { Crawl } from '../../service/websites';
import { crawlRequest, readCrawl } from '../../service/websites';
import { quoted } from '../../values/quoting';
import { UserError } from '../../values/userError';

import { noPages, pagesOf, sparingMs } from './pageReading';
import type { SiteThere } from './plan';
import { newestFirst } from './plan';
import type { SiteItem } from './siteItem';

/** The pauses before each look for the website that a crawl has made: CometChat's list may be late. */
const LOOK_PAUSES_MS = [0, 2000, 5000, 10_000, 15_000, 30_000];

/** Where CometChat has said that it has crawled, and not yet shown what. */
const LONGER_PAUSES_MS = [60_000, 60_000, 60_000, 60_000];

/** From which look on one that was there before may be what the crawl has read anew. */
const LOOKS_FOR_A_NEW_ONE = 2;

/** How often the pages are counted without one more, before no more are taken to come. */
const LOOKS_WITHOUT_MORE = 3;

const BETWEEN_LOOKS_MS = 20_000;

/** A website that a crawl has made, or read anew. */
interface Crawled {
	uniqueId: string;
	/** Whether it has come with this crawl. */
	isNew: boolean;
	/** Whether CometChat says that the crawl failed: it has read anew what was there all the same. */
	hasFailed: boolean;
}

/**
 * Has CometChat look for the pages of the address, once in a run, and finds the website that it has made of them.
 *
 * @param there What there is of the address.
 */
export async function crawl(site: SiteItem, there: SiteThere[]): Promise<Crawled> {
	const { item, sites, task } = site;
	site.tell(`CometChat looks for the pages of ${quoted(task.address)}`);
	// Sent again after a lost answer, the website could be there twice, and be paid for twice.
	const sent = await caught(
		item.call(crawlRequest(task.address, task.pages), readCrawl, {
			repeat: 'never',
			timeoutMs: task.maxCrawlMs,
		}),
	);
	if (isItemFailure(sent) && !mayBeDone(sent)) throw sent;
	const crawled = await caught(take(site, there, sent));
	sites.recordOurs(task.address, isItemFailure(crawled) ? crawled : crawled.uniqueId);
	if (isItemFailure(crawled)) throw crawled;
	return crawled;
}

async function take(
	site: SiteItem,
	there: SiteThere[],
	sent: Crawl | ItemFailure,
): Promise<Crawled> {
	const { address } = site.task;
	site.progress({ unknown: 'upload' });
	const lost = isItemFailure(sent) ? sent : undefined;
	const status = isItemFailure(sent) ? 'lost' : (sent.status ?? 'completed');
	const { uniqueId, isNew } = await find(site, there, lost);
	const record = { uniqueId, name: address };
	site.progress({ arrived: [record] });
	const hasFailed = /fail|error|abort|cancel/i.test(status);
	if (isNew && hasFailed) throw await discarded(site, record, crawlFailed(address));
	if (isNew) site.item.log.created.push(record);
	const hasEnded = hasFailed || /^(?:complete|success|done|finish)/i.test(status);
	if (!hasEnded) await untilAllFound(site, uniqueId);
	const { found } = await pagesOf(site, uniqueId);
	if (isNew && found.length === 0) throw await discarded(site, record, noPages(address));
	return { uniqueId, isNew, hasFailed };
}

/** Deletes what nobody can answer from; as long as CometChat does not prove that nobody has it, it stays. */
async function discarded(
	site: SiteItem,
	record: CreatedRecord,
	failure: UserError,
): Promise<UserError> {
	const [row] = await site.deleteUnused([record]);
	if (row?.action === 'deleted') site.stand(NOTHING_LEFT);
	else site.progress({ arrived: [record], hint: DELETE_FIRST });
	return failure;
}

const NOTHING_LEFT: ItemState = {
	effect: 'not applied',
	detail: 'What it has come to was deleted again. The agent has what it had before.',
};

const DELETE_FIRST =
	'To go on, delete that with Document: Delete, and run the item again: it is then crawled anew.';

async function find(
	site: SiteItem,
	there: SiteThere[],
	lost: ItemFailure | undefined,
): Promise<Pick<Crawled, 'uniqueId' | 'isNew'>> {
	const { item, sites, task } = site;
	const [newest] = newestFirst(there);
	const isKnown = (id: string) => there.some(({ uniqueId }) => uniqueId === id);
	let others: Document[] = [];
	for (const [at, pauseMs] of [...LOOK_PAUSES_MS, ...(lost ? [] : LONGER_PAUSES_MS)].entries()) {
		await site.pause(pauseMs);
		const list = await sites.atNow(item, task.address);
		const [made] = list.sites.filter(({ uniqueId }) => !isKnown(uniqueId));
		if (made) return { uniqueId: made.uniqueId, isNew: true };
		if (newest && at >= LOOKS_FOR_A_NEW_ONE && (await isReadAnew(site, newest))) {
			return { uniqueId: newest.uniqueId, isNew: false };
		}
		others = list.others;
		if (others.length > 0 && at + 1 >= LOOK_PAUSES_MS.length) break;
	}
	if (lost) throw lost instanceof ApiError ? inTime(lost) : lost;
	if (newest === undefined) throw notListed(site, others);
	site.say(
		`CometChat has crawled ${quoted(task.address)} again, and neither its pages nor its list show any change: look at it again later with Website: Get Pages`,
	);
	return { uniqueId: newest.uniqueId, isNew: false };
}

async function isReadAnew(site: SiteItem, { uniqueId, pages }: SiteThere): Promise<boolean> {
	const now = await pagesOf(site, uniqueId);
	return JSON.stringify(now.found) !== JSON.stringify(pages.found);
}

/** Where CometChat has not said that it has found all pages. */
async function untilAllFound(site: SiteItem, uniqueId: string): Promise<void> {
	const { clock } = site.run;
	const lastMs = clock.nowMs() + site.task.maxCrawlMs;
	const name = quoted(site.task.address);
	let pages = await pagesOf(site, uniqueId);
	for (let looks = 0; looks < LOOKS_WITHOUT_MORE && clock.nowMs() < lastMs; looks++) {
		site.tell(`${pages.found.length} pages of ${name} found`);
		await site.pause(Math.max(BETWEEN_LOOKS_MS, sparingMs(pages)));
		const before = pages.found.length;
		pages = await pagesOf(site, uniqueId);
		if (pages.found.length > before) looks = -1;
	}
	site.say(
		`CometChat did not say that the crawl of ${name} has ended; ${pages.found.length} pages were taken for all. If some are missing, run it again with 'If the Site Is There' set to Refresh`,
	);
}

/** A large site takes longer than other requests, and has a limit of its own. */
function inTime(lost: ApiError): ApiError {
	const { code, status } = lost.more;
	const isLate = code === 'ECONNABORTED' || status === 408 || status === 504;
	return isLate ? new ApiError(lost.title, LONGER, lost.more) : lost;
}

const LONGER =
	"A large site takes long: 'Max Crawl Time (Minutes)' under Options gives it more time.";

export function crawlFailed(address: string): UserError {
	return new UserError(
		`CometChat says that the crawl of ${quoted(address)} failed`,
		"Check in a browser that 'Address' can be read without signing in.",
		{
			retryHint: 'To go on, run the item again later: it is then crawled anew.',
			cause: 'temporarily-unavailable',
		},
	);
}

function notListed({ sites, task }: SiteItem, others: Document[]): UserError {
	const isElsewhere = others.length > 0;
	return new UserError(
		`CometChat has crawled ${quoted(task.address)}, and its list shows no new website with that address`,
		isElsewhere
			? "If that is it, put its address into 'Address'."
			: 'If it stays like this, ask CometChat.',
		{
			detail: isElsewhere
				? `New in its list: ${sites.described(others)}. A site that forwards to another address is listed under that one.`
				: 'Its list may be late.',
			effect: 'unknown',
			cause: 'temporarily-unavailable',
		},
	);
}
