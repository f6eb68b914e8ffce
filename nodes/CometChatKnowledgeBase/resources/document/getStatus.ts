import type { ItemRun, Performer, Ready } from '../../execution/items';
import { itemByItem } from '../../execution/items';
import type { Operation, RunContext } from '../../execution/operation';
import { NOTHING_CHANGED, ItemContext } from '../../execution/itemContext';
import { Inventory } from '../../ingestion/inventory';
import { describedBy, lookFor } from '../../ingestion/lookUp';
import { filesFields } from '../../input/fields';
import { ifNoFileIdsOption } from '../../input/fileIds';
import { adviceFor } from '../../results/advice';
import { ApiError } from '../../results/apiError';
import type { ItemResult } from '../../results/itemResult';
import { isReady, NOT_LISTED, statusesOf } from '../../service/statuses';
import { documentIdsReader } from './documentIds';
import type { DocumentsOfItem } from './eachDocument';

export const getStatus: Operation = {
	value: 'getStatus',
	name: 'Get Status',
	action: 'Check whether documents could be read',
	description: 'See which documents CometChat has indexed, is indexing, or was not able to read',
	fields: filesFields,
	options: [ifNoFileIdsOption],
	output: ['name', 'status', 'isReady', 'uniqueId', 'sourceType', 'reason'],
	run: itemByItem(documentIdsReader, statusesOfItem),
};

/** One output item for each document. Names make it readable: without them it is an answer all the same. */
function statusesOfItem(run: ItemRun): Performer<DocumentsOfItem> {
	const inventory = new Inventory(run);
	return { perform: async (item) => await getStatuses(item, run, inventory) };
}

async function getStatuses(
	{ task: { uniqueIds }, requested }: Ready<DocumentsOfItem>,
	run: RunContext,
	inventory: Inventory,
): Promise<ItemResult> {
	const steps = new ItemContext(run);
	const statuses = await statusesOf(steps, uniqueIds);
	if (statuses instanceof ApiError) {
		return steps.failed(statuses, requested, NOTHING_CHANGED);
	}
	const known = uniqueIds.filter((id) => statuses.get(id) !== NOT_LISTED);
	if (known.length > 0) await lookFor(new ItemContext(run), inventory, known);
	return steps.done(
		uniqueIds.map((uniqueId) => {
			const status = statuses.get(uniqueId) ?? NOT_LISTED;
			const { name, sourceType } = describedBy(inventory, uniqueId);
			return {
				name,
				status,
				isReady: isReady(status),
				uniqueId,
				sourceType: sourceType,
				reason: adviceFor(status, sourceType ?? 'uploads'),
			};
		}),
	);
}
