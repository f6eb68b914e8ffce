import type { ItemRun } from '../execution/items';
import { Inventory } from '../ingestion/inventory';
import { choiceOption } from '../input/options';
import type { ItemFailure } from '../results/itemFailure';
import { RequestFailure } from '../results/itemFailure';
import type { ApiClient } from '../service/apiClient';
import { readSuccess } from '../service/attachments';
import { deleteOne, isUnknownFile } from '../service/deletion';
import { KNOWLEDGE_BASE } from '../service/records';
import { worded } from '../values/shown';
import type { FileAction } from './fileByFile';
import { whyKept } from './keptForAgents';

export const ifAgentsHaveItOption = choiceOption({
	displayName: 'If Agents Have It',
	name: 'ifAgentsHaveIt',
	type: 'options',
	options: [
		{ name: 'Delete', value: 'delete', description: 'They lose it' },
		{
			name: 'Fail',
			value: 'fail',
			description:
				'It is not deleted, and the error names the agents. It fails, too, where CometChat does not tell which agents have it.',
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
			description: 'The output names what was gone. A run that was broken off can so be run again.',
		},
		{
			name: 'Fail',
			value: 'fail',
			description: 'The item fails: otherwise nobody would notice a wrong ID',
		},
	],
	default: 'fail',
	description:
		'Change it to repeat a run that was broken off. What to do with a document that CometChat does not have.',
});

/** What n8n expects of a delete is `deleted: true`; the IDs stand beside it. */
export function deletion(run: ItemRun): FileAction {
	const takesGone = run.option(ifGoneOption) === 'deleted';
	const keepsHeld = run.option(ifAgentsHaveItOption) === 'fail';
	const inventory = new Inventory(run);
	return {
		done: 'deleted',
		success: { deleted: true },
		perform: async (steps, kind, uniqueId) => {
			const kept = keepsHeld && (await whyKept(steps, inventory, kind, uniqueId));
			return kept || (await deleteOne(steps, kind, uniqueId));
		},
		isDoneAlready: (failure) => takesGone && isUnknownFile(failure),
		details: (alreadyGone) => (takesGone ? { alreadyGone } : {}),
		explained: withIfGone,
	};
}

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
export function reindexing(): FileAction {
	return { done: 'sent to be indexed again', success: { success: true }, perform: reindexOne };
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
