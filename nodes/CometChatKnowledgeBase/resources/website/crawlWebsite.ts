import type { ItemRun, Performer, Ready } from '../../execution/items';
import { itemByItem } from '../../execution/items';
import type { Operation } from '../../execution/operation';
import { NOTHING_CHANGED, ItemContext } from '../../execution/itemContext';
import { maxIndexingOption } from '../../ingestion/indexing';
import { Ingestion } from '../../ingestion/ingestion';
import type { IngestionRun } from '../../ingestion/ingestionRun';
import { ingestionRun } from '../../ingestion/ingestionRun';
import { OF_WEBSITE } from '../../ingestion/wordings';
import { addToAgentFields } from '../../input/fields';
import type { ItemFailure } from '../../results/apiError';
import { caught, explainedBy, isItemFailure, mayBeDone } from '../../results/apiError';
import type { Fields, ItemResult } from '../../results/itemResult';
import { explainUnknownAgent } from '../../results/messages';
import { documentsOf } from '../../service/agents';
import { listed, quoted } from '../../values/quoting';
import { comparableAddress } from './address';
import { ifSiteExistsOption, maxCrawlOption } from './crawlOptions';
import type { CrawlTask } from './crawlTask';
import { addressField, crawlReader, pagesField } from './crawlTask';
import type { PageCounts } from './pageCounts';
import { countFields } from './pageCounts';
import type { CrawlAction, SiteBefore } from './siteCrawl';
import { SiteCrawl } from './siteCrawl';
import { SiteList, WEBSITE } from './siteList';
import { UserError } from '../../values/userError';

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
	const sites = new SiteList(run);
	return {
		perform: async (item) => await performCrawl(item, run, sites),
		// The second finds what the first has brought.
		keysOf: async ({ task }) => [comparableAddress(task.address)],
	};
}

async function performCrawl(
	{ task, requested }: Ready<CrawlTask>,
	run: IngestionRun,
	sites: SiteList,
): Promise<ItemResult> {
	const steps = new ItemContext(run);
	const { uid } = task.destination;
	const crawl = new SiteCrawl(run, sites, task, steps);
	const found = await lookFor(crawl, { task, run, sites, steps });
	if (isItemFailure(found)) return steps.failed(found, requested, NOTHING_CHANGED);
	const { before, isAttached } = found;
	const action = crawl.actionFor(before);
	if (isItemFailure(action)) return steps.failed(action, requested, NOTHING_CHANGED);
	const names = [task.address];
	// One that is crawled may come as another.
	const isSame = action === 'skipped' || action === 'continued';
	const to = isAttached && isSame ? undefined : uid;
	const target = { sourceType: WEBSITE, names, uid: to, wording: OF_WEBSITE } as const;
	const ingestion = new Ingestion(run, target, steps);
	const arrive = async () => await crawl.arrive(ingestion, action, before);
	await ingestion.bring(arrive, false, 'ifUnused');
	const { notDeleted, oldVersions } = ingestion;
	if (notDeleted !== undefined) {
		const old = listed(oldVersions.kept);
		steps.warn(
			`The old website (ID ${old}) is still in CometChat. ${notDeleted}. ${DELETE_OLD_SITE}`,
		);
	}
	if (uid === undefined) steps.remark(SITE_WITHOUT_AGENT);
	return crawlResult({ ingestion, crawl, steps, task, action, isAttached, before });
}

