import fc from 'fast-check';

import { ofEachFile } from '../expectations/perFile';
import type { Operation, Options } from '../operation';
import { DOCUMENTS, MOST_ITEMS } from '../records';
import { ifNoFileIds, pacing } from '../scenario';
import type { FilesOfType } from './delete';
import { filesOfType } from './delete';

export const retryIndexing: Operation<FilesOfType, Options> = {
	name: 'retryIndexing',
	runs: 100,
	parameters: {
		resource: 'document',
		operation: 'retryIndexing',
		sourceType: '={{ $json.kind }}',
		fileIds: '={{ $json.ids }}',
	},
	records: DOCUMENTS,
	requests: ['sync'],
	// A file is sent once, whichever and however many items ask for it.
	sharedRequests: ['sync'],
	draft: filesOfType,
	mostItems: MOST_ITEMS,
	options: fc.record({ ...pacing, ifNoFileIds }),
	perFile: {
		concerns: ({ arrival }, { sourceType }) =>
			arrival.operation === 'sync' && arrival.sourceType === sourceType,
		isSo: (id, _, { before, after }) => {
			const find = ({ records }: typeof before) => records.find((one) => one.uniqueId === id);
			const [was, now] = [find(before), find(after)];
			// Of a file that is not there, only a service that lies confirms it.
			return was === undefined || now?.status === 'indexing' || now?.updatedAt !== was.updatedAt;
		},
	},
	canBeDone: ({ wanted: { ids } }, { before }) =>
		ids.every((id) => before.records.some(({ uniqueId }) => uniqueId === id)),
	promises: [...ofEachFile],
	meets: {},
	neverMeets: [],
};
