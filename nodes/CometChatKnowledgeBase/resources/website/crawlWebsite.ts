import { operation } from '../../execution/buildOperation';
import { ingestionRun } from '../../ingestion/ingestionRun';

import { comparableAddress } from './address';
import { bringSite } from './bringing';
import { address, checkPages, crawlOptions, destination, pages } from './crawlFields';
import { SiteItem } from './siteItem';
import { Sites } from './sites';

export const crawlWebsite = operation({
	value: 'crawl',
	name: 'Crawl',
	action: 'Crawl a website',
	description:
		'Let CometChat find the pages of a website and index them, and let an agent answer from them',
	fields: { address, destination, pages },
	options: crawlOptions,
	output: [
		...(['name', 'action', 'success', 'uniqueId', 'sourceType', 'uid', 'reason', 'old'] as const),
		...(['pagesFound', 'pagesProcessed', 'pagesFailed', 'pagesSkipped', 'pagesOpen'] as const),
		'failedPages',
	],
	shared: (itemRun) => {
		const run = ingestionRun(itemRun);
		return { run, sites: new Sites(run) };
	},
	// The second finds what the first has brought.
	order: (task) => [comparableAddress(task.address)],
	check: checkPages,
	run: async (task, item, { run, sites }) => {
		const row = await bringSite(new SiteItem(run, sites, task, item));
		if (task.destination.uid === undefined) item.remark(SITE_WITHOUT_AGENT);
		return row;
	},
});

const SITE_WITHOUT_AGENT =
	"No agent answers from the website yet: switch on 'Add to Agent', or use its ID in Add Files with Source Type 'Website'";
