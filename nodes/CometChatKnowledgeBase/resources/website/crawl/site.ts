import type { Batch } from '../../../delivery/delivery';
import type { ApiClient } from '../../../api/apiClient';
import { deleteOne } from '../../../api/documents';
import type { FoundPage } from '../../../api/websites';
import { foundPages, processRequest, readProcessed, retryPages } from '../../../api/websites';
import { toResult, isFailure, UserError } from '../../../text/failure';
import { quoted } from '../../../text/quoting';
import { WEBSITE } from '../../../text/sourceTypes';
import type { SitePages } from './pages';
import { groupPages } from './pages';

/** A crawl has found all pages once no more of them have come for so long. */
const NO_MORE_MS = 60_000;

/** CometChat documents the status `completed` only. */
const HAS_ENDED = /^(?:complete|success|done|finish)/i;
const HAS_FAILED = /fail|error|abort|cancel/i;

/** The crawl of a website by this execution. */
interface Crawled {
	/** Whether the website did not exist before. */
	isNew: boolean;
	/** What CometChat said of the crawl; empty if its response was lost. */
	status: string;
	/** When Crawl Timeout is over. */
	endMs: number;
}

/** Whether CometChat did not report that a crawl has ended. */
export function isEndUnknown({ status }: Crawled): boolean {
	return !HAS_FAILED.test(status) && !HAS_ENDED.test(status);
}

/** A website of the account. Items with one URL share it. */
export class Site {
	/** Whether it was deleted again because its crawl failed. */
	isDeleted = false;

	client: ApiClient;

	private found: FoundPage[] = [];

	private started?: Promise<void>;

	private hasRetried = false;

	/** @param website Its ID, and the URL under which CometChat lists it. */
	constructor(
		private readonly run: Batch,
		readonly website: { uniqueId: string; url: string },
		readonly crawled?: Crawled,
	) {
		// After a crawl only the stop button ends its requests.
		this.client = crawled === undefined ? run.starting : run.finishing;
	}

	get pages(): SitePages {
		return groupPages(this.found);
	}

	/** Reads the pages. @param isWhole If not: while a page is open, those after it are not needed. */
	async look(isWhole = true): Promise<void> {
		this.found = await foundPages(this.client, this.website.uniqueId, {
			isLast: ({ entries }) => !isWhole && groupPages(entries).open.length > 0,
		});
	}

	/** Waits until all pages are found, and lets CometChat read those that it does not read by itself. Once. */
	async start(): Promise<void> {
		this.started ??= this.checkCrawl().then(async () => await this.startReading());
		await this.started;
	}

	/** Deletes a new website whose crawl failed. If that is not possible, the row names it. */
	private async checkCrawl(): Promise<void> {
		const { crawled, run, website } = this;
		await this.look();
		if (crawled === undefined) return;
		for (let count = -1; isEndUnknown(crawled) && this.found.length > count;) {
			if (run.starting.clock.nowMs() >= crawled.endMs) break;
			count = this.found.length;
			await run.starting.clock.delay(NO_MORE_MS);
			await this.look();
		}
		const hasFailed = HAS_FAILED.test(crawled.status);
		if (!hasFailed && this.found.length > 0) return;
		if (crawled.isNew) {
			const deletion = await toResult(deleteOne(this.client, WEBSITE, website.uniqueId));
			this.isDeleted = !isFailure(deletion);
		}
		throw hasFailed ? crawlFailed(website.url) : noPages(website.url);
	}

	private async startReading(): Promise<void> {
		const { waiting } = this.pages;
		if (waiting.length === 0) return;
		const request = processRequest(this.website.uniqueId);
		const answer = await toResult(this.client.call(request, readProcessed, { repeat: 'never' }));
		await this.look();
		// After a lost response, or if CometChat has started by itself, the pages show it.
		if (isFailure(answer) && this.pages.waiting.length === waiting.length) throw answer;
	}

	/**
	 * Asks how far the pages are. Failed pages are tried once more.
	 *
	 * @param isLast Whether the pages that were read by now have to do.
	 * @returns Whether CometChat has finished all pages.
	 * @throws Failure if it has read none of them
	 */
	async isReady(isLast: boolean): Promise<boolean> {
		await this.start();
		await this.look(isLast);
		const { failed, open } = this.pages;
		if (open.length > 0 && !isLast) return false;
		if (failed.length > 0 && !this.hasRetried && !isLast) {
			this.hasRetried = true;
			await toResult(retryPages(this.client, this.website.uniqueId, failed));
			return false;
		}
		checkRead(this);
		return true;
	}
}

/** @throws UserError if no page is read that agents could answer from */
export function checkRead({ pages, website }: Site): void {
	const { read, failed, open } = pages;
	if (read.length > 0) return;
	const isLate = open.length > 0;
	throw new UserError(
		isLate
			? "CometChat didn't finish indexing within 'Indexing Timeout (Minutes)'"
			: `CometChat couldn't index any page of ${quoted(website.url)}`,
		isLate
			? "If this keeps happening, increase 'Indexing Timeout (Minutes)' under 'Options'."
			: CHECK_PAGES,
		{
			detail: `Indexed: 0, failed: ${failed.length}, not finished: ${open.length}.`,
			cause: isLate ? 'temporarily-unavailable' : 'configuration-invalid',
		},
	);
}

function crawlFailed(url: string): UserError {
	return new UserError(
		`CometChat reports that the crawl of ${quoted(url)} failed`,
		"Check in a browser that 'Website URL' opens without signing in. Then run the item again.",
		{ cause: 'temporarily-unavailable' },
	);
}

function noPages(url: string): UserError {
	return new UserError(
		`CometChat found no page at ${quoted(url)}`,
		"Check that 'Website URL' opens in a browser without signing in, and that a script doesn't create its links. Check that the website allows robots, and that 'Crawl Only URLs With' matches 'Website URL'. Then run the item again.",
		{ cause: 'configuration-invalid' },
	);
}

const CHECK_PAGES =
	"Check in a browser that the pages open without signing in. 'Website: Get Pages' lists the pages. To index the pages again, use 'Document: Retry Indexing'.";
