import type { Batch, Delivery, Retired } from '../../../delivery/delivery';
import type { Fields } from '../../../output/itemResult';
import { quoted, sentences } from '../../../text/quoting';
import { shownTime } from '../../../text/times';
import type { CrawlTask } from './crawl';
import type { SitePages } from './pages';
import { countFields, countOf, lastCrawledMs, urlsOf, whyKept } from './pages';
import type { ExistingWebsite } from './plan';
import { isRead } from './plan';
import type { Site } from './site';
import { isEndUnknown } from './site';
import { normalizeUrl } from './url';

/** An item with the websites that existed before, and the one that it gets, once that is known. */
export interface Planned {
	readonly task: CrawlTask;
	readonly existing: ExistingWebsite[];
	/** Whether no page of the website had been read before. */
	readonly isUnread: boolean;
	site?: Site;
}

/** The fields of a row that concern a website. Warns of what needs somebody. */
export function rowOf(run: Batch, delivery: Delivery, planned: Planned): Fields {
	const { item, uniqueId, agent, plan } = delivery;
	const { existing, site, task } = planned;
	if (site === undefined) return {};
	for (const warning of warningsOf(delivery, planned, site)) item.warn(warning);
	if (agent === undefined) item.remark(WITHOUT_AGENT);
	const others = existing.filter((one) => {
		return (
			agent && task.rule !== 'refresh' && one.uniqueId !== uniqueId && one.isAttached !== false
		);
	});
	const why = plan.action === 'use' && whyUsed(run, planned, site);
	return {
		action: actionOf(delivery, planned),
		reason: sentences(why, ...item.log.warnings.map((one) => `${one}.`)) || undefined,
		...(others.length > 0 && { old: others.map(toKept) }),
		...countFields(site.pages),
	};
}

function actionOf(
	{ plan, agent, uniqueId }: Delivery,
	{ existing, isUnread, task }: Planned,
): string {
	if (plan.action === 'create') {
		return task.rule === 'refresh' && existing.some(isRead) ? 'refreshed' : 'crawled';
	}
	if (isUnread) return 'continued';
	const found = existing.find((one) => one.uniqueId === uniqueId);
	return agent === undefined || found?.isAttached === true ? 'skipped' : 'added';
}

function toKept({ uniqueId, name = uniqueId, isAttached }: ExistingWebsite) {
	const reason = `The agent ${isAttached ? 'also uses' : 'may also use'} this old version. To replace the old version, set 'If Already Crawled' to 'Refresh'`;
	return { name, action: 'kept', uniqueId, reason };
}

function whyUsed({ context }: Batch, { isUnread }: Planned, { pages }: Site): string {
	const lastMs = lastCrawledMs(pages);
	const reason = isUnread ? 'its pages were not indexed yet' : "'If Already Crawled' is 'Skip'";
	return sentences(
		lastMs !== undefined && `Last crawled ${shownTime(lastMs, context.getTimezone())}.`,
		`The website was not crawled again, because ${reason}.`,
	);
}

function warningsOf(delivery: Delivery, planned: Planned, site: Site): string[] {
	const notes = [
		...oldNotes(delivery, planned, site),
		...pageNotes(planned.task, site.pages),
		...crawlNotes(planned.task, site),
	];
	return notes.filter((note) => note !== false);
}

/** Notes on the websites that existed before. */
function oldNotes(
	{ retired }: Delivery,
	{ task, existing }: Planned,
	{ pages, website, crawled }: Site,
) {
	const name = quoted(task.url);
	const before = existing.find(({ uniqueId }) => uniqueId === website.uniqueId);
	const shrunk = crawled && before && whyKept(before.site.pages, pages);
	return [
		normalizeUrl(website.url) !== normalizeUrl(task.url) &&
			`Enter ${quoted(website.url)} in 'Website URL'. CometChat lists ${name} under this URL`,
		shrunk !== undefined &&
			`CometChat replaced the pages of ${name}. ${shrunk}. If the website was down, run the item again`,
		...retired.map(keptNote),
	];
}

function keptNote({ uniqueId, state, reason }: Retired) {
	if (reason === undefined) return false;
	const removal =
		state === 'attached' &&
		". To remove the old website from the agent, use 'Remove Files' with the source type 'Website'";
	return `The old website (ID ${uniqueId}) is still in CometChat. ${reason}${removal || ''}`;
}

function pageNotes({ url }: CrawlTask, { found, failed, open }: SitePages) {
	const name = quoted(url);
	return [
		open.length > 0 &&
			`CometChat is still indexing ${countOf(open)} of ${name}: ${urlsOf(open)}. To check their status, use 'Website: Get Pages'`,
		failed.length > 0 &&
			`CometChat couldn't index ${failed.length} of ${countOf(found)} of ${name}. To index these pages again, use 'Document: Retry Indexing'`,
	];
}

function crawlNotes({ url, pages: { maxPages } }: CrawlTask, { pages: { found }, crawled }: Site) {
	if (crawled === undefined) return [];
	const name = quoted(url);
	return [
		isEndUnknown(crawled) &&
			`CometChat didn't report that the crawl of ${name} has ended. If pages are missing, set 'If Already Crawled' to 'Refresh' and run the item again`,
		found.length >= maxPages &&
			`CometChat found ${countOf(found)} at ${name}, as many as 'Max Pages' allows. If pages are missing, increase 'Max Pages' and set 'If Already Crawled' to 'Refresh'`,
	];
}

const WITHOUT_AGENT =
	"No agent uses the website yet. Turn on 'Add to Agent', or use the ID in 'Add Files' with the source type 'Website'";
