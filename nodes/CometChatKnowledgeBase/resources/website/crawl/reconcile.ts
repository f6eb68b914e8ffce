import { emptyWarning } from '../../../ingestion/ingestion';
import { oldRows } from '../../../ingestion/replacement';
import type { Fields } from '../../../results/itemResult';
import { detailsOf } from '../../../service/documents';
import { UserError } from '../../../values/failure';
import { quoted, sentences } from '../../../values/quoting';
import { shownTime } from '../../../values/times';
import type { SiteItem } from './crawling';
import { crawl, sitesThere, someRead, startReading, untilRead, WEBSITE } from './crawling';
import type { SitePages, SiteThere } from './plan';
import {
	countFields,
	decideSite,
	isUnfinished,
	newestWholeSite,
	warningsOf,
	othersThan,
	timeOf,
} from './plan';

/** Does for an item what the plan says. @returns Its row. */
export async function reconcile(site: SiteItem): Promise<Fields> {
	const { run, task, oursId } = site;
	const there = await sitesThere(site);
	const action = decideSite(there, {
		ifThere: task.ifThere,
		hasAgent: task.uid !== undefined,
		nowMs: run.clock.nowMs(),
		oursId,
	});
	switch (action.kind) {
		case 'crawl': {
			const remaining = await clear(site, there);
			const uniqueId = await crawl(site, remaining);
			const whole = newestWholeSite(there, run.clock.nowMs());
			return await complete(site, uniqueId, whole ? 'refreshed' : 'crawled', remaining);
		}
		case 'continue':
			return await complete(site, action.site.uniqueId, 'continued', there);
		case 'keep':
			return await keep(site, action.site, there);
		case 'fail':
			throw isThere(site, action.site);
	}
}

/**
 * Before anything new is crawled, what runs before have left is brought in order, so that nothing piles up where crawls
 * fail: the agent gets the newest whole one meanwhile, and what nobody has goes.
 *
 * @returns What is there then.
 */
async function clear(site: SiteItem, there: SiteThere[]): Promise<SiteThere[]> {
	const nowMs = site.run.clock.nowMs();
	const whole = newestWholeSite(there, nowMs);
	const { old } = othersThan(whole, there, nowMs);
	const isMissing = whole && !whole.isAttached && site.task.uid !== undefined;
	if (old.length === 0 && !isMissing) return there;
	const rows = whole ? await replace(site, whole, there) : await site.deleteUnused(old);
	const gone = rows.flatMap(({ action, uniqueId }) => (action === 'deleted' ? [uniqueId] : []));
	const detail = `Nothing was crawled. Deleted, since no agent had it: ID ${gone.join(', ')}.`;
	if (gone.length > 0) site.item.state = { effect: 'partly applied', detail };
	return there.filter(({ uniqueId }) => !gone.includes(uniqueId));
}

/**
 * Has the wanted pages read, and gives the website to the agent in the place of what was there before.
 *
 * @param there What there was of the address, newest first.
 */
async function complete(
	site: SiteItem,
	uniqueId: string,
	action: 'crawled' | 'refreshed' | 'continued',
	there: SiteThere[],
): Promise<Fields> {
	const { run, task } = site;
	const before = there.find((one) => one.uniqueId === uniqueId);
	const others = there.filter((one) => one !== before);
	const own = { uniqueId, isAttached: before?.isAttached };
	site.recordOurs(uniqueId);
	const ingestion = site.ingestion(others, own);
	const started = await startReading(site, uniqueId);
	if (isUnfinished(started) && !task.waits && others.length === 0) {
		await ingestion.attach();
		await sayOfCrawl(site, { uniqueId, pages: started });
		return rowOf(site, { uniqueId, action, pages: started });
	}
	const pages = await untilRead(site, uniqueId);
	const nowMs = run.clock.nowMs();
	const ours = { ...own, pages, changedAt: nowMs };
	// Meanwhile another execution may have crawled a newer one.
	const now = await sitesThere(site, [ours, ...others]);
	const wanted = newestWholeSite(now.slice(0, now.indexOf(ours)), nowMs) ?? ours;
	for (const note of warningsOf(wanted.pages, task.address, before?.pages)) site.item.warn(note);
	const old = await replace(site, wanted, now);
	await sayOfCrawl(site, wanted);
	return rowOf(site, { ...wanted, action, old });
}

/** What is to be said of a website that was crawled just now. */
async function sayOfCrawl(
	{ run, task, item }: SiteItem,
	{ uniqueId, pages }: Pick<SiteThere, 'uniqueId' | 'pages'>,
) {
	const made = { sourceType: WEBSITE, uniqueId, name: task.address };
	const empty = isUnfinished(pages) ? undefined : await emptyWarning(run, made);
	if (empty !== undefined) item.warn(empty);
	const { length } = pages.found;
	if (length < task.pages.maxPages) return;
	item.warn(
		`CometChat found ${length} pages at ${quoted(task.address)}, as many as 'Max Pages' allows: there may be more`,
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
	const attachedWords = isAdded ? 'The agent was given it.' : 'The agent had it already.';
	for (const note of warningsOf(kept.pages, task.address)) site.item.warn(note);
	const action = isAdded ? 'added' : 'skipped';
	return rowOf(site, { ...kept, action, old }, hasAgent ? `${why} ${attachedWords}` : why);
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

/** What needs somebody stands in the item, too. @param why Why it was not crawled, as sentences. */
function rowOf(
	{ task, item }: SiteItem,
	row: { uniqueId: string; action: string; pages: SitePages; old?: Fields[] },
	why = '',
): Fields {
	const { uniqueId, action, old = [] } = row;
	return {
		name: task.address,
		action,
		success: true,
		uniqueId,
		sourceType: WEBSITE,
		uid: task.uid,
		reason: sentences(why, ...item.log.warnings.map((clause) => `${clause}.`)) || undefined,
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
