import { batchOperation } from '../../operations/batchOperation';
import { deliverTexts } from './deliverTexts';
import { choiceField, needed } from '../../fields/field';
import { maxIndexingOption, toAgent, waitUntilIndexed } from '../../delivery/fields';
import { conflicts } from '../../fields/conflicts';
import { TEXT } from '../../text/sourceTypes';
import { text, title } from './writing';

const fields = {
	title: needed(title),
	text: needed(text),
	uid: toAgent(),
	rule: choiceField<'add' | 'fail'>({
		displayName: 'If Title Already Exists',
		name: 'ifTitleExists',
		type: 'options',
		options: [
			{
				name: 'Add Another',
				value: 'add',
				description: 'CometChat then has both text entries',
			},
			{
				name: 'Fail',
				value: 'fail',
				description: 'The item fails, and CometChat stores nothing',
			},
		],
		default: 'fail',
		description:
			"What to do if the agent already uses a text entry with this title. If 'Add to Agent' is off, all text entries in CometChat count. For content that changes, use 'Create or Update' instead.",
	}),
	waits: waitUntilIndexed,
};

export const createText = batchOperation({
	value: 'create',
	name: 'Create',
	action: 'Create text entry and add to agent',
	description: 'Create a text entry in CometChat and add it to an agent',
	fields,
	options: { maxIndexingMs: maxIndexingOption },
	output: [
		...(['name', 'action', 'success', 'status', 'uniqueId', 'sourceType'] as const),
		...(['agentName', 'uid', 'old'] as const),
	],
	asked: () => ({ sourceType: TEXT }),
	conflicts: (items) =>
		conflicts(
			items.map(({ index, task: { title: name, uid, rule } }) => {
				return { index, name, uid, value: rule === 'add' ? rule : undefined };
			}),
			'have the same title',
			"Enter a different title for each item, or set 'If Title Already Exists' to 'Add Another'.",
		),
	runAll: async (items, run) => await deliverTexts(items, run),
});
