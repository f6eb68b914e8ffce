import { operation } from '../../execution/buildOperation';
import { ItemContext } from '../../execution/itemContext';
import { Inventory, describedBy, lookFor } from '../../ingestion/inventory';
import { documentIds } from '../../input/filesById';
import { adviceFor } from '../../results/advice';
import { isReady, NOT_LISTED, statusesOf } from '../../service/statuses';

/** One output item for each document. Names make it readable: without them it is an answer all the same. */
export const getStatus = operation({
	value: 'getStatus',
	name: 'Get Status',
	action: 'Check whether documents could be read',
	description: 'See which documents CometChat has indexed, is indexing, or was not able to read',
	fields: { uniqueIds: documentIds },
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
