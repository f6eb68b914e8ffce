import type { ItemContext } from '../../execution/itemContext';
import { maxIndexingOption } from '../../ingestion/indexing';
import type { IngestionRun } from '../../ingestion/ingestionRun';
import type { ItemFailure } from '../../results/apiError';
import { isItemFailure, ApiError } from '../../results/apiError';
import type { FoundPage } from '../../service/websites';
import { foundPages, processRequest, readProcessed } from '../../service/websites';
import { listed, quoted } from '../../values/quoting';
import { maxCrawlOption } from './crawlOptions';
import type { PageCounts } from './pageCounts';
import { countPages } from './pageCounts';
import type { Selection } from './pageSelection';
import { matchesSelection } from './pageSelection';
import { UserError } from '../../values/userError';
import { attempt } from '../../service/apiClient';

const SHORTEST_LOOK_PAUSE_MS = 1000;

const LONGEST_LOOK_PAUSE_MS = 15_000;

/** A large site takes a hundred requests to look at: at this rate they are a tenth of the free plan's limit. */
const PAUSE_PER_100_PAGES_MS = 1200;

/** How often the pages are counted without one more, before no more are taken to come. */
const LOOKS_WITHOUT_MORE = 3;

const BETWEEN_LOOKS_MS = 20_000;

/** The pages of a website, from being found to being indexed. */
export class PageIndexing {
	constructor(
		private readonly run: IngestionRun,
		private readonly steps: ItemContext,
		private readonly address: string,
		private readonly chosen: Selection,
	) {}

	async pages(uniqueId: string): Promise<FoundPage[] | ItemFailure> {
		return await foundPages(this.steps, uniqueId);
	}

	isChosen = ({ url }: FoundPage): boolean => matchesSelection(url, this.chosen);

	counts(pages: FoundPage[]): PageCounts {
		return countPages(pages, this.isChosen);
	}

	/**
	 * Waits until no more pages come, where CometChat has not said that it has found all.
	 *
	 * @returns How many there are.
	 */
	async settled(uniqueId: string): Promise<number | ItemFailure> {
		const lastMs = this.run.clock.nowMs() + this.run.option(maxCrawlOption);
		let most = 0;
		for (let looks = 0; looks < LOOKS_WITHOUT_MORE; looks++) {
			const stopped = await this.pause(BETWEEN_LOOKS_MS);
			if (stopped) return stopped;
			const pages = await this.pages(uniqueId);
			if (isItemFailure(pages)) return pages;
			if (pages.length > most && this.run.clock.nowMs() < lastMs) looks = -1;
			most = Math.max(most, pages.length);
			this.tell(`${most} pages of ${quoted(this.address)} found`);
		}
		return most;
	}

	/** Lets CometChat index the chosen pages, unless it does so already. */
	async start(uniqueId: string): Promise<PageCounts | ItemFailure> {
		const pages = await this.pages(uniqueId);
		if (isItemFailure(pages)) return pages;
		const chosen = pages.filter(this.isChosen);
		if (pages.length === 0) return this.noPages();
		if (chosen.length === 0) return this.noneChosen(pages);
		const others = pages.filter((page) => !this.isChosen(page));
		if (chosen.some(isFound)) {
			const begun = await this.process(uniqueId, others);
			if (begun) return begun;
		}
		const foreign = others.filter(({ status }) => status === 'processed');
		if (foreign.length > 0) this.steps.warn(`${UNCHOSEN}: ${addressesOf(foreign)}`);
		return this.counts(pages);
	}

	/** @returns Why the chosen pages are still to be indexed; undefined if they are on their way. */
	private async process(uniqueId: string, others: FoundPage[]): Promise<ItemFailure | undefined> {
		const excluded = others.map(({ urlId }) => urlId);
		const request = processRequest(uniqueId, excluded);
		// What becomes of a page that is named twice is not documented.
		const sent = await attempt(this.steps, request, readProcessed, { repeat: 'never' });
		if (!(sent instanceof ApiError)) return undefined;
		// A lost answer, or one that there is nothing to do: the pages themselves tell.
		const pages = await this.pages(uniqueId);
		const isBegun = !isItemFailure(pages) && !pages.filter(this.isChosen).some(isFound);
		return isBegun ? undefined : sent;
	}

