import { isUnknown } from '../../../api/apiClient';
import { readList } from '../../../api/wholeList';
import { ApiError } from '../../../apiErrors/apiError';
import type { ItemContext } from '../../../execution/itemContext';
import { Ingestion } from '../../../ingestion/ingestion';
import type { OldVersion } from '../../../ingestion/replacement';
import { oldVersions } from '../../../ingestion/replacement';
import type { IngestionRun } from '../../../pipeline/ingestionRun';
import { growingPauseMs } from '../../../requests/time';
import { describeProgress, GOES_ON } from '../../../results/progress';
import type { Document } from '../../../service/documents';
import { documentPages } from '../../../service/documents';
import type { CrawlSettings } from '../../../service/websites';
import {
	crawlRequest,
	foundPages,
	processRequest,
	readCrawl,
	readProcessed,
} from '../../../service/websites';
import type { Failure } from '../../../values/failure';
import { UserError, caught, isFailure, mayBeDone, onFailure } from '../../../values/failure';
import { quoted } from '../../../values/quoting';
import { sourceTypeOf } from '../../../values/sourceTypes';
import { comparableAddress } from './address';
import type { SitePages, SiteThere } from './plan';
import { addressesOf, hasChangedLately, isUnfinished, sitePages, timeOf } from './plan';

/** As CometChat calls the type, in its addresses. */
export const WEBSITE = 'website';

/** What an item asks for. */
export interface CrawlTask {
	address: string;
	waits: boolean;
	/** The agent; left out for none. */
	uid?: string;
	/** Which pages are found, and of those the ones whose address contains one of some parts; none: all. */
	pages: CrawlSettings & { match: string[] };
	ifThere: 'fail' | 'refresh' | 'skip';
	maxCrawlMs: number;
	maxIndexingMs: number;
}

/** What a run has had crawled, or taken, by address: the ID of the website, or why there is none. */
export type OfThisRun = Map<string, string | Failure>;

/** An item that brings a website. */
export class SiteItem {
	constructor(
		readonly run: IngestionRun,
		private readonly ofThisRun: OfThisRun,
		readonly task: CrawlTask,
		readonly item: ItemContext,
	) {}

	/** For items with the same address that come after this one. */
	recordOurs(outcome: string | Failure): void {
		this.ofThisRun.set(comparableAddress(this.task.address), outcome);
	}

	/** The website of this run. It is not crawled twice: what failed fails for all items. */
	get oursId(): string | undefined {
		const outcome = this.ofThisRun.get(comparableAddress(this.task.address));
		if (isFailure(outcome)) throw outcome;
		return outcome;
	}

	/**
	 * A website on its way to the agent, in the place of others; from here on, an error says how far it came.
	 *
	 * @param wanted Left out: nothing takes their place.
	 */
	ingestion(others: SiteThere[], wanted?: SiteThere): Ingestion {
		const { run, item, task } = this;
		const { address } = task;
		const uid = wanted && task.uid;
		const target = { sourceType: WEBSITE, names: [address], uid, hint: GOES_ON };
		const ingestion = new Ingestion(run, item, target);
		ingestion.old = oldVersions(
			others.map((one) => ({ ...one, sourceName: address, isOwn: this.mayDelete(one) })),
			({ isAttached }) => uid !== undefined && isAttached !== false,
		);
		if (wanted) ingestion.continueWith(wanted.uniqueId, wanted.isAttached === true);
		return ingestion;
	}

	/** Only Refresh deletes a website with readable pages that this item did not crawl. */
	mayDelete({ uniqueId, pages }: SiteThere): boolean {
		const isCreated = this.item.log.created.some((one) => one.uniqueId === uniqueId);
		const isReadable = pages.found.some(({ status }) => status === 'processed');
		return this.task.ifThere === 'refresh' || isCreated || !isReadable;
	}

	/** Who waits holds nothing that others could use meanwhile. */
	async pause(pauseMs: number): Promise<void> {
		const { clock, permits } = this.run;
		if (pauseMs > 0) await permits.without(async () => await clock.delay(pauseMs));
	}
}

/** Gives a website to the agent in place of others, and deletes those that it may if CometChat proves that no agent uses them. */
export async function replace(
	site: SiteItem,
	wanted: SiteThere | undefined,
	old: SiteThere[],
): Promise<OldVersion[]> {
	const { uid } = site.task;
	const isUsed = ({ isAttached }: SiteThere) => uid !== undefined && isAttached !== false;
	const leaving = old.filter((one) => site.mayDelete(one) || isUsed(one));
	const ingestion = site.ingestion(leaving, wanted);
	await ingestion.attach();
	await ingestion.replaceOld('own');
	return ingestion.old;
}

