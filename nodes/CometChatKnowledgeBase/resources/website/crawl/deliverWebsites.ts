import { agentOf, deliverItems, newBatch } from '../../../delivery/deliverItems';
import type { Batch, Delivery } from '../../../delivery/delivery';
import { keepOld, newDelivery } from '../../../delivery/delivery';
import { alreadyExists } from '../../../delivery/failures';
import type { BatchResult } from '../../../operations/batchOperation';
import type { ItemContext } from '../../../operations/itemContext';
import type { RunContext } from '../../../operations/operation';
import type { Item } from '../../../operations/readItems';
import { RERUN_CONTINUES } from '../../../delivery/failureState';
import type { Agent } from '../../../api/agents';
import { toResult, isFailure } from '../../../text/failure';
import { quoted } from '../../../text/quoting';
import { WEBSITE } from '../../../text/sourceTypes';
import type { CrawlTask } from './crawl';
import { crawl, findWebsites } from './crawl';
import { whyKept } from './pages';
import { isRead, planCrawl } from './plan';
import type { Planned } from './row';
import { fieldsOf, reasonOf } from './row';
import { normalizeUrl } from './url';
import type { Website } from './website';
import { checkRead } from './website';

/** The websites that items with the same URL share: the websites that existed before, and the new one. */
interface WebsitesOfUrl {
	existing?: Promise<Website[]>;
	crawled?: Promise<Website>;
}

/** Finds or crawls websites, and adds them to their agents. Items with the same URL share a crawl. */
export async function deliverWebsites(
	items: ReadonlyArray<Item<CrawlTask>>,
	context: RunContext,
): Promise<BatchResult> {
	const run = newBatch(context);
	await run.snapshot.readDocuments();
	const byUrl = new Map<string, WebsitesOfUrl>();
	const planned = new Map<Delivery, Planned>();
	return await deliverItems(run, items, {
		toDeliveries: async (item, client) => {
			const key = normalizeUrl(item.task.url);
			const shared = byUrl.get(key) ?? {};
			byUrl.set(key, shared);
			const one = await planItem(run, shared, item.task);
			const delivery = toDelivery(run, shared, one, { item, client });
			planned.set(delivery, one);
			return [delivery];
		},
		rows: ({ rule }) => ({
			action: () => 'crawled',
			reason: (delivery) => {
				const one = planned.get(delivery);
				return one && reasonOf(delivery, one);
			},
			more: (delivery) => {
				const one = planned.get(delivery);
				return one ? fieldsOf(delivery, one) : {};
			},
			hint: rule === 'refresh' ? RERUN_REPLACES : RERUN_CONTINUES,
		}),
	});
}

const RERUN_REPLACES =
	"Wait until indexing has ended: see 'Website: Get Pages'. Then run the item again. CometChat may crawl the website again, and the new version replaces the old version.";

async function planItem(run: Batch, shared: WebsitesOfUrl, task: CrawlTask): Promise<Planned> {
	const agent = await agentOf(run, task.uid);
	shared.existing ??= findWebsites(run, task.url);
	const existing = await toExisting(run, await shared.existing, agent);
	const plan = planCrawl(existing, task.rule);
	if (plan.action === 'refuse') {
		const how = { hasAgent: false, hint: SKIP_OR_REFRESH };
		throw alreadyExists(`the website ${quoted(task.url)}`, plan, how);
	}
	const found = existing.find((one) => plan.action === 'use' && one === plan.found);
	const isUnread = found !== undefined && !isRead(found);
	return { task, agent, existing, plan, isUnread, website: found?.website };
}

async function toExisting(run: Batch, websites: Website[], agent: Agent | undefined) {
	const documents = websites.map(({ uniqueId, url }) => ({ uniqueId, sourceName: url }));
	const existing = await run.snapshot.existing(documents, WEBSITE, agent);
	return websites.map((website, at) => {
		return { uniqueId: website.uniqueId, name: website.url, ...existing[at], website };
	});
}

function toDelivery(
	run: Batch,
	shared: WebsitesOfUrl,
	planned: Planned,
	{ item: { index, task }, client: item }: { item: Item<CrawlTask>; client: ItemContext },
): Delivery {
	const { agent, plan, isUnread, website } = planned;
	const delivery: Delivery = newDelivery({
		...{ index, item, sourceType: WEBSITE, name: task.url, agent, plan },
		maxIndexingMs: task.maxIndexingMs,
		deletes: 'ifUnused',
		waits: website ? isUnread : task.waits,
		create: async () => {
			shared.crawled ??= crawl(run, item, task, planned.existing);
			planned.website = await shared.crawled;
			return await startIndexing(delivery, planned.website);
		},
		isReady: async (isLast) => await isReady(delivery, planned, isLast),
	});
	return delivery;
}

/** Starts indexing, but first stores the ID, so that a failed item's row contains it. @returns The website's ID */
async function startIndexing(delivery: Delivery, website: Website): Promise<string> {
	const { item, name, waits, old } = delivery;
	const { uniqueId } = website;
	const started = await toResult(website.start());
	if (!website.isDeleted) {
		delivery.uniqueId = uniqueId;
		if (website.crawled?.isNew) item.log.created.push({ uniqueId, name });
	}
	delivery.old = old.filter((one) => one.uniqueId !== uniqueId);
	if (isFailure(started)) throw started;
	if (!waits && website.pages.open.length === 0) checkRead(website);
	return uniqueId;
}

/** Whether the pages are indexed. Old websites that the new one doesn't replace are then kept. */
async function isReady(
	{ item, old }: Delivery,
	{ existing, website }: Planned,
	isLast: boolean,
): Promise<boolean> {
	if (website === undefined) return true;
	if (!(await website.isReady(isLast))) return false;
	for (const one of old) {
		const before = existing.find(({ uniqueId }) => uniqueId === one.uniqueId);
		const reason = before && whyKept(before.website.pages, website.pages, website.isEndUnknown);
		if (reason !== undefined) keepOld({ item, old: [one] }, reason);
	}
	return true;
}

const SKIP_OR_REFRESH = "Set 'If Already Crawled' to 'Skip' or 'Refresh'.";