	/** Waits until CometChat has said of each chosen page how it ended. */
	async untilRead(uniqueId: string): Promise<PageCounts | ItemFailure> {
		const { clock, option } = this.run;
		const startMs = clock.nowMs();
		const lastMs = startMs + option(maxIndexingOption);
		for (;;) {
			const pages = await this.pages(uniqueId);
			if (isItemFailure(pages)) return pages;
			const counts = this.counts(pages);
			const nowMs = clock.nowMs();
			if (counts.open === 0) {
				const isAnyRead = pages.some((page) => page.status === 'processed' && this.isChosen(page));
				return isAnyRead ? counts : this.noneRead(counts);
			}
			this.tell(
				`${counts.processed} of ${pages.filter(this.isChosen).length} pages of ${quoted(this.address)} indexed`,
			);
			if (nowMs >= lastMs) return pagesTooSlow(counts);
			const growingMs = Math.min(Math.ceil((nowMs - startMs) / 2), LONGEST_LOOK_PAUSE_MS);
			const sparingMs = Math.ceil(pages.length / 100) * PAUSE_PER_100_PAGES_MS;
			const pauseMs = Math.max(growingMs, sparingMs, SHORTEST_LOOK_PAUSE_MS);
			const stopped = await this.pause(Math.min(pauseMs, Math.max(lastMs - nowMs, 1)));
			if (stopped) return stopped;
		}
	}

	/** Who waits holds nothing that others could use meanwhile. */
	private async pause(pauseMs: number): Promise<UserError | undefined> {
		const { clock, permits } = this.run;
		await permits.without(async () => await clock.delay(pauseMs));
		return clock.isCancelled() ? STOPPED_WHILE_READING : undefined;
	}

	/** In a run by hand, the browser's console shows it: n8n has no other place for a run that goes on. */
	tell(words: string): void {
		this.run.context.sendMessageToUI(words);
	}

	private noPages(): UserError {
		return new UserError(
			`CometChat found no page at ${quoted(this.address)}`,
			"Open 'Address' in a browser without signing in. Check that the page has links that are not made by a script, that the site lets robots in, and that 'Only Addresses With' fits the address itself.",
			{
				again: 'To go on, run the item again: it is then crawled anew.',
				cause: 'configuration-invalid',
			},
		);
	}

	private noneChosen(pages: FoundPage[]): UserError {
		return new UserError(
			`None of the ${pages.length} pages that CometChat found matches 'Index Only Addresses With'`,
			`Found were, for example: ${addressesOf(pages)}.`,
			{
				said: 'No page was indexed.',
				again:
					"To go on, correct 'Index Only Addresses With' and run the item again: it does not crawl anew.",
				cause: 'configuration-invalid',
			},
		);
	}

	private noneRead({ failed, skipped }: PageCounts): UserError {
		return new UserError(
			`CometChat was not able to index any page of ${quoted(this.address)}${this.chosen.include.length > 0 ? " that matches 'Index Only Addresses With'" : ''}`,
			'Look at its pages with Website: Get Pages, and check in a browser that they can be read without signing in. Website: Retry Pages sends them again.',
			{ said: `Failed: ${failed}, left out: ${skipped}.`, cause: 'configuration-invalid' },
		);
	}
}

function isFound({ status }: FoundPage): boolean {
	return status === 'discovered';
}

function addressesOf(pages: FoundPage[]): string {
	return listed(pages.map(({ url }) => quoted(url)));
}

const UNCHOSEN: string =
	"CometChat has indexed pages that do not match 'Index Only Addresses With', and agents with this website answer from them";

const STOPPED_WHILE_READING = new UserError(
	'The run stopped while CometChat was reading the website',
	'',
	{ because: 'cancelled' },
);

function pagesTooSlow({ processed, failed, open }: PageCounts): UserError {
	return new UserError(
		"CometChat did not finish indexing within 'Max Indexing Time (Minutes)'",
		'Raise that option under Options if this comes again.',
		{
			said: `Indexed: ${processed}, failed: ${failed}, not yet: ${open}.`,
			cause: 'temporarily-unavailable',
		},
	);
}
