import type { Fields } from '../../../output/itemResult';
import type { WebsitePage } from '../../../api/websites';
import { normalizeUrl } from './url';

/** The pages of a website, by status. */
export interface WebsitePages {
	found: WebsitePage[];
	/** Indexed pages. */
	read: WebsitePage[];
	failed: WebsitePage[];
	/** Pages that CometChat only indexes on request. */
	waiting: WebsitePage[];
	/** Pages that CometChat has not finished, including `waiting`. */
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
 * Decides whether an old website is kept in addition to the new website:
 *
 * | The old website's indexed pages                        | The old website |
 * | ------------------------------------------------------ | --------------- |
 * | one of them failed this time, or is not finished       | is kept         |
 * | some are missing, and the crawl may still run          | is kept         |
 * | more than half are missing                             | is kept         |
 * | half have no text now, or two have the same text       | is kept         |
 * | all other cases                                        | is replaced     |
 *
 * @returns The reason to keep it; undefined if it is replaced.
 */
export function whyKept(
	before: WebsitePages,
	now: WebsitePages,
	isEndUnknown: boolean,
): string | undefined {
	const unread = new Set([...now.failed, ...now.open].map(({ url }) => normalizeUrl(url)));
	if (before.read.some(({ url }) => unread.has(normalizeUrl(url)))) return STAYS.unread;
	if (isEndUnknown && before.read.length > now.read.length) return STAYS.endUnknown;
	if (before.read.length > 2 * now.read.length) return STAYS.half;
	return hasLostText(before, now) ? STAYS.lostText : undefined;
}

const STAYS = {
	unread: "The old website stays, because CometChat couldn't index some of its pages this time",
	endUnknown:
		"The old website stays, because CometChat indexed fewer pages and didn't report that the crawl has ended",
	half: 'The old website stays, because CometChat indexed less than half as many pages this time',
	lostText:
		'The old website stays, because many pages are empty now, or different pages now show one text',
};

/** The list of pages contains the first 500 characters of a text, so longer texts may only seem to be the same. */
const SHOWN_CHARACTERS = 500;

/** Whether the pages now show a barrier, such as "Just a moment...", instead of their texts. */
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

/** More pages would hide the rest of the row. 'Website: Get Pages' lists all of them. */
const MOST_FAILED_NAMED = 10;

/** Returns the numbers of a website's pages by status, as output fields. */
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
