import type { INodeProperties } from 'n8n-workflow';

import type { ItemRun } from '../../execution/items';
import { itemByItem } from '../../execution/items';
import type { Operation } from '../../execution/operation';
import type { ItemContext } from '../../execution/itemContext';
import type { Inventory } from '../../ingestion/inventory';
import { filesFields } from '../../input/fields';
import { ifNoFileIdsOption } from '../../input/fileIds';
import { choiceOption, switchOption } from '../../input/options';
import type { ItemFailure } from '../../results/apiError';
import { ApiError } from '../../results/apiError';
import type { Fields } from '../../results/itemResult';
import type { OutputName } from '../../results/outputFields';
import { deleteOne, isUnknownFile } from '../../service/deletion';
import { ALL_SOURCE_TYPES } from '../../values/sourceTypes';
import { documentIdsReader } from './documentIds';
import type { DocumentAction } from './eachDocument';
import { refuseIfHeld } from './keptForAgents';
import { shownOwners } from './owners';
import { eachDocument } from './eachDocument';

const ifAgentsHaveItOption = choiceOption({
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

const ifGoneOption = choiceOption({
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

const dryRunOption = switchOption({
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: false,
	description:
		'Whether to only show what would be deleted, and which agents have it. Nothing is deleted.',
});

const deleteNotice: INodeProperties = {
	displayName:
		'Documents are deleted for good: from CometChat, and from every agent that has them. To take one from a single agent, use Remove Files.',
	name: 'deleteNotice',
	type: 'notice',
	default: '',
};

const DELETED: OutputName[] = [
	...(['name', 'action', 'success', 'uniqueId', 'sourceType', 'reason'] as const),
	...(['dryRun', 'deleted', 'agents', 'agentIds'] as const),
];

export const deleteDocuments: Operation = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete files, texts or websites for good',
	description:
		'Delete files, texts or websites from CometChat for good, also from every agent that has them',
	fields: [deleteNotice, ...filesFields],
	options: [dryRunOption, ifAgentsHaveItOption, ifGoneOption, ifNoFileIdsOption],
	output: DELETED,
	run: itemByItem(documentIdsReader, eachDocument(deletion)),
};

/** What n8n expects of a delete is `deleted: true`. */
function deletion(run: ItemRun, inventory: Inventory): DocumentAction {
	const takesGone = run.option(ifGoneOption) === 'deleted';
	const keepsHeld = run.option(ifAgentsHaveItOption) === 'fail';
	const isTried = run.option(dryRunOption);
	return {
		done: 'deleted',
		warning: isTried ? TRIED : undefined,
		perform: async (steps, sourceType, uniqueId) => {
			if (keepsHeld) await refuseIfHeld(steps, inventory, sourceType, uniqueId);
			if (isTried) return await wouldDelete(steps, inventory, uniqueId);
			await deleteOne(steps, sourceType, uniqueId);
			return { deleted: true };
		},
		doneAlready: (failure) =>
			takesGone && isUnknownFile(failure) ? { action: 'already gone', deleted: true } : undefined,
		explained: withIfGone,
	};
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
	const { explanation, ...result } = failure.result;
	const way = "If it was deleted before, set 'If Already Gone' under Options to Count as Deleted.";
	return new ApiError({
		...result,
		explanation: explanation && { ...explanation, remedy: `${explanation.remedy} ${way}` },
	});
}
