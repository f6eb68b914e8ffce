import { operation } from '../../execution/buildOperation';
import { fileIds } from '../../input/ids';
import { Inventory, describedBy, lookFor } from '../../inventory/inventory';
import { remedyIfUnreadable } from '../../pipeline/indexing';
import { isReady, NOT_LISTED, statusesOf } from '../../service/documents';

/** One output item for each document. Names make it readable: without them it is an answer all the same. */
export const getStatus = operation({
	value: 'getStatus',
	name: 'Get Status',
	action: 'Check whether documents could be read',
	description: 'See which documents CometChat has indexed, is indexing, or was not able to read',
	fields: { uniqueIds: fileIds },
	output: ['name', 'status', 'isReady', 'uniqueId', 'sourceType', 'reason'],
	shared: (run) => new Inventory(run),
	run: async ({ uniqueIds }, item, inventory) => {
		const statuses = await statusesOf(item, uniqueIds);
		const known = uniqueIds.filter((id) => statuses.get(id) !== NOT_LISTED);
		await lookFor(inventory, known);
		return uniqueIds.map((uniqueId) => {
			const status = statuses.get(uniqueId) ?? NOT_LISTED;
			const { name, sourceType } = describedBy(inventory, uniqueId);
			const reason = adviceFor(status, sourceType ?? 'uploads');
			return { name, status, isReady: isReady(status), uniqueId, sourceType, reason };
		});
	},
});

/**
 * What to do about a document with this status; undefined for nothing.
 *
 * @param sourceType What it is, as far as it is known: 'uploads' if it is not.
 */
export function adviceFor(status: string, sourceType: string): string | undefined {
	switch (status) {
		case 'failed':
			return `CometChat was not able to read it, and gives no reason. ${remedyIfUnreadable(sourceType)}`;
		case 'indexing':
			return 'CometChat is still reading it. Ask again in a minute.';
		case NOT_LISTED:
			return "CometChat's answer says nothing of this ID: the document was deleted, or the ID is that of something else. Document: Get Many lists what there is.";
		default:
			return undefined;
	}
}
