import type { ItemFailure } from '../../results/apiError';
import { ApiError, caught, isItemFailure, mayBeDone } from '../../results/apiError';
import type { CreatedRecord } from '../../results/itemResult';
import { crawlRequest, readCrawl } from '../../service/websites';
import { quoted } from '../../values/quoting';
import { UserError } from '../../values/userError';

import { noPages } from './pageReading';
import type { SiteThere } from './plan';
import type { SiteItem } from './siteItem';
import { newSites, pagesOf } from './siteItem';

/** The pauses before each look for the website that a crawl has made: CometChat's list may be late. */
const LOOK_PAUSES_MS = [0, 2000, 5000, 10_000, 15_000, 30_000];

/** Where CometChat has said that it has crawled, and not yet shown what. */
const LONGER_PAUSES_MS = [60_000, 60_000, 60_000, 60_000];

/** From which look on one that was there before may be what the crawl has read anew. */
const LOOKS_FOR_A_NEW_ONE = 2;

/** How long no page more has to come before they are taken for all. */
const NO_MORE_MS = 60_000;

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
 * @param there What there is of the address, newest first.
 */
export async function crawl(site: SiteItem, there: SiteThere[]): Promise<Crawled> {
	const { address, pages, maxCrawlMs: timeoutMs } = site.task;
	// Sent again after a lost answer, the website could be there twice, and be paid for twice.
	const how = { repeat: 'never' as const, timeoutMs };
	const answer = await caught(site.item.call(crawlRequest(address, pages), readCrawl, how));
	if (isItemFailure(answer) && !mayBeDone(answer)) throw answer;
	const lost = isItemFailure(answer) ? answer : undefined;
	const status = isItemFailure(answer) ? 'lost' : (answer.status ?? 'completed');
	const crawled = await caught(take(site, there, { lost, status }));
	site.recordOurs(isItemFailure(crawled) ? crawled : crawled.uniqueId);
	if (isItemFailure(crawled)) throw crawled;
	return crawled;
}

/** @param lost Why there is no answer; left out: there is one. */
async function take(
	site: SiteItem,
	there: SiteThere[],
	{ lost, status }: { lost?: ItemFailure; status: string },
): Promise<Crawled> {
	const { item, task } = site;
	const { state } = item;
	site.recordProgress({ unknown: 'upload' });
	const { uniqueId, isNew } = await find(site, there, lost);
	const record = { uniqueId, name: task.address };
	site.recordProgress({ arrived: [record] });
	if (isNew) item.log.created.push(record);
	const hasFailed = /fail|error|abort|cancel/i.test(status);
	const hasEnded = hasFailed || /^(?:complete|success|done|finish)/i.test(status);
	if (!hasEnded) await untilAllFound(site, uniqueId);
	const { found } = await pagesOf(site, uniqueId);
	if (isNew && (hasFailed || found.length === 0)) {
		if (await isDiscarded(site, record)) item.state = state;
		throw hasFailed ? crawlFailed(task.address) : noPages(task.address);
	}
	return { uniqueId, isNew, hasFailed };
}

/** Deletes what nobody can answer from; as long as CometChat does not prove that nobody has it, it stays. */
async function isDiscarded(site: SiteItem, record: CreatedRecord): Promise<boolean> {
	const [row] = await site.deleteUnused([record]);
	if (row?.action === 'deleted') {
		site.item.log.created.pop();
		return true;
	}
	const hint =
		'To go on, delete that with Document: Delete, and run the item again: it is then crawled anew.';
	site.recordProgress({ arrived: [record], hint });
	return false;
}

async function find(
	site: SiteItem,
	[newest]: SiteThere[],
	lost: ItemFailure | undefined,
): Promise<Pick<Crawled, 'uniqueId' | 'isNew'>> {
	const { address } = site.task;
	for (const [at, pauseMs] of [...LOOK_PAUSES_MS, ...(lost ? [] : LONGER_PAUSES_MS)].entries()) {
		await site.pause(pauseMs);
		const [made] = await newSites(site);
		if (made) return { uniqueId: made.uniqueId, isNew: true };
		if (newest && at >= LOOKS_FOR_A_NEW_ONE && (await isReadAnew(site, newest))) {
			return { uniqueId: newest.uniqueId, isNew: false };
		}
	}
	if (lost) throw lost instanceof ApiError ? inTime(lost) : lost;
	if (newest === undefined) {
		throw new UserError(
			`CometChat has crawled ${quoted(address)}, and its list shows no new website with that address`,
			"Look for it with Document: Get Many: a site that forwards to another address is listed under that one, which then belongs into 'Address'.",
			{ detail: 'Its list may be late.', effect: 'unknown', cause: 'temporarily-unavailable' },
		);
	}
	site.say(
		`CometChat has crawled ${quoted(address)} again, and neither its pages nor its list show any change: look at it again later with Website: Get Pages`,
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
	let before = -1;
	let { found } = await pagesOf(site, uniqueId);
	while (found.length > before && clock.nowMs() < lastMs) {
		before = found.length;
		await site.pause(NO_MORE_MS);
		({ found } = await pagesOf(site, uniqueId));
	}
	site.say(
		`CometChat did not say that the crawl of ${quoted(site.task.address)} has ended; ${found.length} pages were taken for all. If some are missing, run it again with 'If the Site Is There' set to Refresh`,
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
