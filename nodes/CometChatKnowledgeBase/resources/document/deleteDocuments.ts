import { ApiError } from '../../apiErrors/apiError';
import { operation } from '../../execution/buildOperation';
import type { ItemContext } from '../../execution/itemContext';
import { refuseDifferent } from '../../execution/sameOptions';
import { choiceField, notice } from '../../input/field';
import { fileIds } from '../../input/ids';
import type { Inventory } from '../../inventory/inventory';
import { underItsType } from '../../inventory/inventory';
import { withAgentsOf } from '../../inventory/refusedDeletion';
import { possibleTypes } from '../../inventory/whoHasIt';
import type { Fields } from '../../results/itemResult';
import type { Document } from '../../service/documents';
import { deleteOne, isUnknownDocument } from '../../service/documents';
import { UserError, caught, isFailure } from '../../values/failure';
import { listed, quoted } from '../../values/quoting';
import { EachDocument } from './eachDocument';
import { whyUnknown } from './getManyDocuments';

const ifUsed = choiceField({
	displayName: 'If Used by an Agent',
	name: 'ifUsed',
	type: 'options',
	options: [
		{
			name: 'Delete Anyway',
			value: 'delete',
			description: 'Delete the document. These agents can no longer answer from it.',
		},
		{
			name: 'Fail',
			value: 'fail',
			description:
				"Don't delete the document, and list the agents. The item also fails if CometChat doesn't report which agents use the document.",
		},
	],
	default: 'fail',
	description: 'What to do with a document that one or more agents use',
});

const ifGone = choiceField({
	displayName: 'If Already Gone',
	name: 'ifGone',
	type: 'options',
	options: [
		{
			name: 'Count as Deleted',
			value: 'deleted',
			description:
				'The item says that it was gone already. A run that broke off can so be run again.',
		},
		{
			name: 'Fail',
			value: 'fail',
			description: 'The item fails, so that a wrong ID is noticed',
		},
	],
	default: 'fail',
	description:
		'Change it to repeat a run that was broken off. What to do with a document that CometChat does not have.',
});

export const deleteDocuments = operation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete files, texts or websites permanently',
	description: 'Delete files, texts or websites from CometChat permanently',
	fields: {
		notice: notice(
			'deleteNotice',
			"Documents are deleted from CometChat permanently. To remove a document from one agent, use 'Remove Files'.",
		),
		uniqueIds: fileIds,
		ifUsed,
	},
	options: { ifGone },
	output: [...(['name', 'action', 'success', 'uniqueId', 'sourceType', 'deleted'] as const)],
	shared: (run) => new EachDocument(run, 'deleted'),
	together: (items) =>
		refuseDifferent(items, {
			namedBy: ({ uniqueIds }) => uniqueIds,
			noun: 'document',
			options: { ifUsed, ifGone },
		}),
	run: async (task, item, each) => {
		const { inventory } = each;
		return await each.perform(item, task.uniqueIds, async (requests, document) => {
			if (task.ifUsed === 'fail') await refuseIfAttached(requests, inventory, document);
			const { uniqueId } = document;
			const deleting = underItsType(inventory, uniqueId, async (sourceType): Promise<Fields> => {
				await deleteOne(requests, sourceType, uniqueId);
				// What n8n expects of a delete.
				return { sourceType, deleted: true };
			});
			const deleted = await caught(deleting);
			if (!isFailure(deleted)) return deleted;
			if (!isUnknownDocument(deleted)) {
				throw await withAgentsOf(document, deleted, { item: requests, inventory });
			}
			if (task.ifGone === 'deleted') return { action: 'already gone', deleted: true };
			throw new ApiError(deleted.title, `${GONE_BEFORE} ${deleted.hint}`, deleted.more);
		});
	},
});

/** @throws UserError if agents use the document, or if CometChat doesn't report which agents do. */
async function refuseIfAttached(
	item: ItemContext,
	inventory: Inventory,
	document: Document,
): Promise<void> {
	const who = await inventory.whoHas(item, possibleTypes(document.type));
	const { has, unknown } = who.of(document);
	const name = quoted(document.sourceName ?? document.uniqueId);
	if (has.length > 0) {
		const agents = listed(has.map((agent) => quoted(agent.name ?? agent.uid)));
		throw new UserError(
			`${name} is used by ${has.length === 1 ? 'an agent' : `${has.length} agents`}`,
			"Remove the document from these agents with 'Remove Files' first, or set 'If Used by an Agent' to Delete Anyway.",
			{ detail: `Used by: ${agents}.` },
		);
	}
	if (unknown.length === 0) return;
	throw new UserError(
		`CometChat doesn't report which agents use ${name}`,
		"Check in the CometChat dashboard which agents use the document. If no agent needs it, set 'If Used by an Agent' to Delete Anyway.",
		{ detail: whyUnknown(who, [document]) },
	);
}

const GONE_BEFORE =
	"If it was deleted before, set 'If Already Gone' under Options to Count as Deleted.";
