import type { ItemContext } from '../../execution/itemContext';
import type { Ingestion } from '../../ingestion/ingestion';
import type { IngestionRun } from '../../ingestion/ingestionRun';
import { asOld } from '../../ingestion/oldVersions';
import type { ItemFailure } from '../../results/apiError';
import { explainedBy, isItemFailure, mayBeDone, ApiError } from '../../results/apiError';
import type { Explanation } from '../../results/messages';
import type { KnowledgeBaseRecord } from '../../service/records';
import type { Crawl, FoundPage } from '../../service/websites';
import { crawlRequest, readCrawl } from '../../service/websites';
import { quoted } from '../../values/quoting';
import { shownTime } from '../../values/times';
import { ifSiteExistsOption, maxCrawlOption } from './crawlOptions';
import type { CrawlTask } from './crawlTask';
import type { PageCounts } from './pageCounts';
import { PageIndexing } from './pageIndexing';
import { unusedParts } from './pageSelection';
import type { SiteLook, SiteList } from './siteList';
import { LOOK_LONG_MS, LOOK_ON_MS, LOOK_SHORTLY_MS } from './siteList';
import { UserError } from '../../values/userError';
import { attempt } from '../../service/apiClient';

/** What is there of a website before the run. */
export interface SiteBefore {
	site: KnowledgeBaseRecord;
	pages: FoundPage[];
	counts: PageCounts;
}

export type CrawlAction = 'crawled' | 'continued' | 'refreshed' | 'skipped';

/** A website on its way into CometChat: crawled if it has to be, and its pages indexed. */
export class SiteCrawl {
	readonly indexing: PageIndexing;

	/** As they were last seen. */
	counts?: PageCounts;

	/** What the agent keeps beside the new website, which is much smaller. */
	kept?: string;

	/** Whether pages may still come. */
	private mayGoOn = false;

	constructor(
		private readonly run: IngestionRun,
		private readonly sites: SiteList,
		private readonly task: CrawlTask,
		private readonly steps: ItemContext,
	) {
		this.indexing = new PageIndexing(run, steps, task.address, task.chosen);
	}

	/** What is to be done with a website that is there, or not. */
	actionFor(before: SiteBefore | undefined): CrawlAction | UserError {
		const action = this.wantedAction(before);
		const isCrawled = action === 'crawled' || action === 'refreshed';
		return isCrawled && this.sites.wasAsked(this.task.address) ? ASKED_BEFORE : action;
	}

	private wantedAction(before: SiteBefore | undefined): CrawlAction | UserError {
		if (before === undefined) return 'crawled';
		const isOurs = this.sites.wasCrawled(before.site);
		// Nothing was found then, or the run broke off: there is nothing to be kept.
		if (before.counts.found === 0 && !isOurs) return 'refreshed';
		if (before.counts.open > 0 || before.counts.found === 0) return 'continued';
		if (isOurs) return 'skipped';
		switch (this.run.option(ifSiteExistsOption)) {
			case 'skip':
				return 'skipped';
			case 'refresh':
				return 'refreshed';
			case 'fail':
				return new UserError(
					`CometChat has the website ${quoted(this.task.address)} already`,
					`'If the Site Is There' under Options can also skip it, or crawl it again. It is there as: ${this.sites.described([before.site])}.`,
					{ cause: 'configuration-invalid' },
				);
		}
	}

	/** Why a website that is there is not crawled. */
	whySkipped({ site, pages }: SiteBefore): string {
		if (this.sites.wasCrawled(site)) return 'An item before this one had it crawled.';
		const times = pages.flatMap(({ lastCrawledAt }) => {
			return typeof lastCrawledAt === 'number' ? [lastCrawledAt] : [];
		});
		const newest = times.reduce((one, other) => Math.max(one, other), 0);
		const last = newest > 0 && shownTime(newest, this.run.context.getTimezone());
		return `${last ? `Last crawled ${last}, and not again` : 'Not crawled again'}: 'If the Site Is There' under Options is Skip; Refresh would read it anew.`;
	}

