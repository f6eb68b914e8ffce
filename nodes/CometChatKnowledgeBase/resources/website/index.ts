import type { Resource } from '../../execution/operation';
import { crawlWebsite } from './crawlWebsite';
import { getPages } from './getPages';
import { retryPages } from './retryPages';

/** What websites alone have: the rest of their life is that of any document. */
export const website: Resource = {
	value: 'website',
	name: 'Website',
	operations: [crawlWebsite, getPages, retryPages],
	initial: crawlWebsite,
};
