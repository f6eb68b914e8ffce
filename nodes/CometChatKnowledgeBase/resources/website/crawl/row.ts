import type { Batch, Delivery } from '../../../delivery/delivery';
import type { Fields } from '../../../output/itemResult';
import { joinLimited, quoted, sentences } from '../../../text/quoting';
import { shownTime, timeMs } from '../../../text/times';
import type { CrawlTask } from './crawl';
import { countFields, countOf, urlsOf, whyKept } from './pages';
import type { ExistingWebsite } from './plan';
import { isRead } from './plan';
import type { Site } from './site';
import { isEndUnknown } from './site';
import { containsAny, normalizeUrl } from './url';

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
	const why = plan.action === 'use' && whyUsed(run, site);
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
	const reason = `The agent ${isAttached ? 'uses' : 'may use'} this older website, too. To replace it, set 'If Already Crawled' to Refresh`;
	return { name, action: 'kept', uniqueId, reason };
}

function whyUsed({ context }: Batch, { pages }: Site): string {
	const times = pages.found.map(({ lastCrawledAt }) => timeMs(lastCrawledAt) ?? 0);
	const newest = times.reduce((last, one) => Math.max(last, one), 0);
	const last = newest > 0 && `Last crawled ${shownTime(newest, context.getTimezone())}. `;
	return `${last || ''}Not crawled again: 'If Already Crawled' is not Refresh.`;
}

function warningsOf(
	{ retired }: Delivery,
	{ task, existing }: Planned,
	{ pages, website, crawled }: Site,
): string[] {
	const { found, failed, open, excluded } = pages;
	const name = quoted(task.url);
	const lines = [...task.pages.match, ...task.pages.include].filter(
		(line) => !found.some(({ url }) => containsAny(url, [line])),
	);
	const before = existing.find(({ uniqueId }) => uniqueId === website.uniqueId);
	const shrunk = crawled && before && whyKept(before.site.pages, pages);
	const kept = retired.flatMap(({ uniqueId, reason = '' }) =>
		reason === '' ? [] : [`The old website (ID ${uniqueId}) is still in CometChat. ${reason}`],
	);
	const notes = [
		normalizeUrl(website.url) !== normalizeUrl(task.url) &&
			`CometChat lists ${name} as ${quoted(website.url)}. Enter this URL in 'Website URL'`,
		shrunk !== undefined && `CometChat replaced the pages of ${name}. ${shrunk}`,
		...kept,
		lines.length > 0 &&
			`No page of ${name} has a URL that contains ${joinLimited(lines.map((line) => quoted(line)))}`,
		open.length > 0 && `CometChat has not finished ${countOf(open)} of ${name}: ${urlsOf(open)}`,
		excluded.length > 0 &&
			`${countOf(excluded)} of ${name} were excluded by an earlier crawl. To index them, set 'If Already Crawled' to Refresh`,
		failed.length > 0 &&
			`${failed.length} of ${countOf(found)} of ${name} could not be read. Website: Retry Pages indexes them again`,
		crawled !== undefined &&
			isEndUnknown(crawled) &&
			`CometChat did not report that the crawl of ${name} has ended. If pages are missing, set 'If Already Crawled' to Refresh and run the item again`,
		crawled !== undefined &&
			found.length >= task.pages.maxPages &&
			`CometChat found ${countOf(found)} at ${name}, as many as 'Max Pages' allows. There may be more`,
	];
	return notes.filter((note) => note !== false);
}

const WITHOUT_AGENT =
	"No agent answers from the website yet: turn on 'Add to Agent', or use its ID in Add Files with Source Type 'Website'";
