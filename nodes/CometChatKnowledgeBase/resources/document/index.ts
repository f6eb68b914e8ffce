import type { Resource } from '../../execution/operation';
import { deleteDocuments } from './deleteDocuments';
import { getContent } from './getContent';
import { getManyDocuments } from './getManyDocuments';
import { getStatus } from './getStatus';
import { retryIndexing } from './retryIndexing';
import { uploadDocuments } from './uploadDocuments';

export const document: Resource = {
	value: 'document',
	name: 'Document',
	// Not by the alphabet: the first is what someone with a file looks for, and n8n lists actions in this order.
	operations: [
		uploadDocuments,
		getManyDocuments,
		getContent,
		getStatus,
		retryIndexing,
		deleteDocuments,
	],
	initial: uploadDocuments,
};