async function sitePagesOf({ item, task }: SiteItem, uniqueId: string): Promise<SitePages> {
	return sitePages(await foundPages(item, uniqueId), task.pages.match);
}

/** Those of the address that CometChat's list shows by now, and did not when this run read it. */
async function newSites(site: SiteItem): Promise<Document[]> {
	const { records } = site.run.inventory.list;
	const isKnown = ({ uniqueId }: Document) => records.withId(uniqueId) !== undefined;
	// The newest come first.
	const listed = await readList(documentPages(site.item), {
		isLast: ({ entries }) => entries.some(isKnown),
	});
	const sites: Document[] = [];
	for (const one of listed.filter((each) => isSiteOf(site, each) && !isKnown(each))) {
		const wasDeleted = records.typeOf(one.uniqueId) !== undefined;
		records.add(one);
		// A list that is late still shows it.
		if (!wasDeleted || (await lookAt(site, one))) sites.push(one);
	}
	return sites;
}

/**
 * The websites of the address, newest first.
 *
 * @param known Those that the item has looked at before, if it looks again: their pages are not asked for anew.
 */
export async function sitesThere(site: SiteItem, known?: SiteThere[]): Promise<SiteThere[]> {
	const { item, run } = site;
	if (known) await newSites(site);
	const isAttached = await attachedToAgent(site);
	const records = (await run.inventory.list.whole(item))
		.all()
		.filter((one) => isSiteOf(site, one))
		.sort((one, other) => timeOf(other.createdAt) - timeOf(one.createdAt));
	const there: SiteThere[] = [];
	for (const record of records) {
		const { uniqueId } = record;
		const looked = known?.find((one) => one.uniqueId === uniqueId) ?? (await lookAt(site, record));
		if (looked) there.push({ ...looked, isAttached: isAttached(uniqueId) });
	}
	return there;
}

/** Undefined if another execution has deleted it. */
async function lookAt(site: SiteItem, record: Document): Promise<SiteThere | undefined> {
	const { uniqueId } = record;
	const pages = await caught(sitePagesOf(site, uniqueId));
	const nowMs = site.run.clock.nowMs();
	if (!isFailure(pages)) {
		return { uniqueId, pages, hasChangedLately: hasChangedLately(record, pages.found, nowMs) };
	}
	if (!isUnknown(pages, WEBSITE)) throw pages;
	site.run.inventory.list.records.remove(uniqueId);
	return undefined;
}

/** Whether the agent has a website. One that does not exist is found out before anything is crawled. */
async function attachedToAgent({ item, run, task }: SiteItem) {
	if (task.uid === undefined) return () => true;
	const { documents } = await run.inventory.agentFor(item, task.uid, WEBSITE);
	return (uniqueId: string) => documents?.has(uniqueId);
}

function isSiteOf({ task }: SiteItem, { type, sourceName = '' }: Document): boolean {
	const isWebsite = sourceTypeOf(type) === WEBSITE;
	return isWebsite && comparableAddress(sourceName) === comparableAddress(task.address);
}

/** The pauses before each look for the website that a crawl has made: CometChat's list may be late. */
const LOOK_PAUSES_MS = [0, 2000, 5000, 10_000, 15_000, 30_000];

/** Where CometChat has said that it has crawled, and not yet shown what. */
const LONGER_PAUSES_MS = [60_000, 60_000, 60_000, 60_000];

/** How long no page more has to come before they are taken for all. */
const NO_MORE_MS = 60_000;

/**
 * Has CometChat look for the pages of the address, once in a run, and finds the website that it has made of them, or read
 * anew in its place.
 *
 * @param there What there is of the address, newest first.
 */
export async function crawl(site: SiteItem, there: SiteThere[]): Promise<SiteThere> {
	const { address, pages, maxCrawlMs: timeoutMs } = site.task;
	// Sent again after a lost answer, the website could be there twice, and be paid for twice.
	const how = { repeat: 'never' as const, timeoutMs };
	const answer = await caught(site.item.call(crawlRequest(address, pages), readCrawl, how));
	if (isFailure(answer) && !mayBeDone(answer)) throw answer;
	const making = whatItMade(site, there, answer);
	const made = await onFailure(making, (failure) => site.recordOurs(failure));
	site.recordOurs(made.uniqueId);
	return made;
}

