import type { RunClient } from '../../../operations/operation';
import { notFinished } from '../../../delivery/failures';
import { until } from '../../../http/time';
import { deleteOne } from '../../../api/documents';
import { pagesUntil } from '../../../api/pagination';
import type { WebsitePage } from '../../../api/websites';
import { processRequest, readProcessed, retryPages, websitePages } from '../../../api/websites';
import { toResult, isFailure, UserError } from '../../../text/failure';
import { quoted } from '../../../text/quoting';
import { WEBSITE } from '../../../text/sourceTypes';
import type { WebsitePages } from './pages';
import { groupPages } from './pages';

/** A crawl has found all pages if it finds no more pages for this long. */
const NO_MORE_MS = 60_000;

const START_PAUSES_MS = [0, 1000, 4000];

/** CometChat only documents the status `completed`. */
const HAS_ENDED = /^(?:complete|success|done|finish)/i;
const HAS_FAILED = /fail|error|abort|cancel/i;

/** The crawl of a website by this execution. */
interface Crawled {
	/** Whether the website did not exist before. */
	isNew: boolean;
	/** CometChat's status of the crawl; empty if its response was lost. */
	status: string;
	/** The end of 'Crawl Timeout'. */
	endMs: number;
}

/** A website of the account. Items with the same URL share it. */
export class Website {
	pages: WebsitePages = groupPages([]);

	/** Whether this execution deleted the new website because its crawl failed. */
	isDeleted = false;

	private started?: Promise<void>;

	private hasRetried = false;

	/** @param url The URL in CometChat's list. */
	constructor(
		private readonly client: RunClient,
		readonly uniqueId: string,
		readonly url: string,
		readonly crawled?: Crawled,
	) {}

	/** Whether CometChat did not report that the crawl has ended. */
	get isEndUnknown(): boolean {
		const { status } = this.crawled ?? { status: 'completed' };
		return !HAS_FAILED.test(status) && !HAS_ENDED.test(status);
	}

	/** Reads the pages. @param isWhole If false, pages after an open page are not read. */
	async look(isWhole = true): Promise<void> {
		const pages = websitePages(this.client, this.uniqueId);
		const isFound = (page: WebsitePage[]) => !isWhole && groupPages(page).open.length > 0;
		const { entries } = await pagesUntil(pages, isFound);
		this.pages = groupPages(entries);
	}

	/** Waits until a crawl has found all pages, and starts indexing of the pages that wait for it. Runs only once. */
	async start(): Promise<void> {
		this.started ??= this.checkCrawl().then(async () => await this.startIndexing());
		await this.started;
	}

	/**
	 * Deletes a new website whose crawl failed or found no page. A website with an indexed page may be of another execution.
	 * If the website may still exist, its row contains its ID.
	 */
	private async checkCrawl(): Promise<void> {
		const { client, crawled, uniqueId, url } = this;
		if (crawled === undefined) return;
		const hasFailed = HAS_FAILED.test(crawled.status);
		await (hasFailed ? this.look() : this.waitForPages(crawled.endMs));
		const { found, waiting } = this.pages;
		if (!hasFailed && found.length > 0) return;
		if (crawled.isNew && !this.isEndUnknown && found.length === waiting.length) {
			this.isDeleted = !isFailure(await toResult(deleteOne(client, WEBSITE, uniqueId)));
		}
		throw hasFailed ? crawlFailed(url) : noPages(url);
	}

	/** Waits for the pages: their list may be late, and a crawl may continue after its response. */
	private async waitForPages(endMs: number): Promise<void> {
		const { clock } = this.client;
		let count = -1;
		const haveAllCome = async () => {
			const before = count;
			await this.look();
			count = this.pages.found.length;
			const isSame = count === before;
			const isOver = this.isEndUnknown ? isSame && count > 0 : isSame || count > 0;
			return isOver || undefined;
		};
		const deadlineMs = Math.max(endMs, clock.nowMs() + NO_MORE_MS);
		const waited = await until(clock, deadlineMs, everyMinute(), haveAllCome);
		if (isFailure(waited)) throw waited;
	}

	/** Starts indexing. Repeats a request with a lost response only if the pages show that it had no effect. */
	private async startIndexing(): Promise<void> {
		const { waiting } = this.pages;
		if (waiting.length === 0) return;
		const request = processRequest(this.uniqueId);
		const start = async () => {
			const sending = this.client.call(request, readProcessed, { repeat: 'never' });
			const answer = await toResult(sending);
			if (!isFailure(answer)) return true;
			await this.look();
			if (this.pages.waiting.length === waiting.length) throw answer;
			return true;
		};
		const started = await until(this.client.clock, Infinity, START_PAUSES_MS, start);
		if (isFailure(started)) throw started;
	}

	/**
	 * Reads the status of the pages, and lets CometChat index failed pages again, once.
	 *
	 * @param isLast Whether the wait ends after this request.
	 * @returns Whether CometChat has finished all pages.
	 * @throws Failure if CometChat indexed no page
	 */
	async isReady(isLast: boolean): Promise<boolean> {
		await this.start();
		await this.look(isLast);
		const { failed, open } = this.pages;
		if (open.length > 0 && !isLast) return false;
		if (failed.length > 0 && !this.hasRetried && !isLast) {
			this.hasRetried = true;
			await toResult(retryPages(this.client, this.uniqueId, failed));
			return false;
		}
		checkRead(this);
		return true;
	}
}

function* everyMinute(): Generator<number> {
	for (let pauseMs = 0; ; pauseMs = NO_MORE_MS) yield pauseMs;
}

/** @throws UserError if no page is indexed */
export function checkRead({ pages: { read, open }, url }: Website): void {
	if (read.length > 0) return;
	if (open.length > 0) throw notFinished({ name: url, status: 'indexing' });
	const title = `CometChat couldn't index any page of ${quoted(url)}`;
	throw new UserError(title, CHECK_PAGES, { cause: 'configuration-invalid' });
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
		"Check that 'Website URL' opens in a browser without signing in, and that the website allows robots. Check 'Crawl Only URLs With'. Then run the item again.",
		{ cause: 'configuration-invalid' },
	);
}

const CHECK_PAGES =
	"Check in a browser that the pages open without signing in. 'Website: Get Pages' lists the pages. To index the pages again, use 'Document: Retry Indexing'.";
