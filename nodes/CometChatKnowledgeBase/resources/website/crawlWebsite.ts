import { operation } from '../../execution/buildOperation';
import { toAgent, waitUntilIndexed } from '../../ingestion/fields';
import { emptyWarning } from '../../ingestion/ingestion';
import { ingestionRun } from '../../ingestion/ingestionRun';
import { oldRows } from '../../ingestion/replacement';
import type { Fields } from '../../results/itemResult';
import { detailsOf } from '../../service/documents';
import { quoted } from '../../values/quoting';
import { shownTime } from '../../values/times';
import { UserError } from '../../values/userError';

import { comparableAddress } from './address';
import { address, checkPages, crawlOptions, pages } from './crawlFields';
import { crawl, crawlFailed } from './crawling';
import { someRead, startReading, untilRead } from './pageReading';
import type { SiteThere } from './plan';
import { decide, newestWhole, othersThan, stageOf } from './plan';
import type { OfThisRun } from './siteItem';
import { SiteItem, sitesThere, timeOf, WEBSITE } from './siteItem';
import type { SitePages } from './sitePages';
import { countFields, isUnfinished, notesOf } from './sitePages';

export const crawlWebsite = operation({
	value: 'crawl',
	name: 'Crawl',
	action: 'Crawl a website',
	description:
		'Let CometChat find the pages of a website and index them, and let an agent answer from them',
	fields: { address, uid: toAgent(), waits: waitUntilIndexed, pages },
	options: crawlOptions,
	output: [
		...(['name', 'action', 'success', 'uniqueId', 'sourceType', 'uid', 'reason', 'old'] as const),
		...(['pagesFound', 'pagesProcessed', 'pagesFailed', 'pagesSkipped', 'pagesOpen'] as const),
		'failedPages',
	],
	shared: (itemRun) => {
		const ofThisRun: OfThisRun = new Map();
		return { run: ingestionRun(itemRun), ofThisRun };
	},
	// The second finds what the first has crawled.
	order: (task) => [comparableAddress(task.address)],
	check: checkPages,
	run: async (task, item, { run, ofThisRun }) => {
		const row = await reconcile(new SiteItem(run, ofThisRun, task, item));
		if (task.uid === undefined) item.remark(SITE_WITHOUT_AGENT);
		return row;
	},
});

const SITE_WITHOUT_AGENT =
	"No agent answers from the website yet: switch on 'Add to Agent', or use its ID in Add Files with Source Type 'Website'";

/** Does for an item what the plan says. @returns Its row. */
async function reconcile(site: SiteItem): Promise<Fields> {
	const { run, task, oursId } = site;
	const there = await sitesThere(site);
	const action = decide(there, {
		ifThere: task.ifThere,
		hasAgent: task.uid !== undefined,
		nowMs: run.clock.nowMs(),
		oursId,
	});
	switch (action.kind) {
		case 'crawl':
			return await crawlAnew(site, there);
		case 'goOn': {
			const { uniqueId } = action.site;
			site.recordOurs(uniqueId);
			return await finish(site, { uniqueId, action: 'continued', there });
		}
		case 'keep':
			return await keep(site, action.site, there);
		case 'fail':
			throw isThere(site, action.site);
	}
}

async function crawlAnew(site: SiteItem, there: SiteThere[]): Promise<Fields> {
	const { item, run, task } = site;
	const left = await clear(site, there);
	const { isNew, ...crawled } = await crawl(site, left);
	const action = newestWhole(there, run.clock.nowMs()) ? 'refreshed' : 'crawled';
	const before = isNew ? undefined : left.find(({ uniqueId }) => uniqueId === crawled.uniqueId);
	const row = await finish(site, { ...crawled, action, there: left, before });
	if (row.pagesOpen === 0) {
		const made = { sourceType: WEBSITE, uniqueId: String(row.uniqueId), name: task.address };
		const empty = await emptyWarning(run, made);
		if (empty !== undefined) item.warn(empty);
	}
	if (Number(row.pagesFound) >= task.pages.maxPages) {
		item.warn(
			`CometChat found ${String(row.pagesFound)} pages at ${quoted(task.address)}, as many as 'Max Pages' allows: there may be more`,
		);
	}
	return row;
}

/**
 * Before anything new is crawled, what runs before have left is brought in order, so that nothing piles up where crawls
 * fail: the agent gets the newest whole one meanwhile, and what nobody has goes.
 *
 * @returns What is there then.
 */
async function clear(site: SiteItem, there: SiteThere[]): Promise<SiteThere[]> {
	const nowMs = site.run.clock.nowMs();
	const whole = newestWhole(there, nowMs);
	const { old } = othersThan(whole, there, nowMs);
	const isMissing = whole && !whole.isAttached && site.task.uid !== undefined;
	if (old.length === 0 && !isMissing) return there;
	const rows = whole ? await replace(site, whole, there) : await site.deleteUnused(old);
	const gone = rows.flatMap(({ action, uniqueId }) => (action === 'deleted' ? [uniqueId] : []));
	const detail = `Nothing was crawled. Deleted, since no agent had it: ID ${gone.join(', ')}.`;
	if (gone.length > 0) site.item.state = { effect: 'partly applied', detail };
	return there.filter(({ uniqueId }) => !gone.includes(uniqueId));
}

/** A website that an item gives to its agent. */
interface Work {
	uniqueId: string;
	action: 'crawled' | 'refreshed' | 'continued';
	/** What there was of the address, newest first. */
	there: SiteThere[];
	/** As it was, where CometChat has read it anew in its place. */
	before?: SiteThere;
	hasFailed?: boolean;
}

