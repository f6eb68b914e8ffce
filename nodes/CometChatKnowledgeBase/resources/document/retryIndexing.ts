import { success } from '../../api/shape';
import { Snapshot } from '../../delivery/snapshot';
import { batchOperation } from '../../operations/batchOperation';
import { documentIdsFromList } from '../../fields/ids';
import { reindexRequest } from '../../api/documents';
import { sourceTypeOf } from '../../text/sourceTypes';
import { eachDocument } from './eachDocument';

/** A note above the output: green does not mean that the documents are indexed. */
const SEE_STATUS =
	"CometChat started to index the documents. To see the result later, use 'Document: Get Indexing Status'";

/**
 * Does not wait for the end: until CometChat takes a file up again, it may still be shown as failed, and
 * nothing tells such a status from a new one.
 */
export const retryIndexing = batchOperation({
	value: 'retryIndexing',
	name: 'Retry Indexing',
	action: 'Retry document indexing',
	description:
		"Index documents again that CometChat couldn't index. To fetch a website again, use 'Crawl'.",
	fields: { uniqueIds: documentIdsFromList },
	output: ['name', 'action', 'success', 'uniqueId', 'sourceType', 'reason'],
	runAll: async (items, run) => {
		const snapshot = new Snapshot(run);
		await snapshot.readDocuments(items.flatMap(({ task }) => task.uniqueIds));
		return await eachDocument(run, items, {
			snapshot,
			done: 'sent to be indexed again',
			note: SEE_STATUS,
			perform: async (client, { uniqueId, type }) => {
				await client.call(reindexRequest(sourceTypeOf(type), uniqueId), success);
				return { action: 'retried' };
			},
		});
	},
});