async function whatItMade(
	site: SiteItem,
	there: SiteThere[],
	answer: { status?: string } | Failure,
): Promise<SiteThere> {
	const { item, task } = site;
	const { state } = item;
	const progress = { wanted: [task.address], hint: GOES_ON };
	item.state = describeProgress({ ...progress, documents: [], unknown: 'upload' });
	const uniqueId = await find(site, there, isFailure(answer) ? answer : undefined);
	const documents = [{ uniqueId, name: task.address }];
	item.state = describeProgress({ ...progress, documents });
	const before = there.find((one) => one.uniqueId === uniqueId);
	if (!before) item.log.created.push(...documents);
	const { status = 'completed' } = isFailure(answer) ? { status: 'lost' } : answer;
	const hasFailed = /fail|error|abort|cancel/i.test(status);
	const hasEnded = hasFailed || /^(?:complete|success|done|finish)/i.test(status);
	const pages = await (hasEnded ? sitePagesOf : untilAllFound)(site, uniqueId);
	const made = { ...before, uniqueId, pages, hasChangedLately: true };
	if (pages.found.length > 0 && !hasFailed) return made;
	if (before) {
		// Whoever has it lacks the pages meanwhile.
		await readPages(site, made, true);
	} else {
		// Nobody can answer from it; as long as CometChat does not prove that nobody has it, it stays.
		const [discarded] = await replace(site, undefined, [made]);
		item.state =
			discarded?.is === 'deleted'
				? state
				: describeProgress({ ...progress, documents, hint: DELETE_IT });
	}
	throw hasFailed ? crawlFailed(task.address) : noPages(task.address);
}

const DELETE_IT =
	'To go on, delete that with Document: Delete, and run the item again: it is then crawled anew.';

async function find(
	site: SiteItem,
	[newest]: SiteThere[],
	lost: Failure | undefined,
): Promise<string> {
	const { address } = site.task;
	for (const pauseMs of [...LOOK_PAUSES_MS, ...(lost ? [] : LONGER_PAUSES_MS)]) {
		await site.pause(pauseMs);
		const [made] = await newSites(site);
		if (made) return made.uniqueId;
		if (newest && (await isReadAnew(site, newest))) return newest.uniqueId;
	}
	if (lost) throw lost instanceof ApiError ? inTime(lost) : lost;
	if (newest === undefined) {
		throw new UserError(
			`CometChat has crawled ${quoted(address)}, and its list shows no new website with that address`,
			"Look for it with Document: Get Many: a site that forwards to another address is listed under that one, which then belongs into 'Address'.",
			{ detail: 'Its list may be late.', effect: 'unknown', cause: 'temporarily-unavailable' },
		);
	}
	site.item.warn(
		`CometChat has crawled ${quoted(address)} again, and neither its pages nor its list show any change: look at it again later with Website: Get Pages`,
	);
	return newest.uniqueId;
}

async function isReadAnew(site: SiteItem, { uniqueId, pages }: SiteThere): Promise<boolean> {
	const now = await sitePagesOf(site, uniqueId);
	return JSON.stringify(now.found) !== JSON.stringify(pages.found);
}

/** Where CometChat has not said that it has found all pages. */
async function untilAllFound(site: SiteItem, uniqueId: string): Promise<SitePages> {
	const { clock } = site.run;
	const lastMs = clock.nowMs() + site.task.maxCrawlMs;
	let before = -1;
	let pages = await sitePagesOf(site, uniqueId);
	while (pages.found.length > before && clock.nowMs() < lastMs) {
		before = pages.found.length;
		await site.pause(NO_MORE_MS);
		pages = await sitePagesOf(site, uniqueId);
	}
	site.item.warn(
		`CometChat did not say that the crawl of ${quoted(site.task.address)} has ended; ${pages.found.length} pages were taken for all. If some are missing, run it again with 'If the Site Is There' set to Refresh`,
	);
	return pages;
}

/** A large site takes longer than other requests, and has a limit of its own. */
function inTime(lost: ApiError): ApiError {
	const { code, status } = lost.more;
	const isLate = code === 'ECONNABORTED' || status === 408 || status === 504;
	return isLate ? new ApiError(lost.title, LONGER, lost.more) : lost;
}

const LONGER =
	"A large site takes long: 'Max Crawl Time (Minutes)' under Options gives it more time.";

function crawlFailed(address: string): UserError {
	return new UserError(
		`CometChat says that the crawl of ${quoted(address)} failed`,
		"Check in a browser that 'Address' can be read without signing in.",
		{ retryHint: ANEW, cause: 'temporarily-unavailable' },
	);
}

function noPages(address: string): UserError {
	return new UserError(
		`CometChat found no page at ${quoted(address)}`,
		"Open 'Address' in a browser without signing in. Check that the page has links that are not made by a script, that the site lets robots in, and that 'Only Addresses With' fits the address itself.",
		{ retryHint: ANEW, cause: 'configuration-invalid' },
	);
}

