import type { Delivery } from '../../../delivery/delivery';
import type { Agent } from '../../../api/agents';
import type { Plan } from '../../../delivery/plan';
import type { Fields } from '../../../output/itemResult';
import type { CrawlTask } from './crawl';
import { countFields } from './pages';
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
export function reasonOf(delivery: Delivery, planned: Planned): string | undefined {
	const { item, agent, plan } = delivery;
	const note = noteOf(planned);
	if (note !== undefined) item.warn(note);
	if (agent === undefined) item.remark(WITHOUT_AGENT);
	const used = planned.isUnread ? NOT_INDEXED_YET : SKIPPED;
	if (plan.action === 'use') item.remark(used);
	return [plan.action === 'use' && used, note].filter(Boolean).join('. ') || undefined;
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

function toKept({ uniqueId, name = uniqueId }: ExistingWebsite) {
	return { name, action: 'kept', uniqueId, reason: MAY_USE_OLD };
}

/** Returns the most important note on a website. */
function noteOf({ task: { pages, rule }, existing, website }: Planned): string | undefined {
	if (website === undefined) return undefined;
	const { found, failed, open, read } = website.pages;
	const before = rule === 'refresh' ? existing.find(isRead) : undefined;
	if (website.isEndUnknown) return END_UNKNOWN;
	if (website.crawled && found.length >= pages.maxPages) return MAX_PAGES;
	const countBefore = before?.website.pages.read.length ?? 0;
	if (read.length < countBefore) {
		return `${FEWER_PAGES}: ${read.length} instead of ${countBefore}`;
	}
	if (failed.length > 0) return FAILED_PAGES;
	return open.length > 0 ? OPEN_PAGES : undefined;
}

const SKIPPED =
	"Not crawled again, because 'If Already Crawled' is 'Skip'. To get new content, choose 'Refresh'";

const NOT_INDEXED_YET = 'Not crawled again, because its pages were not indexed yet';

const MAY_USE_OLD =
	"The agent may still use this old version, too. To replace it, set 'If Already Crawled' to 'Refresh'";

const END_UNKNOWN =
	"CometChat didn't report the end of the crawl. If pages are missing, set 'If Already Crawled' to 'Refresh' and run the item again";

const MAX_PAGES =
	"If pages are missing, increase 'Max Pages': CometChat found as many pages as allowed";

const FEWER_PAGES =
	"Check the pages with 'Website: Get Pages', because fewer pages are indexed than before";

const FAILED_PAGES =
	"To index the failed pages again, use 'Document: Retry Indexing'. The output names up to ten of them in 'failedPages'";

const OPEN_PAGES =
	"CometChat is still indexing some pages. To check them, use 'Website: Get Pages'";

const WITHOUT_AGENT =
	"No agent uses the website yet. Turn on 'Add to Agent', or use the ID in 'Add Files' with the source type 'Websites'";