/** Has the wanted pages read, and gives the website to the agent in the place of what was there before. */
async function finish(site: SiteItem, work: Work): Promise<Fields> {
	const { run, task } = site;
	const { uniqueId, there, hasFailed = false } = work;
	const isAttached = there.find((one) => one.uniqueId === uniqueId)?.isAttached;
	const others = there.filter((one) => one.uniqueId !== uniqueId);
	const ingestion = site.ingestion(others, { uniqueId, isAttached });
	const started = await startReading(site, uniqueId);
	const waits = task.waits || others.length > 0 || hasFailed;
	if (isUnfinished(started) && !waits) {
		await ingestion.attach();
		return rowOf(site, { ...work, pages: started });
	}
	const own = { uniqueId, pages: await untilRead(site, uniqueId) };
	if (hasFailed) throw crawlFailed(task.address);
	// Meanwhile another execution may have crawled a newer one.
	const now = await sitesThere(site, { own, before: there });
	const isWanted = (one: SiteThere) =>
		one.uniqueId === uniqueId || stageOf(one, run.clock.nowMs()) === 'whole';
	const wanted = now.find(isWanted) ?? { ...own, isAttached, changedAt: 0 };
	sayOfPages(site, wanted.pages, work.before?.pages);
	const old = await replace(site, wanted, now);
	return rowOf(site, { ...wanted, action: work.action, old });
}

function sayOfPages(site: SiteItem, pages: SitePages, before?: SitePages): void {
	for (const note of notesOf(pages, site.task.address, before)) site.say(note);
	if (pages.failed.length === 0) return;
	site.item.warn(
		`${pages.failed.length} of ${pages.found.length} pages of ${quoted(site.task.address)} could not be read: the item names them, up to ten, and Website: Retry Pages sends them again`,
	);
}

/** Leaves a website as it is, and gives it to the agent if that lacks it. */
async function keep(site: SiteItem, kept: SiteThere, there: SiteThere[]): Promise<Fields> {
	const { oursId, task } = site;
	someRead(site, kept.pages);
	const old = await replace(site, kept, there);
	const isOurs = oursId === kept.uniqueId;
	site.recordOurs(kept.uniqueId);
	const why = isOurs ? 'An item before this one had it crawled.' : whyKept(site, kept.pages);
	const hasAgent = task.uid !== undefined;
	const isAdded = hasAgent && kept.isAttached !== true;
	const given = isAdded ? 'The agent was given it.' : 'The agent had it already.';
	site.reasons.push(hasAgent ? `${why} ${given}` : why);
	sayOfPages(site, kept.pages);
	return rowOf(site, { ...kept, action: isAdded ? 'added' : 'skipped', old });
}

/** Why a website that is there is not crawled. */
function whyKept({ run, task }: SiteItem, { found }: SitePages): string {
	const newest = found.reduce((last, page) => Math.max(last, timeOf(page.lastCrawledAt)), 0);
	const last = newest > 0 && shownTime(newest, run.context.getTimezone());
	const kept = last ? `Last crawled ${last}, and not again` : 'Not crawled again';
	return task.ifThere === 'skip'
		? `${kept}: 'If the Site Is There' under Options is Skip; Refresh would read it anew.`
		: `${kept}: that is so new that a run which broke off may have left it.`;
}

/** Gives the agent a website in the place of the others, and deletes those that nobody has any more. */
async function replace(site: SiteItem, wanted: SiteThere, there: SiteThere[]): Promise<Fields[]> {
	const { item, task, run } = site;
	const { old, underWay, larger } = othersThan(wanted, there, run.clock.nowMs());
	const ingestion = site.ingestion(old, wanted);
	await ingestion.attach();
	await ingestion.replaceOld('ifUnused');
	for (const { is, uniqueId, reason = '' } of ingestion.old) {
		if (is !== 'kept') continue;
		item.warn(
			`The old website (ID ${uniqueId}) is still in CometChat. ${reason}. Delete it with Document: Delete if no agent needs it: otherwise each refresh may leave one`,
		);
	}
	for (const { uniqueId, pages: before } of larger) {
		item.warn(
			`The new crawl of ${quoted(task.address)} indexed ${wanted.pages.read.length} pages, the one before ${before.read.length}: whoever has the old website (ID ${uniqueId}) keeps it, too. If the site has really shrunk, take it out with Remove Files with Source Type 'Website'`,
		);
	}
	const stays = (sites: SiteThere[], reason: string) =>
		sites.map(({ uniqueId }) => ({ name: task.address, action: 'kept', uniqueId, reason }));
	return [
		...oldRows(ingestion.old),
		...stays(
			underWay,
			'It has changed lately and is not finished: another run may be at work on it',
		),
		...stays(larger, 'The new crawl has indexed less than half as many pages'),
	];
}

function rowOf(
	{ task, reasons }: SiteItem,
	row: { uniqueId: string; action: string; pages: SitePages; old?: Fields[] },
): Fields {
	const { uniqueId, action, old = [] } = row;
	return {
		name: task.address,
		action,
		success: true,
		uniqueId,
		sourceType: WEBSITE,
		uid: task.uid,
		...(reasons.length > 0 && { reason: reasons.join(' ') }),
		...(old.length > 0 && { old }),
		...countFields(row.pages),
	};
}

function isThere({ run, task }: SiteItem, { uniqueId }: SiteThere): UserError {
	const details = detailsOf(run.inventory.record(uniqueId) ?? {}, run.context.getTimezone());
	return new UserError(
		`CometChat has the website ${quoted(task.address)} already`,
		`'If the Site Is There' under Options can also skip it, or crawl it again. It is there as: ${[...details, `ID ${uniqueId}`].join(', ')}.`,
		{ cause: 'configuration-invalid' },
	);
}