const ANEW = 'To go on, run the item again later: it is then crawled anew.';

const LONGEST_PAUSE_MS = 15_000;

/** A large site takes a hundred requests to look at: at this rate they are a tenth of the free plan's limit. */
const PAUSE_PER_100_PAGES_MS = 1200;

/**
 * Has those wanted pages read that nobody has had read yet, and waits until CometChat has said of each how it ended; when
 * the time is up, what it has read counts.
 */
export async function readPages(
	site: SiteItem,
	{ uniqueId, pages: before }: SiteThere,
	waits: boolean,
): Promise<SitePages> {
	const { clock } = site.run;
	const startMs = clock.nowMs();
	const lastMs = startMs + site.task.maxIndexingMs;
	let pages = before.waiting.length > 0 ? await startReading(site, uniqueId, before) : before;
	while (waits && isUnfinished(pages) && clock.nowMs() < lastMs) {
		const nowMs = clock.nowMs();
		const growingMs = growingPauseMs(nowMs - startMs, LONGEST_PAUSE_MS);
		const sparingMs = Math.ceil(pages.found.length / 100) * PAUSE_PER_100_PAGES_MS;
		await site.pause(Math.min(Math.max(growingMs, sparingMs), lastMs - nowMs));
		pages = await sitePagesOf(site, uniqueId);
	}
	return pages;
}

/** @returns The pages as they are then. */
async function startReading(
	site: SiteItem,
	uniqueId: string,
	{ read, waiting, others }: SitePages,
): Promise<SitePages> {
	if (read.length > 0) {
		site.item.warn(
			`${waiting.length} pages of ${quoted(site.task.address)} had been left out before, perhaps by another choice of pages, and are read now: every agent with the website answers from them, too`,
		);
	}
	const excluded = others.map(({ urlId }) => urlId);
	// What becomes of a page that is named twice is not documented.
	const answer = await caught(
		site.item.call(processRequest(uniqueId, excluded), readProcessed, { repeat: 'never' }),
	);
	const pages = await sitePagesOf(site, uniqueId);
	const isTaken = !isFailure(answer) && answer.urlsProcessed > 0;
	// Of a lost answer, or one that there is nothing to do, the pages themselves tell.
	if (isTaken || pages.waiting.length < waiting.length) return pages;
	throw isFailure(answer) ? answer : noneTaken(waiting.length);
}

/** What has no page that agents can answer from is given to none. @throws UserError that says why. */
export function checkRead({ task }: SiteItem, pages: SitePages): void {
	const { found, others, read, failed, waiting, open, leftOut } = pages;
	if (read.length > 0) return;
	if (found.length > 0 && others.length === found.length) throw noneChosen(pages);
	const detail = `Indexed: 0, failed: ${failed.length}, left out: ${leftOut.length}, not yet: ${open.length + waiting.length}.`;
	if (isUnfinished(pages)) {
		throw new UserError(
			"CometChat did not finish indexing within 'Max Indexing Time (Minutes)'",
			'Raise that option under Options if this comes again.',
			{ detail, cause: 'temporarily-unavailable' },
		);
	}
	const which = task.pages.match.length > 0 ? " that matches 'Index Only Addresses With'" : '';
	throw new UserError(
		`CometChat has not indexed any page of ${quoted(task.address)}${which}`,
		leftOut.length > 0 ? CHOICE_HOLDS : LOOK_AT_PAGES,
		{ detail, cause: 'configuration-invalid' },
	);
}

const CHOICE_HOLDS =
	"An earlier choice of pages has left them out, and that choice holds: give items with one address the same 'Pages', or crawl it anew with 'If the Site Is There' set to Refresh.";

const LOOK_AT_PAGES =
	'Look at its pages with Website: Get Pages, and check in a browser that they can be read without signing in. Website: Retry Pages sends them again.';

function noneChosen({ found }: SitePages): UserError {
	return new UserError(
		`None of the ${found.length} pages that CometChat found matches 'Index Only Addresses With'`,
		`Correct 'Index Only Addresses With': within three hours, that does not crawl anew. Found were, for example: ${addressesOf(found)}.`,
		{ detail: 'No page that is wanted was indexed.', cause: 'configuration-invalid' },
	);
}

function noneTaken(count: number): UserError {
	return new UserError(
		`CometChat has taken up none of the ${count} pages that were to be indexed`,
		'If it stays like this, ask CometChat.',
		{
			retryHint: 'To go on, run the item again: it does not crawl anew.',
			cause: 'temporarily-unavailable',
		},
	);
}
