import { batchOperation } from '../../operations/batchOperation';
import { needed, notice } from '../../fields/field';
import { maxIndexingOption, toAgent, waitUntilIndexed } from '../../delivery/fields';
import { conflicts } from '../../fields/conflicts';
import { TEXT } from '../../text/sourceTypes';
import { deliverTexts } from './deliverTexts';
import { text, title } from './writing';

/** Finds a text entry by its title, and updates it: the rule `update` of `delivery/plan`. */
export const upsertText = batchOperation({
	value: 'upsert',
	name: 'Create or Update',
	action: 'Create or update text entry',
	// n8n's lint requires these words.
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	fields: {
		notice: notice(
			'upsertNotice',
			"Changes the text entry with the same title <b>for every agent that uses it</b>. Text entries without an input item stay. To remove them, use 'Remove Files'. If rows are often deleted, use 'Sync Folder or Table' instead.",
		),
		title: needed(title),
		text: needed(text),
		uid: toAgent(),
		waits: waitUntilIndexed,
	},
	options: { maxIndexingMs: maxIndexingOption },
	output: [
		...(['name', 'action', 'success', 'status', 'uniqueId', 'sourceType'] as const),
		...(['agentName', 'uid', 'reason', 'old', 'oldText'] as const),
	],
	asked: () => ({ sourceType: TEXT }),
	conflicts: (items) =>
		conflicts(
			items.map(({ index, task: { title: name } }) => ({ index, name })),
			'have the same title',
			"Use one item for each title. To add the text entry to more agents, use 'Add Files'.",
		),
	runAll: async (items, run) => {
		const updates = items.map((item) => {
			return { ...item, task: { ...item.task, rule: 'update' as const } };
		});
		return { ...(await deliverTexts(updates, run)), stopHint: RUN_ALL };
	},
});

const RUN_ALL = 'Then run the workflow again with all items. Nothing is created twice.';
