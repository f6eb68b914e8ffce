import { batchOperation } from '../../operations/batchOperation';
import { needed } from '../../fields/field';
import { maxIndexingOption, toAgent, waitUntilIndexed } from '../../delivery/fields';
import { findConflicts } from '../../delivery/conflicts';
import { TEXT } from '../../text/sourceTypes';
import { deliverTexts } from './deliverTexts';
import { normalizeContent, text, title } from './writing';

/** Finds a text entry by its title, and changes it in place: the rule `update` of `delivery/plan`. */
export const upsertText = batchOperation({
	value: 'upsert',
	name: 'Create or Update',
	action: 'Create or update a text entry',
	// n8n's lint asks for these very words.
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	fields: {
		title: needed({
			...title,
			property: {
				...title.property,
				description: `${title.property.description}. The text is found by it.`,
			},
		}),
		text: needed(text),
		uid: toAgent(),
		waits: waitUntilIndexed,
	},
	options: { maxIndexingMs: maxIndexingOption },
	output: [
		...(['name', 'action', 'success', 'status', 'uniqueId', 'sourceType'] as const),
		...(['agentName', 'uid', 'old'] as const),
	],
	asked: () => ({ sourceType: TEXT }),
	conflicts: (items) =>
		findConflicts(
			items.map(({ index, task: { title: name, text: words } }) => {
				return { index, name, content: normalizeContent(words) };
			}),
			'have a text entry named',
			'Give each text a title of its own, or put what belongs together into one item.',
		),
	runAll: async (items, run) =>
		await deliverTexts(
			items.map((item) => ({ ...item, task: { ...item.task, rule: 'update' as const } })),
			run,
		),
});
