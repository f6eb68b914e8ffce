import { Snapshot } from '../../delivery/snapshot';
import { batchOperation } from '../../operations/batchOperation';
import { eachItem } from '../../operations/eachItem';
import { documentIds } from '../../fields/ids';
import { remedyIfUnreadable } from '../../delivery/remedies';
import { isReady, NOT_LISTED, statusOfEach } from '../../api/documents';
import { isFailure } from '../../text/failure';
import { UPLOADS } from '../../text/sourceTypes';

/** Returns one output item for each document. Without the account's list, documents have no names. */
export const getStatus = batchOperation({
	value: 'getStatus',
	name: 'Get Indexing Status',
	action: 'Get document indexing status',
	description:
		'Check whether documents are indexed, are still being indexed, or could not be indexed',
	fields: { uniqueIds: documentIds() },
	output: ['name', 'status', 'isReady', 'uniqueId', 'sourceType', 'reason'],
	runAll: async (items, run) => {
		const ids = [...new Set(items.flatMap(({ task }) => task.uniqueIds))];
		const statuses = await statusOfEach(run.starting, ids);
		const known = ids.filter((id) => {
			const status = statuses.get(id);
			return status !== NOT_LISTED && !isFailure(status);
		});
		const snapshot = new Snapshot(run);
		if (known.length > 0) await snapshot.readDocuments(known);
		return await eachItem(run, items, async ({ task }, item) => {
			item.count({ attempts: 1 });
			const failure = task.uniqueIds.map((id) => statuses.get(id)).find(isFailure);
			if (failure) throw failure;
			return task.uniqueIds.map((uniqueId) => {
				const status = String(statuses.get(uniqueId));
				const { sourceName: name } = snapshot.documents.withId(uniqueId) ?? {};
				const sourceType = snapshot.documents.typeOf(uniqueId);
				const reason = adviceFor(status, sourceType ?? UPLOADS);
				return { name, status, isReady: isReady(status), uniqueId, sourceType, reason };
			});
		});
	},
});

/** Returns the advice for a status; undefined if there is nothing to do. */
export function adviceFor(status: string, sourceType: string): string | undefined {
	switch (status) {
		case 'failed':
			return `${remedyIfUnreadable(sourceType)} CometChat couldn't index the document, and reports no reason.`;
		case 'indexing':
			return 'Check again in a minute. CometChat is still indexing the document.';
		case NOT_LISTED:
			return "Compare the ID with 'Document: Get Many'. CometChat reports no document with this ID: it is mistyped, or the document was deleted.";
		default:
			return undefined;
	}
}