	/** Brings it into CometChat, with the chosen pages indexed, or on their way if nobody waits for them. */
	async arrive(
		ingestion: Ingestion,
		action: CrawlAction,
		before: SiteBefore | undefined,
	): Promise<boolean> {
		const isCrawled = action === 'crawled' || action === 'refreshed';
		const site = before && !isCrawled ? before.site.uniqueId : await this.crawl(before);
		if (isItemFailure(site)) return ingestion.stop(site, 'uploaded');
		if (action === 'continued' && before) this.sites.noteCrawled(this.task.address, before.site);
		this.steps.noteName(site, this.task.address);
		ingestion.arrived(site);
		const unsettled = this.mayGoOn ? await this.settle(site) : undefined;
		if (unsettled) return ingestion.stop(unsettled);
		const old = before?.site.uniqueId === site ? undefined : before;
		if (old) ingestion.oldVersions.set(asOld([old.site]));
		const started = action === 'skipped' ? undefined : await this.indexing.start(site);
		if (isItemFailure(started)) return ingestion.stop(started);
		const mustWait = this.task.destination.waitUntilIndexed || old !== undefined;
		const counts =
			started && started.open > 0 && !mustWait ? started : await this.indexing.untilRead(site);
		if (isItemFailure(counts)) return ingestion.stop(counts);
		this.counts = counts;
		if (isCrawled && counts.found >= this.task.settings.maxPages)
			this.steps.warn(this.atTheLimit(counts));
		if (old) this.keepIfShrunk(ingestion, old, counts);
		return true;
	}

	/** A second crawl has made a second website: it takes the place of the first, unless it is much smaller. */
	private keepIfShrunk(ingestion: Ingestion, old: SiteBefore, counts: PageCounts): void {
		if (counts.processed * 2 >= old.counts.processed) return;
		ingestion.oldVersions.set([]);
		this.kept = old.site.uniqueId;
		this.steps.warn(
			`The new crawl of ${quoted(this.task.address)} indexed ${counts.processed} pages, the one before ${old.counts.processed}: the agent keeps the old website (ID ${old.site.uniqueId}), too. Take it out with Remove Files if the site has really shrunk`,
		);
	}

	/** @returns The ID of the website. */
	private async crawl(before: SiteBefore | undefined): Promise<string | ItemFailure> {
		const { task, steps } = this;
		const { address } = task;
		this.indexing.tell(`CometChat looks for the pages of ${quoted(address)}`);
		// Sent again after a lost answer, the website could be there twice, and be paid for twice.
		const sent = await attempt(steps, crawlRequest(task.settings), readCrawl, {
			repeat: 'never',
			timeoutMs: this.run.option(maxCrawlOption),
		});
		if (sent instanceof ApiError && !mayBeDone(sent)) return sent;
		this.sites.noteAsked(address);
		if (!(sent instanceof ApiError)) this.compareWithSitemap(sent);
		const site = await this.find(sent, before);
		if (isItemFailure(site)) return site;
		this.sites.noteCrawled(address, site);
		this.mayGoOn = sent instanceof ApiError || !hasEnded(sent);
		return site.uniqueId;
	}

	/** The website that a crawl has made, or read anew. */
	private async find(
		sent: Crawl | ApiError,
		before: SiteBefore | undefined,
	): Promise<KnowledgeBaseRecord | ItemFailure> {
		const { sites, steps, task } = this;
		const isLost = sent instanceof ApiError;
		const pausesMs = before ? LOOK_SHORTLY_MS : LOOK_LONG_MS;
		const look = await sites.newSince(steps, task.address, pausesMs);
		if (isItemFailure(look)) return nobodyKnows(isLost ? sent : look);
		const [found, another] = look.sites;
		if (another) return nobodyKnows(sites.several(task.address, look.sites));
		if (found) this.run.inventory.noteCreated(found);
		if (found) return found;
		if (isLost) return explainedBy(inTime, sent);
		return before ? await this.readAnew(before) : this.notListed(look);
	}

