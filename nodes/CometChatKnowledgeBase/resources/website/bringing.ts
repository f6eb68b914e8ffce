import { emptyWarning } from '../../ingestion/emptyDocument';
import { oldRows } from '../../ingestion/replacement';
import type { Fields } from '../../results/itemResult';
import { sentences } from '../../results/itemResult';
import type { ItemState } from '../../execution/itemContext';
import type { Document } from '../../service/documents';
import { quoted } from '../../values/quoting';
import { shownTime } from '../../values/times';
import { UserError } from '../../values/userError';

import { crawl, crawlFailed } from './crawling';
import { pagesOf, someRead, startReading, untilRead } from './pageReading';
import type { SiteThere, Stays } from './plan';
import { decide, isEmpty, newestWhole, stageOf, superseded } from './plan';
import type { SiteItem } from './siteItem';
import type { SitePages } from './sitePages';
import { countFields, isUnfinished, notesOf } from './sitePages';
import { msOf, WEBSITE } from './sites';

/** Whether the agent of an item has a website; undefined where that is not known. */
type Holds = (uniqueId: string) => boolean | undefined;

/** A website that an item brings. */
interface Work {
	uniqueId: string;
	action: 'crawled' | 'refreshed' | 'continued';
	/** What there is of the address. */
	there: SiteThere[];
	holds: Holds;
	/** As it was, where CometChat has read it anew in its place. */
	before?: SiteThere;
	hasFailed?: boolean;
}

/** Does for an item what the plan says. @returns Its row. */
export async function bringSite(site: SiteItem): Promise<Fields> {
	const { item, run, sites, task } = site;
	const oursId = sites.oursId(task.address);
	const records = await sites.at(item, task.address);
	const holds = await holdingsOf(site, records);
	const there = await withPages(site, records, holds);
	const action = decide(there, {
		ifThere: task.ifThere,
		hasAgent: task.destination.uid !== undefined,
		nowMs: run.clock.nowMs(),
		oursId,
	});
	switch (action.kind) {
		case 'fail':
			throw isThere(site, action.site);
		case 'keep':
		case 'take':
			return await keep(site, action, there);
		case 'goOn': {
			const { uniqueId } = action.site;
			sites.recordOurs(task.address, uniqueId);
			return await finish(site, { uniqueId, action: 'continued', there, holds });
		}
		case 'crawl':
			return await bringAnew(site, action.site, { there, holds });
	}
}

async function bringAnew(
	site: SiteItem,
	before: SiteThere | undefined,
	{ there, holds }: Pick<Work, 'there' | 'holds'>,
): Promise<Fields> {
	const left = await clear(site, before, there);
	const { isNew, ...crawled } = await crawl(site, left);
	const action = before ? 'refreshed' : 'crawled';
	const same = left.find(({ uniqueId }) => !isNew && uniqueId === crawled.uniqueId);
	const row = await finish(site, { ...crawled, action, there: left, holds, before: same });
	const { pagesFound, pagesOpen } = row;
	if (pagesOpen === 0) {
		const brought = {
			sourceType: WEBSITE,
			uniqueId: String(row.uniqueId),
			name: site.task.address,
		};
		const empty = await emptyWarning(site.run, brought);
		if (empty !== undefined) site.item.warn(empty);
	}
	if (Number(pagesFound) >= site.task.pages.maxPages) {
		site.item.warn(
			`CometChat found ${String(pagesFound)} pages at ${quoted(site.task.address)}, as many as 'Max Pages' allows: there may be more`,
		);
	}
	return row;
}

/**
 * Before anything new is crawled, what runs before have left is brought in order, so that nothing piles up where crawls
 * fail: the agent gets the newest whole one, and what nobody has goes, unless it is the newest whole one.
 *
 * @returns What is there then.
 */
async function clear(
	site: SiteItem,
	newest: SiteThere | undefined,
	there: SiteThere[],
): Promise<SiteThere[]> {
	const nowMs = site.run.clock.nowMs();
	const whole = newest && stageOf(newest, nowMs) === 'whole' ? newest : undefined;
	const old = whole
		? superseded(whole, there, nowMs).old
		: there.filter((one) => isEmpty(one, nowMs));
	const spare = old.filter(({ isHeld }) => isHeld === false);
	const isBehind = whole !== undefined && spare.length < old.length;
	const rows = isBehind ? await handOver(site, whole, there) : await site.deleteUnused(spare);
	const gone = rows.flatMap(({ action, uniqueId }) => (action === 'deleted' ? [uniqueId] : []));
	const given = isBehind ? `The agent has the newest whole one (ID ${whole.uniqueId}).` : '';
	const deleted = gone.length > 0 ? `Deleted, since no agent had it: ID ${gone.join(', ')}.` : '';
	site.inOrder = sentences(given, deleted);
	site.stand(NOTHING_CRAWLED);
	return there.filter(({ uniqueId }) => !gone.includes(uniqueId));
}

