import { batchOperation } from '../../operations/batchOperation';
import { deliverTexts } from './deliverTexts';
import { choiceField, needed } from '../../fields/field';
import { maxIndexingOption, toAgent, waitUntilIndexed } from '../../delivery/fields';
import { findConflicts } from '../../delivery/conflicts';
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
				description: 'The agent uses both text entries',
			},
			{
				name: 'Fail',
				value: 'fail',
				description: 'Nothing is written, and the item fails',
			},
		],
		default: 'fail',
		description:
			'What to do if the agent already uses a text entry with this title. Without an agent, all text entries in CometChat count. For a text that changes, use Create or Update instead.',
	}),
	waits: waitUntilIndexed,
};

export const createText = batchOperation({
	value: 'create',
	name: 'Create',
	action: 'Create a text entry and add it to an agent',
	description: 'Create a text entry in CometChat and add it to an agent',
	fields,
	options: { maxIndexingMs: maxIndexingOption },
	output: [
		...(['name', 'action', 'success', 'status', 'uniqueId', 'sourceType'] as const),
		...(['agentName', 'uid'] as const),
	],
	asked: () => ({ sourceType: TEXT }),
	conflicts: (items) =>
		findConflicts(
			items.map(({ index, task: { title: name, uid, rule } }) => {
				return { index, name, uid, isAnother: rule === 'add' };
			}),
			'have a text entry named',
			"Enter a different title for each, or set 'If Title Already Exists' to Add Another.",
		),
	runAll: async (items, run) => await deliverTexts(items, run),
});
