import type { Resource } from '../../execution/operation';
import { deleteWebsite } from './deleteWebsite';
import { retryWebsite } from './retryWebsite';

export const website: Resource = {
	value: 'website',
	name: 'Website',
	operations: [retryWebsite, deleteWebsite],
	initial: retryWebsite,
};
