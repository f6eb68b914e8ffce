import { operation } from '../../execution/buildOperation';
import type { RunContext } from '../../execution/operation';
import { documentRow, Ingestion } from '../../ingestion/ingestion';
import { collectionField } from '../../input/field';
import { textPicker } from '../../input/fields';
import { addToAgent, maxIndexingOption, toAgent, waitUntilIndexed } from '../../pipeline/fields';
import { ingestionRun } from '../../pipeline/ingestionRun';
import { UserError } from '../../values/failure';
import { change, TEXT, text, title } from './writing';

/** Most who change a text want nothing else: the agents keep it. */
const addToAgentAsWell = {
	...addToAgent,
	default: false,
	description:
		'Whether to add it to an agent as well. The agents that have it keep it in any case.',
};

export const updateText = operation({
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
	options: { maxIndexing: maxIndexingOption },
	output: [
		...(['name', 'action', 'success', 'status', 'uniqueId', 'sourceType'] as const),
		...(['agentName', 'uid', 'updatedFields'] as const),
	],
	shared: (run: RunContext) => ingestionRun(run),
	order: ({ uniqueId }) => [uniqueId.toLowerCase()],
	check: ({ changes }) => {
		if (Object.keys(changes).length === 0) throw NOTHING_TO_CHANGE;
	},
	run: async ({ uniqueId, changes, uid, waits }, item, run) => {
		const target = { sourceType: TEXT, names: [changes.title ?? uniqueId], uid, isChange: true };
		const ingestion = new Ingestion(run, item, { ...target, hint: AGAIN });
		let name: string | undefined;
		await ingestion.create(async () => {
			name = await change(item, uniqueId, changes);
			return uniqueId;
		});
		await ingestion.complete({ waits, deleteOld: 'never' });
		const document = { name: name ?? uniqueId, uniqueId };
		const row = documentRow(ingestion, { action: 'updated' }, document);
		return { ...row, updatedFields: Object.keys(changes) };
	},
});

const AGAIN = 'To go on, run the item again: to change the text once more does no harm.';

const NOTHING_TO_CHANGE = new UserError(
	"Neither 'Title' nor 'Text' under 'Update Fields' holds anything",
	'Give one of them, or both; what is not given stays as it is.',
);
