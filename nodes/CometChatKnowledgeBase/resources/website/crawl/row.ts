import type { Batch, Delivery } from '../../../delivery/delivery';
import type { Agent } from '../../../api/agents';
import type { Plan } from '../../../delivery/plan';
import type { Fields } from '../../../output/itemResult';
import { quoted } from '../../../text/quoting';
import { shownTime } from '../../../text/times';
import type { CrawlTask } from './crawl';
import { countFields, countOf, lastCrawledMs, numbersOf } from './pages';
import type { ExistingWebsite } from './plan';
import { isRead } from './plan';
import type { Website } from './website';

/** The plan of an item, and its website, once it is known. */
export interface Planned {
	readonly task: CrawlTask;
	readonly agent: Agent | undefined;
	/** The websites that existed before with this URL. */
	readonly existing: ExistingWebsite[];
	readonly plan: Plan;
	/** Whether no page of the website had been indexed before. */
	readonly isUnread: boolean;
	website?: Website;
}

/** Returns the reason in a row, and adds the notes of its item. */
export function reasonOf(run: Batch, delivery: Delivery, planned: Planned): string | undefined {
	const { item, agent, plan } = delivery;
	const note = noteOf(planned);
	if (note !== undefined) item.warn(note);
	if (agent === undefined) item.remark(WITHOUT_AGENT);
	const reasons = [plan.action === 'use' && whyUsed(run, planned), note];
	return reasons.filter(Boolean).join('. ') || undefined;
}

/** Returns the website's own fields of a row. */
export function fieldsOf(delivery: Delivery, planned: Planned): Fields {
	const { agent, uniqueId } = delivery;
	const { existing, task, website } = planned;
	const others = existing.filter((one) => {
		const isOther = one.uniqueId !== uniqueId && one.isAttached !== false;
		return agent && task.rule !== 'refresh' && isOther;
	});
	return {
		action: actionOf(delivery, planned),
		...(others.length > 0 && { old: others.map(toKept) }),
		...(website && countFields(website.pages)),
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

function whyUsed({ context }: Batch, { isUnread, website }: Planned): string {
	const lastMs = website && lastCrawledMs(website.pages);
	const reason = isUnread ? 'its pages were not indexed yet' : "'If Already Crawled' is 'Skip'";
	const last =
		lastMs === undefined ? '' : `Last crawled ${shownTime(lastMs, context.getTimezone())}. `;
	return `${last}The website was not crawled again, because ${reason}`;
}

/** Returns the most important note on a website. */
function noteOf({ task: { url, pages, rule }, existing, website }: Planned): string | undefined {
	if (website === undefined) return undefined;
	const { found, failed, open, read } = website.pages;
	const before = rule === 'refresh' ? existing.find(isRead) : undefined;
	const name = quoted(url);
	if (website.isEndUnknown) {
		return `CometChat didn't report that the crawl of ${name} has ended. If pages are missing, run the item again with 'Refresh'`;
	}
	if (website.crawled && found.length >= pages.maxPages) {
		return `If pages of ${name} are missing, increase 'Max Pages'. CometChat found ${countOf(found)}, the maximum`;
	}
	if (before && read.length < before.website.pages.read.length) {
		return `Check ${name}. CometChat found fewer pages than before (${numbersOf(before.website.pages, website.pages)})`;
	}
	if (failed.length > 0) {
		return `CometChat couldn't index ${failed.length} of ${countOf(found)} of ${name}. To index these pages again, use 'Document: Retry Indexing'`;
	}
	if (open.length === 0) return undefined;
	return `CometChat is still indexing ${countOf(open)} of ${name}. To check their status, use 'Website: Get Pages'`;
}

const WITHOUT_AGENT =
	"No agent uses the website yet. Turn on 'Add to Agent', or use the ID in 'Add Files' with the source type 'Website'";
