import type { Resource } from '../../execution/operation';
import { getPages } from './getPages';
import { retryPages } from './retryPages';

export const website: Resource = {
	value: 'website',
	name: 'Website',
	operations: [getPages, retryPages],
	initial: getPages,
};