const NOTHING_CRAWLED: ItemState = {
	effect: 'not applied',
	detail: 'Nothing was crawled.',
};

/** Has the wanted pages read, and hands the website over in the place of what was there before. */
async function finish(site: SiteItem, work: Work): Promise<Fields> {
	const { item, sites, task } = site;
	const { uniqueId, there, holds, hasFailed = false } = work;
	const itself = { uniqueId, isHeld: holds(uniqueId) };
	const others = there.filter((one) => one.uniqueId !== uniqueId);
	const ingestion = site.ingestion(itself, others);
	const started = await startReading(site, uniqueId);
	const waits = task.destination.waits || others.length > 0 || hasFailed;
	if (isUnfinished(started) && !waits) {
		await ingestion.attach();
		return rowOf(site, { ...work, pages: started });
	}
	const pages = await untilRead(site, uniqueId);
	if (hasFailed) throw crawlFailed(task.address);
	// Meanwhile another execution may have brought a newer one.
	const { sites: records } = await sites.atNow(item, task.address);
	const now = await withPages(site, records, holds, { uniqueId, pages });
	const own = now.find((one) => one.uniqueId === uniqueId) ?? { ...itself, pages };
	const newest = newestWhole(now, site.run.clock.nowMs());
	const wanted = newest && isNewer(newest, own) ? newest : own;
	sayOfPages(site, wanted.pages, work.before?.pages);
	const old = await handOver(site, wanted, now);
	return rowOf(site, { ...wanted, action: work.action, old });
}

function sayOfPages(site: SiteItem, pages: SitePages, before?: SitePages): void {
	for (const note of notesOf(pages, site.task.address, before)) site.say(note);
	if (pages.failed.length === 0) return;
	site.item.warn(
		`${pages.failed.length} of ${pages.found.length} pages of ${quoted(site.task.address)} could not be read: the item names them, up to ten, and Website: Retry Pages sends them again`,
	);
}

function isNewer(one: SiteThere, other: Pick<SiteThere, 'createdAt'>): boolean {
	return (one.createdAt ?? 0) > (other.createdAt ?? 0);
}

/** Leaves a website as it is, and gives it to the agent if that lacks it. */
async function keep(
	site: SiteItem,
	{ kind, site: kept }: { kind: 'keep' | 'take'; site: SiteThere },
	there: SiteThere[],
): Promise<Fields> {
	const { sites, task } = site;
	const { pages } = kept;
	const isOurs = sites.oursId(task.address) === kept.uniqueId;
	if (isOurs && pages.read.length === 0 && pages.leftOut.length > 0) throw otherChoice(site);
	someRead(site, pages);
	const old = await handOver(site, kept, there);
	sites.recordOurs(task.address, kept.uniqueId);
	const hasAgent = task.destination.uid !== undefined;
	const isAdded = hasAgent && kept.isHeld !== true;
	const why = isOurs ? 'An item before this one had it crawled.' : whyKept(site, pages, kind);
	const given = isAdded ? 'The agent was given it.' : 'The agent had it already.';
	site.reasons.push(hasAgent ? `${why} ${given}` : why);
	sayOfPages(site, pages);
	const action = kind === 'take' ? 'continued' : isAdded ? 'added' : 'skipped';
	return rowOf(site, { ...kept, action, old });
}

/** Gives the agent a website in the place of the others, and deletes those that nobody has any more. */
async function handOver(
	site: SiteItem,
	wanted: Pick<SiteThere, 'uniqueId' | 'pages' | 'isHeld'>,
	there: SiteThere[],
): Promise<Fields[]> {
	const { old, stays } = superseded(wanted, there, site.run.clock.nowMs());
	const ingestion = site.ingestion(wanted, old);
	try {
		await ingestion.attach();
		await ingestion.replaceOld('ifUnused');
	} finally {
		site.show({ old: oldRows(ingestion.old) });
	}
	const kept = ingestion.old.filter(({ is }) => is === 'kept');
	for (const { uniqueId, reason = '' } of kept) {
		site.item.warn(
			`The old website (ID ${uniqueId}) is still in CometChat. ${reason}. ${DELETE_OLD_SITE}`,
		);
	}
	return [...oldRows(ingestion.old), ...stays.map((one) => stayRow(site, one, wanted.pages))];
}

