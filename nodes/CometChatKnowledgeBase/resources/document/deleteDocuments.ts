import { operation } from '../../execution/buildOperation';
import type { ItemContext } from '../../execution/itemContext';
import type { Inventory } from '../../ingestion/inventory';
import { choiceField, notice, switchField } from '../../input/field';
import { documentIds } from '../../input/filesById';
import type { ItemFailure } from '../../results/apiError';
import { ApiError, onFailure } from '../../results/apiError';
import type { Fields } from '../../results/itemResult';
import { deleteOne, isUnknownFile } from '../../service/deletion';
import { ALL_SOURCE_TYPES } from '../../values/sourceTypes';
import type { DocumentAction } from './eachDocument';
import { EachDocument } from './eachDocument';
import { refuseIfHeld } from './keptForAgents';
import { shownOwners } from './owners';

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

const options = {
	dryRun: switchField({
		displayName: 'Dry Run',
		name: 'dryRun',
		type: 'boolean',
		default: false,
		description:
			'Whether to only show what would be deleted, and which agents have it. Nothing is deleted.',
	}),
	ifAgentsHaveIt,
	ifGone,
};

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
		uniqueIds: documentIds,
	},
	options,
	output: [
		...(['name', 'action', 'success', 'uniqueId', 'sourceType', 'reason'] as const),
		...(['dryRun', 'deleted', 'agents', 'agentIds'] as const),
	],
	shared: (run) => new EachDocument(run),
	run: async ({ uniqueIds, ...chosen }, item, each) => {
		if (chosen.dryRun) item.warn(TRIED);
		return await each.perform(item, uniqueIds, deletion(chosen, each.inventory));
	},
});

/** What the user has chosen under Options. */
interface Chosen {
	dryRun: boolean;
	ifAgentsHaveIt: 'delete' | 'fail';
	ifGone: 'deleted' | 'fail';
}

/** What n8n expects of a delete is `deleted: true`. */
function deletion(
	{ dryRun, ifAgentsHaveIt: ifHeld, ifGone: ifMissing }: Chosen,
	inventory: Inventory,
): DocumentAction {
	return {
		done: 'deleted',
		perform: async (steps, sourceType, uniqueId) => {
			if (ifHeld === 'fail') {
				await ofLists(refuseIfHeld(steps, inventory, sourceType, uniqueId));
			}
			if (dryRun) return await ofLists(wouldDelete(steps, inventory, uniqueId));
			await deleteOne(steps, sourceType, uniqueId);
			return { deleted: true };
		},
		doneAlready: (failure) =>
			ifMissing === 'deleted' && isUnknownFile(failure)
				? { action: 'already gone', deleted: true }
				: undefined,
		explained: withIfGone,
	};
}

/** A list that is refused says nothing of a document, whatever the code. */
async function ofLists<Value>(work: Promise<Value>): Promise<Value> {
	return await onFailure(work, (failure) => {
		if (!(failure instanceof ApiError) || !isUnknownFile(failure)) return;
		throw new ApiError(failure.title, failure.hint, { ...failure.more, unknown: undefined });
	});
}

async function wouldDelete(
	steps: ItemContext,
	inventory: Inventory,
	uniqueId: string,
): Promise<Fields> {
	const record = inventory.record(uniqueId);
	const who = await inventory.whoHas(steps, ALL_SOURCE_TYPES);
	return {
		action: 'would be deleted',
		dryRun: true,
		...shownOwners(who, record ?? { uniqueId }),
		...(record === undefined && { reason: UNLISTED }),
	};
}

const UNLISTED =
	'It is not among the newest documents that CometChat lists: whether there is one is not known.';

const TRIED = "Nothing was deleted, because 'Dry Run' under Options is on: switch it off to delete";

/** Where there is no such file, with the way out for one that was deleted before. */
function withIfGone(failure: ItemFailure): ItemFailure {
	if (!(failure instanceof ApiError) || !isUnknownFile(failure)) return failure;
	const way = "If it was deleted before, set 'If Already Gone' under Options to Count as Deleted.";
	return new ApiError(failure.title, `${failure.hint} ${way}`, failure.more);
}