	/** Where no second website is listed: whether the crawl has read the first anew, its pages tell. */
	private async readAnew({ site, pages }: SiteBefore): Promise<KnowledgeBaseRecord | ItemFailure> {
		const { sites, steps, task } = this;
		const now = await this.indexing.pages(site.uniqueId);
		if (isItemFailure(now)) return nobodyKnows(now);
		if (JSON.stringify(now) !== JSON.stringify(pages)) return site;
		const look = await sites.newSince(steps, task.address, LOOK_ON_MS);
		if (isItemFailure(look)) return nobodyKnows(look);
		const [late] = look.sites;
		if (late) this.run.inventory.noteCreated(late);
		if (late) return late;
		steps.warn(
			`CometChat has crawled ${quoted(task.address)} again, and neither its pages nor its list show any change: look at it again later with Website: Get Pages`,
		);
		return site;
	}

	/** Where CometChat has not said that it has found all pages. */
	private async settle(uniqueId: string): Promise<ItemFailure | undefined> {
		const count = await this.indexing.settled(uniqueId);
		if (isItemFailure(count)) return count;
		this.steps.warn(
			`CometChat did not say that the crawl of ${quoted(this.task.address)} has ended; after a minute without more, ${count} pages were taken for all. If some are missing, run it again with 'If the Site Is There' set to Refresh`,
		);
		return undefined;
	}

	private compareWithSitemap({ sitemap }: Crawl): void {
		if (sitemap.length === 0) return;
		const unused = unusedParts(this.task.settings, sitemap);
		if (unused.length === 0) return;
		const parts = unused.map(quoted).join(', ');
		this.steps.warn(
			`No address in the sitemap of ${quoted(this.task.address)} contains ${parts}: check the spelling`,
		);
	}

	private atTheLimit({ found }: PageCounts): string {
		return `CometChat found ${found} pages at ${quoted(this.task.address)}, as many as 'Max Pages' allows: there may be more`;
	}

	private notListed({ others }: SiteLook): UserError {
		const { address } = this.task;
		const said: string =
			others.length === 0
				? 'Its list may be late.'
				: `New in its list: ${this.sites.described(others)}. A site that forwards to another address is listed under that one.`;
		return new UserError(
			`CometChat has crawled ${quoted(address)}, and its list shows no new website with that address`,
			others.length === 0
				? 'If it stays like this, ask CometChat.'
				: "If that is it, put its address into 'Address'.",
			{ said, effect: 'unknown', cause: 'temporarily-unavailable' },
		);
	}
}

const ASKED_BEFORE = new UserError(
	'An item before this one had the address crawled, and nobody knows what became of that',
	'To go on, run the item again in a few minutes: it looks first whether the website is there.',
	{
		said: 'CometChat was not asked twice, because the website could then be there twice.',
		cause: 'temporarily-unavailable',
	},
);

/** By the example of CometChat's pages, `completed`; what else there is, is not documented. */
export function hasEnded(crawl: Crawl | ApiError): boolean {
	if (crawl instanceof ApiError) return false;
	const { status } = crawl;
	return status === undefined || /^(?:complete|success|done|finish)/i.test(status);
}

/** A large site takes longer than other requests, and has a limit of its own. */
function inTime(explanation: Explanation): Explanation | undefined {
	const { code, status } = explanation;
	const isLate = code === 'ECONNABORTED' || status === 408 || status === 504;
	return isLate ? { ...explanation, remedy: LONGER } : undefined;
}

const LONGER: string =
	"A large site takes long: 'Max Crawl Time (Minutes)' under Options gives it more time.";

/** The crawl may be done all the same. */
function nobodyKnows(failure: ItemFailure): ItemFailure {
	if (failure instanceof ApiError) {
		return new ApiError({ ...failure.result, effect: 'unknown' });
	}
	return new UserError(failure.what, failure.remedy, { ...failure.more, effect: 'unknown' });
}
