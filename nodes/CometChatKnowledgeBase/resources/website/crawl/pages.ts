import type { Fields } from '../../../output/itemResult';
import type { WebsitePage } from '../../../api/websites';
import { joinLimited, quoted } from '../../../text/quoting';
import { timeMs } from '../../../text/times';
import { normalizeUrl } from './url';

/** The pages of a website, by status. */
export interface WebsitePages {
	found: WebsitePage[];
	/** Agents can answer from these. */
	read: WebsitePage[];
	failed: WebsitePage[];
	/** CometChat doesn't index these until it is told to. */
	waiting: WebsitePage[];
	/** CometChat has not finished these, `waiting` included. */
	open: WebsitePage[];
}

export function groupPages(found: WebsitePage[]): WebsitePages {
	const withStatus = (status: string) => found.filter((page) => page.status === status);
	const ended = ['processed', 'failed', 'skipped'];
	return {
		found,
		read: withStatus('processed'),
		failed: withStatus('failed'),
		waiting: withStatus('discovered'),
		open: found.filter(({ status = '' }) => !ended.includes(status)),
	};
}

/**
 * Decides whether an old website stays in addition to the new one:
 *
 * | Of the old website's indexed pages            | The old website |
 * | --------------------------------------------- | --------------- |
 * | one failed this time, or is not finished      | stays           |
 * | some are missing, and the crawl may go on     | stays           |
 * | more than half are missing                    | stays           |
 * | half have no text now, or two have one text   | stays           |
 * | any other                                     | is replaced     |
 *
 * @returns Why it stays.
 */
export function whyKept(
	before: WebsitePages,
	now: WebsitePages,
	isEndUnknown: boolean,
): string | undefined {
	const unread = new Set([...now.failed, ...now.open].map(({ url }) => normalizeUrl(url)));
	const missing = before.read.filter(({ url }) => unread.has(normalizeUrl(url)));
	const numbers = numbersOf(before, now);
	if (missing.length > 0) {
		return `${STAYS} CometChat couldn't index ${urlsOf(missing)} this time (${numbers})`;
	}
	if (isEndUnknown && before.read.length > now.read.length) {
		return `${STAYS} CometChat didn't report that the crawl has ended (${numbers})`;
	}
	if (before.read.length > 2 * now.read.length) {
		return `${STAYS} CometChat indexed less than half as many pages this time (${numbers})`;
	}
	return hasLostText(before, now)
		? `${STAYS} several pages have no text or one text now`
		: undefined;
}

const STAYS = 'The old website stays, because';

/** The list of pages shows the first 500 characters of a text: two pages may begin alike. */
const SHOWN_CHARACTERS = 500;

/** Whether a website shows a barrier, such as "Just a moment...", instead of the texts that its pages had. */
function hasLostText(before: WebsitePages, now: WebsitePages): boolean {
	const textOf = ({ content }: WebsitePage) => (typeof content === 'string' ? content : undefined);
	const textsBefore = new Map(before.read.map((page) => [normalizeUrl(page.url), textOf(page)]));
	const both = now.read.flatMap((page) => {
		const old = textsBefore.get(normalizeUrl(page.url));
		const text = textOf(page);
		return old?.trim() && text !== undefined ? [{ old, text }] : [];
	});
	const withText = both.filter(({ text }) => text.trim() !== '');
	const oldOf = new Map(withText.map(({ old, text }) => [text, old]));
	const hasSame = withText.some(
		({ old, text }) => text.length < SHOWN_CHARACTERS && oldOf.get(text) !== old,
	);
	return hasSame || (withText.length < both.length && 2 * withText.length <= both.length);
}

/** When CometChat crawled the newest page; undefined if CometChat doesn't report it. */
export function lastCrawledMs({ found }: WebsitePages): number | undefined {
	const times = found.map(({ lastCrawledAt }) => timeMs(lastCrawledAt) ?? 0);
	const newest = times.reduce((last, one) => Math.max(last, one), 0);
	return newest > 0 ? newest : undefined;
}

export function numbersOf(before: WebsitePages, now: WebsitePages): string {
	return `${countOf(now.read)} indexed, ${before.read.length} before`;
}

export function countOf({ length }: WebsitePage[]): string {
	return `${length} ${length === 1 ? 'page' : 'pages'}`;
}

function urlsOf(pages: WebsitePage[]): string {
	return joinLimited(pages.map(({ url }) => quoted(url)));
}

/** More would bury the row. Website: Get Pages lists all of them. */
const MOST_FAILED_NAMED = 10;

/** The numbers of all pages of a website, as output fields. */
export function countFields({ found, read, failed, open }: WebsitePages): Fields {
	const urls = failed.slice(0, MOST_FAILED_NAMED).map(({ url }) => url);
	return {
		pagesFound: found.length,
		pagesProcessed: read.length,
		pagesFailed: failed.length,
		pagesSkipped: found.length - read.length - failed.length - open.length,
		pagesOpen: open.length,
		...(urls.length > 0 && { failedPages: urls }),
	};
}
