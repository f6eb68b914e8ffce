import { ApiError } from '../../apiErrors/apiError';
import { operation } from '../../execution/buildOperation';
import type { ItemContext } from '../../execution/itemContext';
import { refuseDifferent } from '../../execution/sameOptions';
import { choiceField, notice, switchField } from '../../input/field';
import { fileIds } from '../../input/ids';
import type { Inventory } from '../../inventory/inventory';
import { underItsType } from '../../inventory/inventory';
import { possibleTypes } from '../../inventory/whoHasIt';
import type { Fields } from '../../results/itemResult';
import type { Document } from '../../service/documents';
import { deleteOne, isUnknownDocument } from '../../service/documents';
import { UserError, caught, isFailure } from '../../values/failure';
import { listed, quoted } from '../../values/quoting';
import { ALL_SOURCE_TYPES } from '../../values/sourceTypes';
import { EachDocument } from './eachDocument';
import { shownOwners, whyUnknown } from './getManyDocuments';

const ifAgentsHaveIt = choiceField({
	displayName: 'If Agents Have It',
	name: 'ifAgentsHaveIt',
	type: 'options',
	options: [
		{ name: 'Delete', value: 'delete', description: 'It is deleted, and they lose it' },
		{
			name: 'Fail',
			value: 'fail',
			description:
				'The item fails, and names the agents. It fails, too, where CometChat does not tell which agents have it.',
		},
	],
	default: 'delete',
	description:
		'Change it to delete only what no agent answers from. What to do with a document that agents have.',
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

const dryRun = switchField({
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: false,
	description:
		'Whether to only show what would be deleted, and which agents have it. Nothing is deleted.',
});

export const deleteDocuments = operation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete files, texts or websites for good',
	description:
		'Delete files, texts or websites from CometChat for good, also from every agent that has them',
	fields: {
		notice: notice(
			'deleteNotice',
			'Documents are deleted for good: from CometChat, and from every agent that has them. To take one from a single agent, use Remove Files.',
		),
		uniqueIds: fileIds,
	},
	options: { dryRun, ifAgentsHaveIt, ifGone },
	output: [
		...(['name', 'action', 'success', 'uniqueId', 'sourceType', 'reason'] as const),
		...(['dryRun', 'deleted', 'agents', 'agentIds'] as const),
	],
	shared: (run) => new EachDocument(run, 'deleted'),
	together: (items) =>
		refuseDifferent(items, {
			namedBy: ({ uniqueIds }) => uniqueIds,
			noun: 'document',
			options: { dryRun, ifAgentsHaveIt, ifGone },
		}),
	run: async (task, item, each) => {
		const { inventory } = each;
		if (task.dryRun) item.warn(TRIED);
		return await each.perform(item, task.uniqueIds, async (requests, document) => {
			if (task.ifAgentsHaveIt === 'fail') await refuseIfAttached(requests, inventory, document);
			if (task.dryRun) return await wouldDelete(requests, inventory, document);
			const { uniqueId } = document;
			const deleting = underItsType(inventory, uniqueId, async (sourceType): Promise<Fields> => {
				await deleteOne(requests, sourceType, uniqueId);
				// What n8n expects of a delete.
				return { sourceType, deleted: true };
			});
			const deleted = await caught(deleting);
			if (!isFailure(deleted)) return deleted;
			if (!isUnknownDocument(deleted)) throw deleted;
			if (task.ifGone === 'deleted') return { action: 'already gone', deleted: true };
			throw new ApiError(deleted.title, `${GONE_BEFORE} ${deleted.hint}`, deleted.more);
		});
	},
});

/** No document is deleted that agents have, or of which CometChat does not tell. */
async function refuseIfAttached(
	item: ItemContext,
	inventory: Inventory,
	document: Document,
): Promise<void> {
	const who = await inventory.whoHas(item, possibleTypes(document.type));
	const { has, unknown } = who.of(document);
	if (has.length > 0) {
		const name = quoted(document.sourceName ?? document.uniqueId);
		const agents = listed(has.map((agent) => quoted(agent.name ?? agent.uid)));
		throw new UserError(
			"Agents have it, and 'If Agents Have It' is set to Fail",
			"Take it from these agents first, or set 'If Agents Have It' under Options to Delete.",
			{ detail: `These would lose ${name}: ${agents}.` },
		);
	}
	if (unknown.length === 0) return;
	throw new UserError(
		'CometChat does not tell which agents have it',
		"See in the CometChat dashboard who has it. If nobody needs it, set 'If Agents Have It' under Options to Delete.",
		{ detail: whyUnknown(who, [document]) },
	);
}

async function wouldDelete(
	item: ItemContext,
	inventory: Inventory,
	document: Document,
): Promise<Fields> {
	const who = await inventory.whoHas(item, ALL_SOURCE_TYPES);
	const isListed = inventory.record(document.uniqueId) !== undefined;
	return {
		action: 'would be deleted',
		dryRun: true,
		...shownOwners(who, document),
		...(!isListed && { reason: UNLISTED }),
	};
}

const UNLISTED =
	'It is not among the newest documents that CometChat lists: whether there is one is not known.';

const TRIED = "Nothing was deleted, because 'Dry Run' under Options is on: switch it off to delete";

const GONE_BEFORE =
	"If it was deleted before, set 'If Already Gone' under Options to Count as Deleted.";
