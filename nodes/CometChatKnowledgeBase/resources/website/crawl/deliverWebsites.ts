import { agentOf, deliverItems, newBatch } from '../../../delivery/deliverItems';
import type { Batch, Delivery } from '../../../delivery/delivery';
import { newDelivery } from '../../../delivery/delivery';
import { detailsOfEach } from '../../../delivery/existing';
import type { BatchResult } from '../../../operations/batchOperation';
import type { ItemContext } from '../../../operations/itemContext';
import type { RunContext } from '../../../operations/operation';
import type { Item } from '../../../operations/readItems';
import { RERUN_CONTINUES } from '../../../delivery/progress';
import type { Agent } from '../../../api/agents';
import { toResult, isFailure, UserError } from '../../../text/failure';
import { quoted } from '../../../text/quoting';
import { WEBSITE } from '../../../text/sourceTypes';
import type { CrawlTask } from './crawl';
import { crawl, findSites } from './crawl';
import { whyKept } from './pages';
import type { ExistingWebsite } from './plan';
import { isRead, planCrawl } from './plan';
import type { Planned } from './row';
import { rowOf } from './row';
import type { Site } from './site';
import { checkRead } from './site';
import { normalizeUrl } from './url';

/** What the items of an execution share. */
interface Shared {
	run: Batch;
	/** The URLs of all items, normalized. */
	wanted: ReadonlySet<string>;
	sitesOf: OncePerUrl<Site[]>;
	siteOf: OncePerUrl<Site>;
	planned: Map<Delivery, Planned>;
}

/** Crawls websites or finds them, and adds them to their agents. Items with one URL share a crawl. */
export async function deliverWebsites(
	items: ReadonlyArray<Item<CrawlTask>>,
	context: RunContext,
): Promise<BatchResult> {
	const run = newBatch(context);
	await run.snapshot.readDocuments();
	const planned = new Map<Delivery, Planned>();
	const wanted = new Set(items.map(({ task }) => normalizeUrl(task.url)));
	const shared = {
		run,
		wanted,
		sitesOf: oncePerUrl<Site[]>(),
		siteOf: oncePerUrl<Site>(),
		planned,
	};
	return await deliverItems(run, items, {
		toDeliveries: async (item, client) => [await toDelivery(shared, item, client)],
		rows: ({ rule }) => ({
			action: () => 'crawled',
			more: (delivery) => {
				const one = planned.get(delivery);
				return one ? rowOf(run, delivery, one) : {};
			},
			hint: rule === 'refresh' ? CRAWLS_AGAIN : RERUN_CONTINUES,
		}),
	});
}

const CRAWLS_AGAIN = 'Run the item again. CometChat then crawls the website again.';

/** Does the same work for one URL once. */
type OncePerUrl<Value> = (url: string, work: () => Promise<Value>) => Promise<Value>;

function oncePerUrl<Value>(): OncePerUrl<Value> {
	const known = new Map<string, Promise<Value>>();
	return async (url, work) => {
		const value = known.get(normalizeUrl(url)) ?? work();
		known.set(normalizeUrl(url), value);
		return await value;
	};
}

async function toDelivery(
	{ run, wanted, sitesOf, siteOf, planned }: Shared,
	{ index, task }: Item<CrawlTask>,
	item: ItemContext,
): Promise<Delivery> {
	const { url: name, maxIndexingMs } = task;
	const agent = await agentOf(run, task.uid);
	const sites = await sitesOf(name, async () => await findSites(run, task));
	const existing = await toExisting(run, sites, agent);
	const plan = planCrawl(existing, task.rule);
	if (plan.action === 'refuse') throw exists(run, name, existing);
	const found = existing.find((one) => plan.action === 'use' && one === plan.found);
	const isUnread = found !== undefined && !isRead(found);
	const one: Planned = { task, existing, isUnread, site: found?.site };
	const crawlOnce = async () => await crawl(run, item, task, { existing: sites, wanted });
	const delivery: Delivery = newDelivery({
		...{ index, item, sourceType: WEBSITE, name, agent, plan, maxIndexingMs },
		deletes: 'ifUnused',
		waits: found ? isUnread : task.waits,
		create: async () => {
			one.site = await siteOf(name, crawlOnce);
			return await startReading(delivery, one.site);
		},
		isReady: async (isLast) => await isReady(delivery, one, isLast),
	});
	planned.set(delivery, one);
	return delivery;
}

async function toExisting(run: Batch, sites: Site[], agent: Agent | undefined) {
	const documents = sites.map(({ website: { uniqueId, url } }) => ({ uniqueId, sourceName: url }));
	const candidates = await run.snapshot.candidates(documents, WEBSITE, agent);
	return sites.map((site, at) => ({ ...site.website, ...candidates[at], site }));
}

/** Records the ID first: if the pages cannot be read, the row names it. @returns The ID */
async function startReading(delivery: Delivery, site: Site): Promise<string> {
	const { item, name, waits, retired } = delivery;
	const { uniqueId, url } = site.website;
	const started = await toResult(site.start());
	item.count({ attempts: 1 });
	if (!site.isDeleted) {
		delivery.uniqueId = uniqueId;
		if (site.crawled?.isNew) item.log.created.push({ uniqueId, name });
	}
	// After a redirect, the crawled website may be another one than those that existed before.
	delivery.retired = retired.filter((one) => {
		return one.uniqueId !== uniqueId && normalizeUrl(one.name ?? url) === normalizeUrl(url);
	});
	if (isFailure(started)) throw started;
	if (!waits && site.pages.open.length === 0) checkRead(site);
	return uniqueId;
}

/** Keeps old websites with pages that the new crawl could not read. */
async function isReady(
	{ item, retired }: Delivery,
	{ site, existing }: Planned,
	isLast: boolean,
): Promise<boolean> {
	const isDone = site === undefined || (await site.isReady(isLast));
	if (site === undefined || !isDone) return isDone;
	item.count({ attempts: 1 });
	for (const one of retired) {
		const before = existing.find(({ uniqueId }) => uniqueId === one.uniqueId);
		const reason = before && whyKept(before.site.pages, site.pages);
		if (reason !== undefined) Object.assign(one, { state: 'attached', reason });
	}
	return true;
}

function exists(run: Batch, url: string, existing: ExistingWebsite[]): UserError {
	return new UserError(
		`CometChat already has the website ${quoted(url)}`,
		`Set 'If Already Crawled' to 'Skip' or 'Refresh'. Existing: ${detailsOfEach(run, existing)}.`,
		{ cause: 'configuration-invalid' },
	);
}
