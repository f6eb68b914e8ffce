import { conflicts } from '../../fields/conflicts';
import { agentOf, deliverItems, newBatch } from '../../delivery/deliverItems';
import type { Delivery } from '../../delivery/delivery';
import { newDelivery } from '../../delivery/delivery';
import { batchOperation } from '../../operations/batchOperation';
import { collectionField } from '../../fields/field';
import { textPicker } from '../../fields/fields';
import { addToAgent, maxIndexingOption, toAgent, waitUntilIndexed } from '../../delivery/fields';
import { UserError } from '../../text/failure';
import { TEXT } from '../../text/sourceTypes';
import { changeText, text, title } from './writing';

/** Off by default: the agents that use the text entry continue to use it. */
const addToAnotherAgent = {
	...addToAgent,
	default: false,
	description:
		'Whether to add the text entry to another agent. Agents that already use it keep using it.',
};

export const updateText = batchOperation({
	value: 'update',
	name: 'Update',
	action: 'Update text entry',
	description: 'Change a text entry for every agent that uses it. Its ID stays the same.',
	fields: {
		uniqueId: textPicker('The text entry to change'),
		changes: collectionField(
			{
				displayName: 'Update Fields',
				name: 'updateFields',
				placeholder: 'Add Field',
				description: 'The fields to change. All other fields stay the same.',
			},
			{ text, title },
		),
		uid: toAgent(addToAnotherAgent),
		waits: waitUntilIndexed,
	},
	options: { maxIndexingMs: maxIndexingOption },
	output: [
		...(['name', 'action', 'success', 'status', 'uniqueId', 'sourceType'] as const),
		...(['agentName', 'uid', 'updatedFields'] as const),
	],
	check: ({ changes }) => {
		if (Object.keys(changes).length === 0) throw NOTHING_TO_CHANGE;
	},
	conflicts: (items) =>
		conflicts(
			items.map(({ index, task: { uniqueId: name } }) => ({ index, name })),
			'change the same text entry',
			'Put all changes of a text entry into one item.',
		),
	runAll: async (items, context) => {
		const run = newBatch(context);
		return await deliverItems(run, items, {
			toDeliveries: async ({ index, task }, item) => {
				const { uniqueId, changes, uid, waits, maxIndexingMs } = task;
				const agent = await agentOf(run, uid);
				const name = changes.title ?? uniqueId;
				const target = { index, item, sourceType: TEXT, name, agent, waits, maxIndexingMs };
				const create = async (delivery: Delivery) => {
					delivery.name = (await changeText(item, uniqueId, changes)) ?? uniqueId;
					return uniqueId;
				};
				const found = { uniqueId };
				return [newDelivery({ ...target, plan: { action: 'update', found, retire: [] }, create })];
			},
			rows: ({ changes }) => ({
				action: () => 'updated',
				more: () => ({ updatedFields: Object.keys(changes) }),
				hint: AGAIN,
			}),
		});
	},
});

const AGAIN = 'Run the item again. Changing a text entry twice does no harm.';

const NOTHING_TO_CHANGE = new UserError(
	"'Title' and 'Text' under 'Update Fields' are empty",
	'Enter a new title, a new text, or both. Empty fields stay the same in CometChat.',
);
