import type { Fields } from '../../../output/itemResult';
import type { FoundPage } from '../../../api/websites';
import { joinLimited, quoted } from '../../../text/quoting';
import { timeMs } from '../../../text/times';
import { normalizeUrl } from './url';

/** The pages of a website, by status. */
export interface SitePages {
	/** All pages of the website. */
	found: FoundPage[];
	/** Agents can answer from these. */
	read: FoundPage[];
	failed: FoundPage[];
	/** CometChat doesn't index these until it is told to. */
	waiting: FoundPage[];
	/** CometChat has not finished these, `waiting` included. */
	open: FoundPage[];
}

export function groupPages(found: FoundPage[]): SitePages {
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
 * Why an old website stays in addition to the new one; undefined if the new one replaces it. A page that the new crawl
 * could not read is not gone, and a website that has shrunk to less than half may have been down.
 */
export function whyKept(before: SitePages, now: SitePages): string | undefined {
	const unread = new Set([...now.failed, ...now.open].map(({ url }) => normalizeUrl(url)));
	const missing = before.read.filter(({ url }) => unread.has(normalizeUrl(url)));
	const numbers = `${countOf(now.read)} indexed, ${before.read.length} before`;
	if (missing.length > 0) {
		return `This time CometChat couldn't index ${urlsOf(missing)} (${numbers})`;
	}
	if (before.read.length <= 2 * now.read.length) return undefined;
	return `This time CometChat indexed less than half as many pages (${numbers})`;
}

/** When CometChat crawled the newest page; undefined if CometChat doesn't report it. */
export function lastCrawledMs({ found }: SitePages): number | undefined {
	const times = found.map(({ lastCrawledAt }) => timeMs(lastCrawledAt) ?? 0);
	const newest = times.reduce((last, one) => Math.max(last, one), 0);
	return newest > 0 ? newest : undefined;
}

export function countOf({ length }: FoundPage[]): string {
	return `${length} ${length === 1 ? 'page' : 'pages'}`;
}

export function urlsOf(pages: FoundPage[]): string {
	return joinLimited(pages.map(({ url }) => quoted(url)));
}

/** More would bury the row. Website: Get Pages lists all of them. */
const MOST_FAILED_NAMED = 10;

/** The numbers of all pages of a website, as output fields. */
export function countFields({ found, read, failed, open }: SitePages): Fields {
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
