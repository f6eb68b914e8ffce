import type { ApiClient } from '../../api/apiClient';
import { allPages } from '../../api/pagination';
import { FAILED, reindexRequest } from '../../api/documents';
import { success } from '../../api/shape';
import { websitePages, retryPages } from '../../api/websites';
import { Snapshot } from '../../delivery/snapshot';
import { documentIds } from '../../fields/ids';
import { batchOperation } from '../../operations/batchOperation';
import type { Fields } from '../../output/itemResult';
import { UserError } from '../../text/failure';
import { sourceTypeOf, WEBSITE } from '../../text/sourceTypes';
import { eachDocument } from './eachDocument';

/** A note above the output, because a green node does not mean that the documents are indexed. */
const SEE_STATUS =
	"CometChat started to index the documents. To see the result later, use 'Document: Get Indexing Status'";

/** Does not wait for the end: for some time, CometChat may report the old status, which looks like a new failure. */
export const retryIndexing = batchOperation({
	value: 'retryIndexing',
	name: 'Retry Indexing',
	action: 'Retry document indexing',
	description:
		"Index failed documents or website pages again. To fetch a website again, use 'Crawl' with 'Refresh'.",
	fields: { uniqueIds: documentIds() },
	output: ['name', 'action', 'success', 'uniqueId', 'sourceType', 'reason'],
	runAll: async (items, run) => {
		const snapshot = new Snapshot(run);
		await snapshot.readDocuments(items.flatMap(({ task }) => task.uniqueIds));
		return await eachDocument(run, items, {
			snapshot,
			done: 'sent to be indexed again',
			note: SEE_STATUS,
			perform: async (client, { uniqueId, type }) => {
				const sourceType = sourceTypeOf(type);
				if (sourceType === WEBSITE) return await retryFailedPages(client, uniqueId);
				await client.call(reindexRequest(sourceType, uniqueId), success);
				return { action: 'retried' };
			},
		});
	},
});

async function retryFailedPages(client: ApiClient, uniqueId: string): Promise<Fields> {
	const pages = await allPages(websitePages(client, uniqueId, { statuses: [FAILED] }));
	const failed = pages.filter(({ status }) => status === FAILED);
	if (failed.length === 0) return { action: 'unchanged', reason: NO_FAILED_PAGE };
	const accepted = await retryPages(client, uniqueId, failed);
	if (accepted < failed.length) throw notAccepted(accepted, failed.length);
	return { action: 'retried' };
}

const NO_FAILED_PAGE = 'CometChat lists no failed page for this website';

function notAccepted(accepted: number, all: number): UserError {
	return new UserError(
		`CometChat indexes only ${accepted} of ${all} failed pages again`,
		"Check the status of the pages with 'Website: Get Pages'.",
		{ effect: accepted > 0 ? 'unknown' : 'not applied' },
	);
}
