import { ItemContext } from '../../../execution/itemContext';
import type { IngestionRun } from '../../../ingestion/ingestionRun';
import { FOREIGN, whyToKeep } from '../../../ingestion/oldVersions';
import type { ItemFailure } from '../../../results/apiError';
import { caught, isItemFailure, mayBeDone } from '../../../results/apiError';
import type { Failed, Fields, ItemResult } from '../../../results/itemResult';
import { deleteOne, isUnknownFile } from '../../../service/deletion';
import { quoted } from '../../../values/quoting';
import type { AbsentFile } from './absentFiles';
import { FileRows } from './fileRow';
import { SOURCE_TYPE } from '../oldUploads';
import type { NotedAgent, NotedUpload } from './syncNote';
import { newFile } from './syncNote';

/** The agent that files are taken from, and how. */
export interface TakingOut {
	run: IngestionRun;
	agent: NotedAgent;
	/** As the input spells it. */
	uid: string;
	/** Whether to delete as well what this node has uploaded. */
	deletes: boolean;
	isDryRun: boolean;
}

/** What was to be done with a file that is gone, and was not; its note stays, so that the next run tries again. */
const TAKEN = 'taken from the agent';
const DELETED = 'deleted';

const GONE: string = 'No longer in the folder';

/** Takes a file from an agent; if that is only tried, tells that it would. */
export async function takeOut(from: TakingOut, file: AbsentFile): Promise<ItemResult> {
	const { run, agent, uid, isDryRun } = from;
	const { uploads } = file;
	const name = file.fileName;
	const ids = uploads.map(({ uniqueId }) => uniqueId);
	const uniqueId = ids[0];
	const rows = new FileRows(uid, isDryRun, run.inventory);
	const removed = { action: 'removed' as const, name, reason: GONE, uniqueId };
	const steps = new ItemContext(run);
	if (isDryRun) return steps.done([rows.row(removed)]);
	// Whatever the lists say: they may be late, and only an answer to this proves that it is out.
	const change = { operation: 'remove' as const, uid, sourceType: SOURCE_TYPE, uniqueIds: ids };
	const taken = await run.agentChanges.send(steps, change);
	const left = (failure: ItemFailure, step: string) =>
		rows.failed(notTakenOut(steps, failure, name, step), name, { uniqueId });
	if (isItemFailure(taken)) return left(taken, TAKEN);
	const stays = from.deletes ? await deleteUnused(steps, from, uploads) : new Map<string, string>();
	if (isItemFailure(stays)) return left(stays, DELETED);
	const isDeleted = (id: string) => from.deletes && !stays.has(id);
	noteOut(agent, file, isDeleted);
	const old = ids.map((id): Fields => {
		const action = isDeleted(id) ? 'deleted' : 'removed';
		return { name, action, uniqueId: id, reason: stays.get(id) };
	});
	return steps.done([rows.row({ ...removed, old })]);
}

/**
 * Deletes for good what this node has uploaded and no agent has any more.
 *
 * @returns Why each of the others is still there.
 */
async function deleteUnused(
	steps: ItemContext,
	{ run, uid }: TakingOut,
	uploads: NotedUpload[],
): Promise<Map<string, string> | ItemFailure> {
	const { inventory, permits } = run;
	const found = await permits.run(async () => await caught(inventory.agentFor(steps, uid)));
	const isTold = !isItemFailure(found) && found.documents !== undefined;
	const stays = new Map<string, string>();
	for (const { uniqueId: id, isOwn } of uploads) {
		const answer = await permits.run(async () => {
			if (!isOwn) return FOREIGN;
			if (!isTold) return UNTOLD;
			const why = await whyToKeep(steps, inventory, id, { uid, name: 'the file' });
			return why ?? (await caught(deleteOne(steps, SOURCE_TYPE, id)));
		});
		if (typeof answer === 'string') {
			stays.set(id, answer);
			continue;
		}
		if (isItemFailure(answer) && !isUnknownFile(answer)) return answer;
		inventory.noteDeleted(id);
	}
	return stays;
}

/**
 * What was taken out is remembered for as long as CometChat has it: by its name alone it would pass for the
 * agent's where the lists do not tell.
 */
function noteOut(
	{ files }: NotedAgent,
	{ fileName, uploads }: AbsentFile,
	isDeleted: (id: string) => boolean,
): void {
	const { current, pending, out } = files.get(fileName) ?? newFile();
	const contentOf = (id: string) =>
		[current, pending].find((one) => one?.uniqueId === id)?.sha256 ?? '';
	const left = uploads
		.filter(({ uniqueId }) => !isDeleted(uniqueId))
		.map(({ uniqueId, isOwn }) => ({ uniqueId, isOwn, sha256: contentOf(uniqueId) }));
	const all = [...out, ...left];
	if (all.length === 0) files.delete(fileName);
	else files.set(fileName, { old: [], out: all });
}

export const UNTOLD: string = "CometChat's list of agents does not tell which documents they have";

function notTakenOut(steps: ItemContext, failure: ItemFailure, name: string, step: string): Failed {
	const isUnknown = mayBeDone(failure);
	const file = quoted(name);
	const consequence = isUnknown
		? `It is not known whether ${file}, which is no longer in the folder, was ${step}.`
		: `${file}, which is no longer in the folder, was not ${step}.`;
	const effect = step === DELETED ? 'partly applied' : isUnknown ? 'unknown' : 'not applied';
	const goOn = 'The next run tries it again.';
	return steps.failed(failure, {}, { effect, consequence, goOn });
}
