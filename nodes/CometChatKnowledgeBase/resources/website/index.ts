import type { Resource } from '../../execution/operation';
import { addWebsite, removeWebsite } from './changeWebsites';
import { crawlWebsite } from './crawlWebsite';
import { deleteWebsite } from './deleteWebsite';
import { getManyWebsites } from './getManyWebsites';
import { getPages } from './getPages';
import { getWebsiteContent } from './getWebsiteContent';
import { getWebsiteStatus } from './getWebsiteStatus';
import { retryPages } from './retryPages';
import { retryWebsite } from './retryWebsite';

export const website: Resource = {
	value: 'website',
	name: 'Website',
	operations: [
		crawlWebsite,
		addWebsite,
		removeWebsite,
		getManyWebsites,
		getPages,
		retryPages,
		getWebsiteContent,
		getWebsiteStatus,
		retryWebsite,
		deleteWebsite,
	],
	initial: crawlWebsite,
};