const DELETE_OLD_SITE =
	'Delete it with Document: Delete if no agent needs it: otherwise each refresh may leave one';

/** What is said of a website that stays beside the new one. */
function stayRow(
	{ item, task: { address: name } }: SiteItem,
	{ site: { uniqueId, pages }, why }: Stays,
	now: SitePages,
): Fields {
	if (why === 'under way') {
		const reason =
			'It has changed lately and is not finished, so that another execution may be at work on it. The next run looks at it again';
		return { name, action: 'kept', uniqueId, reason };
	}
	item.warn(
		`The new crawl of ${quoted(name)} indexed ${now.read.length} pages, the one before ${pages.read.length}: whoever has the old website (ID ${uniqueId}) keeps it, too. If the site has really shrunk, take it out with Remove Files with Source Type 'Website'`,
	);
	const reason = 'The new crawl has indexed less than half as many pages';
	return { name, action: 'kept', uniqueId, reason };
}

function rowOf(
	{ task, reasons }: SiteItem,
	{
		uniqueId,
		action,
		pages,
		old = [],
	}: { uniqueId: string; action: string; pages: SitePages; old?: Fields[] },
): Fields {
	return {
		name: task.address,
		action,
		success: true,
		uniqueId,
		sourceType: WEBSITE,
		uid: task.destination.uid,
		...(reasons.length > 0 && { reason: reasons.join(' ') }),
		...(old.length > 0 && { old }),
		...countFields(pages),
	};
}

/** Why a website that is there is not crawled. */
function whyKept({ run }: SiteItem, { found }: SitePages, kind: 'keep' | 'take'): string {
	const times = found.map(({ lastCrawledAt }) => msOf(lastCrawledAt) ?? 0);
	const newest = times.reduce((one, other) => Math.max(one, other), 0);
	const last = newest > 0 && shownTime(newest, run.context.getTimezone());
	const kept = last ? `Last crawled ${last}, and not again` : 'Not crawled again';
	return kind === 'take'
		? `${kept}: that is so new that a run which broke off may have left it.`
		: `${kept}: 'If the Site Is There' under Options is Skip; Refresh would read it anew.`;
}

function isThere({ run, sites, task }: SiteItem, { uniqueId }: SiteThere): UserError {
	const record = run.inventory.record(uniqueId);
	return new UserError(
		`CometChat has the website ${quoted(task.address)} already`,
		`'If the Site Is There' under Options can also skip it, or crawl it again. It is there as: ${sites.described(record ? [record] : [])}.`,
		{ cause: 'configuration-invalid' },
	);
}

function otherChoice({ task }: SiteItem): UserError {
	return new UserError(
		`An item before this one had ${quoted(task.address)} crawled with another choice of pages, which holds`,
		"One address is one website: give both items the same 'Pages', or different addresses to start from.",
		{ detail: 'None of the pages that this item wants were read.', cause: 'configuration-invalid' },
	);
}

/** Whether the agent has a website. One that does not exist is found out before anything is crawled. */
async function holdingsOf({ item, run, task }: SiteItem, records: Document[]): Promise<Holds> {
	const { uid } = task.destination;
	if (uid === undefined) return () => false;
	const { documents } = await run.inventory.agentFor(item, uid, WEBSITE);
	if (documents === undefined) return () => undefined;
	// What comes later may be given to the agent by another execution.
	const isKnown = new Set<string>(records.map(({ uniqueId }) => uniqueId));
	return (id) => documents.has(id) || (isKnown.has(id) ? false : undefined);
}

async function withPages(
	site: SiteItem,
	records: Document[],
	holds: Holds,
	known?: Pick<SiteThere, 'uniqueId' | 'pages'>,
): Promise<SiteThere[]> {
	const there: SiteThere[] = [];
	for (const { uniqueId, createdAt, updatedAt } of records) {
		const isKnown = uniqueId === known?.uniqueId;
		const pages = isKnown ? known.pages : await pagesOf(site, uniqueId);
		const times = pages.found.flatMap((page) => [
			page.createdAt,
			page.updatedAt,
			page.lastCrawledAt,
		]);
		const changedAt = [createdAt, updatedAt, ...times].reduce<number>(
			(last, time) => Math.max(last, msOf(time) ?? 0),
			0,
		);
		there.push({ uniqueId, createdAt: msOf(createdAt), changedAt, pages, isHeld: holds(uniqueId) });
	}
	return there;
}
