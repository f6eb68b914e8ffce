import type { ExistingDocument, Plan } from '../../../delivery/plan';
import type { Website } from './website';

export type CrawlRule = 'fail' | 'refresh' | 'skip';

/** A website of the account with the URL of an item. */
export interface ExistingWebsite extends ExistingDocument {
	website: Pick<Website, 'pages'>;
}

/**
 * Decides what to do with an item, from the existing websites with its URL, newest first:
 *
 * | The newest website         | Skip        | Refresh     | Fail        |
 * | -------------------------- | ----------- | ----------- | ----------- |
 * | has an indexed page        | use it      | crawl       | refuse      |
 * | else: has an open page     | continue it | crawl       | continue it |
 * | else: has a failed page    | continue it | continue it | continue it |
 * | none of these              | crawl       | crawl       | crawl       |
 *
 * If an older website has an indexed page, Skip uses that website, and Fail refuses. A website whose pages were all
 * skipped does not count.
 *
 * Only Refresh removes old websites. A website without an indexed page that the agent doesn't use is kept, because
 * another execution may still be crawling it.
 */
export function planCrawl(existing: readonly ExistingWebsite[], rule: CrawlRule): Plan {
	const newest = existing.find(hasPages);
	const current = existing.find(isRead);
	if (rule === 'refresh') {
		const found = newest && hasOnlyFailed(newest) ? newest : undefined;
		const retire = existing.filter(
			(one) => one !== found && (isRead(one) || one.isAttached !== false),
		);
		return found ? { action: 'use', found, retire } : { action: 'create', retire };
	}
	if (current && rule === 'fail') return { action: 'refuse', reason: 'exists', found: [current] };
	const found = current ?? newest;
	return found ? { action: 'use', found, retire: [] } : { action: 'create', retire: [] };
}

/** Whether a website has pages that are or may be indexed. */
function hasPages({ website: { pages } }: ExistingWebsite): boolean {
	return pages.read.length + pages.failed.length + pages.open.length > 0;
}

function hasOnlyFailed({ website: { pages } }: ExistingWebsite): boolean {
	return pages.read.length + pages.open.length === 0;
}

/** Whether a website has an indexed page. */
export function isRead({ website }: ExistingWebsite): boolean {
	return website.pages.read.length > 0;
}
