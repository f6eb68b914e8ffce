import { findConflicts } from '../../delivery/conflicts';
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

/** Most who change a text want nothing else: the agents keep it. */
const addToAgentAsWell = {
	...addToAgent,
	default: false,
	description:
		'Whether to add it to an agent as well. The agents that have it keep it in any case.',
};

export const updateText = batchOperation({
	value: 'update',
	name: 'Update',
	action: 'Update a text',
	description: 'Change a text where it is: its ID stays, and the agents that have it keep it',
	fields: {
		uniqueId: textPicker('The text to change'),
		changes: collectionField(
			{
				displayName: 'Update Fields',
				name: 'updateFields',
				placeholder: 'Add field',
				description: 'What is not given stays as it is',
			},
			{ text, title },
		),
		uid: toAgent(addToAgentAsWell),
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
		findConflicts(
			items.map(({ index, task: { uniqueId: name } }) => ({ index, name })),
			'change the text entry',
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

const AGAIN = 'To continue, run the item again: changing the text twice does no harm.';

const NOTHING_TO_CHANGE = new UserError(
	"Neither 'Title' nor 'Text' under 'Update Fields' holds anything",
	'Give one of them, or both; what is not given stays as it is.',
);
