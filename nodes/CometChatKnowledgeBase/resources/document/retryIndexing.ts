import { success } from '../../api/shape';
import { operation } from '../../execution/buildOperation';
import { fileIds } from '../../input/ids';
import { underItsType } from '../../inventory/inventory';
import { reindexRequest } from '../../service/documents';
import { EachDocument } from './eachDocument';

/**
 * Does not wait for the end: until CometChat takes a file up again, it may still be shown as failed, and
 * nothing tells such a status from a new one.
 */
export const retryIndexing = operation({
	value: 'retryIndexing',
	name: 'Retry Indexing',
	action: 'Retry indexing of files, texts or websites',
	description:
		'Let CometChat read documents again that it was not able to index. Crawl fetches a website anew.',
	fields: { uniqueIds: fileIds },
	output: ['name', 'action', 'success', 'uniqueId', 'sourceType', 'reason'],
	shared: (run) => new EachDocument(run, 'sent to be indexed again'),
	run: async ({ uniqueIds }, item, each) =>
		await each.perform(
			item,
			uniqueIds,
			async (requests, { uniqueId }) =>
				await underItsType(each.inventory, uniqueId, async (sourceType) => {
					await requests.call(reindexRequest(sourceType, uniqueId), success);
					return { action: 'retried', sourceType };
				}),
		),
});