/** What there is before anything is sent that changes something. */
async function lookFor(
	crawl: SiteCrawl,
	{
		task,
		run,
		sites,
		steps,
	}: Pick<Crawled, 'task' | 'steps'> & {
		run: IngestionRun;
		sites: SiteList;
	},
): Promise<{ before?: SiteBefore; isAttached: boolean } | ItemFailure> {
	const { uid } = task.destination;
	const { inventory } = run;
	let documents: readonly string[] = [];
	if (uid !== undefined) {
		const agent = explainedBy(explainUnknownAgent, await caught(inventory.agentAlone(steps, uid)));
		if (isItemFailure(agent)) return agent;
		documents = documentsOf(agent);
	}
	const site = await sites.withAddress(steps, task.address, documents);
	if (site === undefined) return { isAttached: false };
	if (isItemFailure(site)) return site;
	const pages = await crawl.indexing.pages(site.uniqueId);
	if (isItemFailure(pages)) return pages;
	const isAttached =
		documents.some((id) => id === site.uniqueId) ||
		(uid !== undefined && inventory.hasGiven(uid, site.uniqueId));
	return { before: { site, pages, counts: crawl.indexing.counts(pages) }, isAttached };
}

const DELETE_OLD_SITE: string =
	'Delete it with Document: Delete if no agent needs it: otherwise each refresh may leave one';

const SITE_WITHOUT_AGENT: string =
	"No agent answers from the website yet: switch on 'Add to Agent', or use its ID in Add Files with Source Type 'Website'";

interface Crawled {
	ingestion: Ingestion;
	crawl: SiteCrawl;
	steps: ItemContext;
	task: CrawlTask;
	action: CrawlAction;
	/** Whether the agent had it before. */
	isAttached: boolean;
	before?: SiteBefore;
}

function crawlResult(crawled: Crawled): ItemResult {
	const { ingestion, crawl, steps, task, action, before } = crawled;
	const { failure, newId } = ingestion;
	const { counts } = crawl;
	const { uid } = task.destination;
	const old = oldSites(crawled);
	const more: Fields = {
		uniqueId: newId,
		sourceType: WEBSITE,
		uid,
		...(old.length > 0 && { old }),
		...(counts && countFields(counts)),
	};
	const name = task.address;
	if (failure) {
		const again = failure instanceof UserError ? failure.more.again : undefined;
		const shown = () => ({ name, action: 'failed' as const, ...more });
		return ingestion.failed(failure, shown, (told) => again ?? told);
	}
	if (counts && counts.failed > 0) steps.warn(someFailed(task.address, counts));
	const told = action === 'skipped' && before ? skippedFields(crawled, before) : { action };
	return ingestion.succeeded({ name, ...told, success: true, ...more });
}

/** What became of the website that was there before, where the crawl has made another. */
function oldSites({ ingestion, crawl, task: { address: name } }: Crawled): Fields[] {
	const { failure, notDeleted, oldVersions } = ingestion;
	if (crawl.kept !== undefined) {
		const reason = 'The new crawl has indexed less than half as many pages';
		return [{ name, action: 'kept', uniqueId: crawl.kept, reason }];
	}
	const isUnknown = failure !== undefined && mayBeDone(failure) && ingestion.has('added');
	const inDoubt = isUnknown ? 'It is not known whether that is still so' : undefined;
	return oldVersions.ids.map((id): Fields => {
		const row = { name, uniqueId: id };
		if (oldVersions.held.includes(id)) return { ...row, action: 'kept', reason: inDoubt };
		if (oldVersions.kept.includes(id)) return { ...row, action: 'removed', reason: notDeleted };
		const isOut = oldVersions.left.some(({ uniqueId }) => uniqueId === id);
		return isOut ? { ...row, action: 'removed', reason: inDoubt } : { ...row, action: 'deleted' };
	});
}

/** What became of a website that was not crawled: the agent may have been given it all the same. */
function skippedFields({ crawl, task, isAttached }: Crawled, before: SiteBefore): Fields {
	const isAdded = task.destination.uid !== undefined && !isAttached;
	const why = crawl.whySkipped(before);
	if (isAdded) return { action: 'added', reason: `${why} The agent was given it.` };
	const reason = isAttached ? `${why} The agent had it already.` : why;
	return { action: 'skipped', reason };
}

function someFailed(address: string, { failed, found }: PageCounts): string {
	return `${failed} of ${found} pages of ${quoted(address)} could not be read: the item names them, up to ten, and Website: Retry Pages sends them again`;
}
