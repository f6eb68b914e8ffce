import { ItemContext } from '../../execution/itemContext';
import type { ItemRun, Performer, Ready } from '../../execution/items';
import { itemByItem } from '../../execution/items';
import type { Operation } from '../../execution/operation';
import { maxIndexingOption } from '../../ingestion/indexing';
import type { IngestionRun } from '../../ingestion/ingestionRun';
import { ingestionRun } from '../../ingestion/ingestionRun';
import { addToAgentFields } from '../../input/fields';
import { isItemFailure } from '../../results/apiError';
import type { ItemResult } from '../../results/itemResult';

import { comparableAddress } from './address';
import { bringSite } from './bringing';
import { ifSiteExistsOption, maxCrawlOption } from './crawlOptions';
import type { CrawlTask } from './crawlTask';
import { addressField, crawlReader, pagesField } from './crawlTask';
import { SiteItem } from './siteItem';
import { Sites } from './sites';

export const crawlWebsite: Operation = {
	value: 'crawl',
	name: 'Crawl',
	action: 'Crawl a website',
	description:
		'Let CometChat find the pages of a website and index them, and let an agent answer from them',
	fields: [addressField, ...addToAgentFields, pagesField],
	options: [ifSiteExistsOption, maxCrawlOption, maxIndexingOption],
	output: [
		...(['name', 'action', 'success', 'uniqueId', 'sourceType', 'uid', 'reason', 'old'] as const),
		...(['pagesFound', 'pagesProcessed', 'pagesFailed', 'pagesSkipped', 'pagesOpen'] as const),
		'failedPages',
	],
	run: itemByItem(crawlReader, crawler),
};

function crawler(itemRun: ItemRun): Performer<CrawlTask> {
	const run = ingestionRun(itemRun);
	const sites = new Sites(run);
	return {
		perform: async (item) => await performCrawl(item, run, sites),
		// The second finds what the first has brought.
		keysOf: async ({ task }) => [comparableAddress(task.address)],
	};
}

async function performCrawl(
	{ task, requested }: Ready<CrawlTask>,
	run: IngestionRun,
	sites: Sites,
): Promise<ItemResult> {
	const item = new ItemContext(run);
	try {
		const row = await bringSite(new SiteItem(run, sites, task, item));
		if (task.destination.uid === undefined) item.remark(SITE_WITHOUT_AGENT);
		return item.done([row]);
	} catch (thrown) {
		if (!isItemFailure(thrown)) throw thrown;
		return item.failed(thrown, { ...requested, action: 'failed', ...item.shown }, item.standing);
	}
}

const SITE_WITHOUT_AGENT =
	"No agent answers from the website yet: switch on 'Add to Agent', or use its ID in Add Files with Source Type 'Website'";
