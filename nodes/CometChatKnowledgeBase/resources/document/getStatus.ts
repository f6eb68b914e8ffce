import { operation } from '../../execution/buildOperation';
import { ItemContext } from '../../execution/itemContext';
import { fileIds } from '../../input/ids';
import { Inventory, describedBy, lookFor } from '../../inventory/inventory';
import { isReady, NOT_LISTED, statusesOf } from '../../service/documents';

/** One output item for each document. Names make it readable: without them it is an answer all the same. */
export const getStatus = operation({
	value: 'getStatus',
	name: 'Get Status',
	action: 'Check whether documents could be read',
	description: 'See which documents CometChat has indexed, is indexing, or was not able to read',
	fields: { uniqueIds: fileIds },
	output: ['name', 'status', 'isReady', 'uniqueId', 'sourceType', 'reason'],
	shared: (run) => ({ run, inventory: new Inventory(run) }),
	run: async ({ uniqueIds }, item, { run, inventory }) => {
		const statuses = await statusesOf(item, uniqueIds);
		const known = uniqueIds.filter((id) => statuses.get(id) !== NOT_LISTED);
		if (known.length > 0) await lookFor(new ItemContext(run), inventory, known);
		return uniqueIds.map((uniqueId) => {
			const status = statuses.get(uniqueId) ?? NOT_LISTED;
			const { name, sourceType } = describedBy(inventory, uniqueId);
			const reason = adviceFor(status, sourceType ?? 'uploads');
			return { name, status, isReady: isReady(status), uniqueId, sourceType, reason };
		});
	},
});

/**
 * What to do about a document with this status; undefined for nothing. The service gives no reason for a
 * failure anywhere.
 *
 * @param sourceType What it is, as far as it is known: 'uploads' if it is not.
 */
export function adviceFor(status: string, sourceType: string): string | undefined {
	switch (status) {
		case 'failed':
			return `CometChat was not able to read it, and gives no reason. ${sourceType === 'uploads' ? MEND_FILE : MEND_OTHER}`;
		case 'indexing':
			return 'CometChat is still reading it. Ask again in a minute.';
		case NOT_LISTED:
			return "CometChat's answer says nothing of this ID: the document was deleted, or the ID is that of something else. Document: Get Many lists what there is.";
		default:
			return undefined;
	}
}

const MEND_FILE =
	'Check that the file opens, has no password and holds text; if so, try Document: Retry Indexing, otherwise delete it with Document: Delete and upload a corrected one.';

const MEND_OTHER =
	'Try Document: Retry Indexing; if it fails again, delete it with Document: Delete and add or crawl it anew.';
