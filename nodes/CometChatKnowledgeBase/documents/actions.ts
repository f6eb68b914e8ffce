import type { ItemRun } from '../execution/items';
import type { Steps } from '../execution/steps';
import type { Inventory } from '../ingestion/inventory';
import { choiceOption, switchOption } from '../input/options';
import type { ItemFailure } from '../results/itemFailure';
import { isItemFailure, RequestFailure } from '../results/itemFailure';
import type { Fields } from '../results/itemResult';
import type { ApiClient } from '../service/apiClient';
import { readSuccess } from '../service/attachments';
import { deleteOne, isUnknownFile } from '../service/deletion';
import { KNOWLEDGE_BASE } from '../service/records';
import type { Shown } from '../values/shown';
import { worded } from '../values/shown';
import type { DocumentAction } from './fileByFile';
import { whyKept } from './keptForAgents';
import { shownOwners } from './owners';

export const ifAgentsHaveItOption = choiceOption({
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

export const ifGoneOption = choiceOption({
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

export const dryRunOption = switchOption({
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: false,
	description:
		'Whether to only show what would be deleted, and which agents have it. Nothing is deleted.',
});

/** What n8n expects of a delete is `deleted: true`. */
export function deletion(run: ItemRun, inventory: Inventory): DocumentAction {
	const takesGone = run.option(ifGoneOption) === 'deleted';
	const keepsHeld = run.option(ifAgentsHaveItOption) === 'fail';
	const isTried = run.option(dryRunOption);
	return {
		done: 'deleted',
		warning: isTried ? TRIED : undefined,
		perform: async (steps, sourceType, uniqueId) => {
			const kept = keepsHeld && (await whyKept(steps, inventory, sourceType, uniqueId));
			if (kept) return kept;
			if (isTried) return await wouldDelete(steps, inventory, uniqueId);
			const answer = await deleteOne(steps, sourceType, uniqueId);
			return answer === true ? { deleted: true } : answer;
		},
		doneAlready: (failure) =>
			takesGone && isUnknownFile(failure) ? { action: 'already gone', deleted: true } : undefined,
		explained: withIfGone,
	};
}

async function wouldDelete(
	steps: Steps,
	inventory: Inventory,
	uniqueId: Shown,
): Promise<Fields | ItemFailure> {
	const all = await inventory.allHolders(steps);
	if (isItemFailure(all)) return all;
	const record = inventory.record(uniqueId) ?? { uniqueId };
	return { action: 'would be deleted', dryRun: true, ...shownOwners(all, record) };
}

const TRIED = "Nothing was deleted, because 'Dry Run' under Options is on: switch it off to delete";

/** Where there is no such file, with the way out for one that was deleted before. */
function withIfGone(failure: ItemFailure): ItemFailure {
	if (!(failure instanceof RequestFailure) || !isUnknownFile(failure)) return failure;
	const { explanation, ...result } = failure.result;
	const way = "If it was deleted before, set 'If Already Gone' under Options to Count as Deleted.";
	return new RequestFailure({
		...result,
		explanation: explanation && { ...explanation, remedy: worded`${explanation.remedy} ${way}` },
	});
}

/**
 * Does not wait for the end: until CometChat takes a file up again, it may still be shown as failed, and
 * nothing tells such a status from a new one.
 */
export function reindexing(): DocumentAction {
	return {
		done: 'sent to be indexed again',
		perform: async (steps, sourceType, uniqueId) => {
			const answer = await reindexOne(steps, sourceType, uniqueId);
			return answer === true ? { action: 'retried' } : answer;
		},
	};
}

/**
 * Retry indexing of a source
 * (https://www.cometchat.com/docs/rest-api/ai-agents-apis/knowledge-base/retry-knowledge-base-source-indexing):
 * no body. Built on public pages, not tried. Sent again after a lost answer: a file that is read twice
 * is indexed all the same.
 *
 * @param uniqueId One that can be part of an address, as `readPathValue` lets through.
 */
async function reindexOne(
	client: ApiClient,
	kind: string,
	uniqueId: string,
): Promise<true | ItemFailure> {
	const url = `${KNOWLEDGE_BASE}/${kind}/${encodeURIComponent(uniqueId)}/sync`;
	return await client.call({ method: 'PATCH', url }, readSuccess);
}
