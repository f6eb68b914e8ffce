import type { Resource } from '../../execution/operation';
import { addWebsite, removeWebsite } from './changeWebsites';
import { deleteWebsite } from './deleteWebsite';
import { getManyWebsites } from './getManyWebsites';
import { getWebsiteContent } from './getWebsiteContent';
import { getWebsiteStatus } from './getWebsiteStatus';
import { retryWebsite } from './retryWebsite';

export const website: Resource = {
	value: 'website',
	name: 'Website',
	operations: [
		addWebsite,
		removeWebsite,
		getManyWebsites,
		getWebsiteContent,
		getWebsiteStatus,
		retryWebsite,
		deleteWebsite,
	],
	initial: addWebsite,
};
