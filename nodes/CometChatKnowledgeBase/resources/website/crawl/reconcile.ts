import { emptyWarning } from '../../../ingestion/ingestion';
import { oldRows } from '../../../ingestion/replacement';
import type { Fields } from '../../../results/itemResult';
import { detailsOf } from '../../../service/documents';
import { UserError } from '../../../values/failure';
import { quoted, sentences } from '../../../values/quoting';
import { shownTime } from '../../../values/times';
import type { SiteItem } from './crawling';
import { checkRead, crawl, readPages, replace, sitesThere, WEBSITE } from './crawling';
import type { SitePages, SiteThere } from './plan';
import {
	countFields,
	decideSite,
	isToRead,
	isUnfinished,
	newestWholeSite,
	othersThan,
	timeOf,
	warningsOf,
} from './plan';

/** Does for an item what the plan says. @returns Its row. */
export async function reconcile(site: SiteItem): Promise<Fields> {
	const { task, oursId } = site;
	const there = await sitesThere(site);
	const action = decideSite(there, task.ifThere, oursId);
	if (action.kind === 'fail') throw isThere(site, action.site);
	if (action.kind === 'crawl') {
		const whole = newestWholeSite(there);
		const remaining = await clear(site, whole, there);
		const made = await crawl(site, remaining);
		return await complete(site, made, whole ? 'refreshed' : 'crawled', remaining);
	}
	const { site: taken } = action;
	site.recordOurs(taken.uniqueId);
	if (isToRead(taken)) return await complete(site, taken, 'continued', there);
	const isOurs = oursId === taken.uniqueId;
	const why = isOurs ? 'An item before this one has seen to it.' : whyKept(site, taken.pages);
	return await keep(site, taken, why, there);
}

/**
 * Before anything new is crawled, what runs before have left is brought in order, so that nothing piles up where crawls
 * fail: the agent gets the newest whole one meanwhile, and what nobody has goes.
 *
 * @returns What is there then.
 */
async function clear(
	site: SiteItem,
	whole: SiteThere | undefined,
	there: SiteThere[],
): Promise<SiteThere[]> {
	const { old } = othersThan(whole, there);
	const isMissing = whole && !whole.isAttached;
	if (old.length === 0 && !isMissing) return there;
	const replaced = await replace(site, whole, old);
	const gone = replaced.flatMap(({ is, uniqueId }) => (is === 'deleted' ? [uniqueId] : []));
	const detail = `Nothing was crawled. Deleted, since no agent had it: ID ${gone.join(', ')}.`;
	if (gone.length > 0) site.item.state = { effect: 'partly applied', detail };
	return await sitesThere(site, there);
}

/**
 * Has the wanted pages of a website read, and gives it to the agent in the place of what was there before.
 *
 * @param there What there was of the address, newest first.
 */
async function complete(
	site: SiteItem,
	begun: SiteThere,
	action: 'crawled' | 'refreshed' | 'continued',
	there: SiteThere[],
): Promise<Fields> {
	const { task } = site;
	const others = there.filter(({ uniqueId }) => uniqueId !== begun.uniqueId);
	const waits = task.waits || others.length > 0;
	// From here on, an error says how far it came.
	site.ingestion(others, begun);
	const pages = await readPages(site, begun, waits);
	const ours = { ...begun, pages, hasChangedLately: true };
	if (!waits && isUnfinished(pages)) {
		await replace(site, ours, []);
		await sayOfCrawl(site, ours);
		return rowOf(site, { ...ours, action });
	}
	// Meanwhile another execution may have crawled a newer one.
	const now = await sitesThere(site, [ours, ...others]);
	const { wanted, old } = await give(site, ours, now, there);
	await sayOfCrawl(site, wanted);
	return rowOf(site, { ...wanted, action, old });
}

/** Leaves a website as it is, and gives it to the agent if that lacks it. @param why As a sentence. */
async function keep(
	site: SiteItem,
	kept: SiteThere,
	why: string,
	there: SiteThere[],
): Promise<Fields> {
	const { wanted, old } = await give(site, kept, there, there);
	const action = wanted.isAttached ? 'skipped' : 'added';
	const attached = wanted.isAttached ? 'The agent had it already.' : 'The agent was given it.';
	const hasAgent = site.task.uid !== undefined;
	return rowOf(site, { ...wanted, action, old }, sentences(why, hasAgent && attached));
}

/**
 * Gives the agent the website that it is to have in the place of the others, and deletes those that nobody has any more.
 *
 * @param before What there was before this item.
 * @returns Which one it has, and what has become of the others.
 */
async function give(
	site: SiteItem,
	ours: SiteThere,
	there: SiteThere[],
	before: SiteThere[],
): Promise<{ wanted: SiteThere; old: Fields[] }> {
	const { item, task } = site;
	checkRead(site, ours.pages);
	const wanted = newestWholeSite(there, ours.uniqueId) ?? ours;
	const asItWas = before.find(({ uniqueId }) => uniqueId === wanted.uniqueId);
	for (const note of warningsOf(wanted.pages, task.address, asItWas?.pages)) item.warn(note);
	const { old, underWay, larger } = othersThan(wanted, there);
	const replaced = await replace(site, wanted, old);
	for (const { is, uniqueId, reason = '' } of replaced) {
		if (is !== 'kept') continue;
		item.warn(
			`The old website (ID ${uniqueId}) is still in CometChat. ${reason}. Delete it with Document: Delete if no agent needs it: otherwise each refresh may leave one`,
		);
	}
	for (const { uniqueId, pages } of larger) {
		item.warn(
			`The new crawl of ${quoted(task.address)} indexed ${wanted.pages.read.length} pages, the one before ${pages.read.length}: whoever has the old website (ID ${uniqueId}) keeps it, too. If the site has really shrunk, take it out with Remove Files with Source Type 'Website'`,
		);
	}
	const stays = (sites: SiteThere[], reason: string) =>
		sites.map(({ uniqueId }) => ({ name: task.address, action: 'kept', uniqueId, reason }));
	return {
		wanted,
		old: [
			...oldRows(replaced),
			...stays(
				underWay,
				'It has changed lately and is not finished: another run may be at work on it',
			),
			...stays(larger, 'The new crawl has indexed less than half as many pages'),
		],
	};
}

/** What is to be said of a website that was crawled just now. */
async function sayOfCrawl({ run, task, item }: SiteItem, { uniqueId, pages }: SiteThere) {
	const made = { sourceType: WEBSITE, uniqueId, name: task.address };
	const empty = isUnfinished(pages) ? undefined : await emptyWarning(run, made);
	if (empty !== undefined) item.warn(empty);
	const { length } = pages.found;
	if (length < task.pages.maxPages) return;
	item.warn(
		`CometChat found ${length} pages at ${quoted(task.address)}, as many as 'Max Pages' allows: there may be more`,
	);
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

/** What needs somebody stands in the item, too. @param why Why it was not crawled, as sentences. */
function rowOf(
	{ task, item }: SiteItem,
	row: SiteThere & { action: string; old?: Fields[] },
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
