import type { Candidate, Plan } from '../../../delivery/plan';
import type { SitePages } from './pages';

export type CrawlRule = 'fail' | 'refresh' | 'skip';

/** A website of the account with the URL of an item. */
export interface ExistingWebsite extends Candidate {
	site: { pages: SitePages };
}

/**
 * Decides what to do with an item, from the existing websites with its URL, newest first:
 *
 * | The newest website                                     | Skip   | Refresh | Fail   |
 * | ------------------------------------------------------ | ------ | ------- | ------ |
 * | with a page that was read: the current one             | use it | crawl   | refuse |
 * | else: with a page that may still be read               | use it | crawl   | use it |
 * | none of these                                          | crawl  | crawl   | crawl  |
 *
 * Only Refresh retires old websites. One without a page that was read, and which the agent does not have, stays: another
 * execution may be at work on it.
 */
export function planCrawl(existing: readonly ExistingWebsite[], rule: CrawlRule): Plan {
	const current = existing.find(isRead);
	if (rule === 'refresh') {
		const retire = existing.filter((one) => isRead(one) || one.isAttached !== false);
		return { action: 'create', retire };
	}
	if (current && rule === 'fail') return { action: 'refuse', reason: 'exists', found: [current] };
	const found = current ?? existing.find(({ site }) => site.pages.open.length > 0);
	return found ? { action: 'use', found, retire: [] } : { action: 'create', retire: [] };
}

/** Whether agents can answer from a website. */
export function isRead({ site }: ExistingWebsite): boolean {
	return site.pages.read.length > 0;
}
