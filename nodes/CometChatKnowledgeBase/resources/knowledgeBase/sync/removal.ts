import type { ItemState } from '../../../execution/itemContext';
import { ItemContext } from '../../../execution/itemContext';
import type { IngestionRun } from '../../../ingestion/ingestionRun';
import type { ItemFailure } from '../../../results/apiError';
import { caught, isItemFailure, mayBeDone } from '../../../results/apiError';
import type { Fields, ItemResult } from '../../../results/itemResult';
import { deleteOne, isUnknownFile } from '../../../service/deletion';
import { quoted } from '../../../values/quoting';
import { SOURCE_TYPE } from '../oldUploads';
import type { RowsOf } from './rows';
import { fileFailed, fileRow } from './rows';
import type { AgentState } from './state';
import { sentFile, uploadsOf } from './state';
import type { Reason } from './whyMissing';
import { UNTOLD } from './whyMissing';

/** A file that an agent has and no item brings. */
export interface MissingFile {
	name: string;
	/** Those that the agent may have. */
	uploads: string[];
	/** Why it is not removed; undefined if it is. */
	reason?: Reason;
}

/** The agent that files are taken from, and how. */
export interface RemovalFrom {
	run: IngestionRun;
	agent: AgentState;
	rowsOf: RowsOf;
	/** Whether to delete as well what was in the folder. */
	deletes: boolean;
}

/** What comes of a file that stays. */
export function missingResult(of: RowsOf, { name, uploads, reason }: MissingFile): ItemResult {
	const row = fileRow(of, {
		action: 'missing',
		name,
		reason: `Not among the files of this run: ${reason?.because ?? ''}`,
		uniqueId: uploads[0],
	});
	const json = [{ ...row, success: reason?.isWarned !== true }];
	return { kind: 'succeeded', json, attempts: 0 };
}

/** Takes a file from an agent; if that is only tried, tells that it would. */
export async function remove(from: RemovalFrom, file: MissingFile): Promise<ItemResult> {
	const { run, agent, rowsOf } = from;
	const { name, uploads } = file;
	const [uniqueId] = uploads;
	const removed = { action: 'removed' as const, name, reason: GONE, uniqueId };
	const item = new ItemContext(run);
	if (rowsOf.isTried) return item.done([fileRow(rowsOf, removed)]);
	// Whatever the lists say: they may be late, and only an answer to this proves that it is out.
	const change = { operation: 'remove' as const, sourceType: SOURCE_TYPE, uniqueIds: uploads };
	const taken = await caught(run.agentChanges.send(item, { ...change, uid: rowsOf.uid }));
	const failed = (failure: ItemFailure, step: Step) => {
		const told = item.failed(failure, {}, standingAfter(failure, name, step));
		return fileFailed(rowsOf, told, name, { uniqueId });
	};
	if (isItemFailure(taken)) return failed(taken, 'taken from the agent');
	const stays = from.deletes
		? await caught(deleteUnused(item, from, file))
		: new Map<string, string>();
	if (isItemFailure(stays)) return failed(stays, 'deleted');
	const isDeleted = (id: string) => from.deletes && !stays.has(id);
	noteRemoved(agent, name, isDeleted);
	const old = uploads.map((id): Fields => {
		const action = isDeleted(id) ? 'deleted' : 'removed';
		return { name, action, uniqueId: id, reason: stays.get(id) };
	});
	return item.done([fileRow(rowsOf, { ...removed, old })]);
}

/** What was to be done; the state stays, so that the next run tries again. */
type Step = 'taken from the agent' | 'deleted';

function standingAfter(failure: ItemFailure, name: string, step: Step): ItemState {
	const isUnknown = mayBeDone(failure);
	const file = quoted(name);
	const detail = isUnknown
		? `It is not known whether ${file}, which is no longer in the folder, was ${step}.`
		: `${file}, which is no longer in the folder, was not ${step}.`;
	const effect = step === 'deleted' ? 'partly applied' : isUnknown ? 'unknown' : 'not applied';
	return { effect, detail, hint: 'The next run tries it again.' };
}

/**
 * Deletes for good what was in the folder and no agent has any more.
 *
 * @returns Why each of the others is still there.
 */
async function deleteUnused(
	item: ItemContext,
	{ run, agent, rowsOf: { uid } }: RemovalFrom,
	{ name, uploads }: MissingFile,
): Promise<Map<string, string>> {
	const { inventory, permits } = run;
	const found = await permits.run(async () => await caught(inventory.agentFor(item, uid)));
	const isTold = !isItemFailure(found) && found.documents !== undefined;
	const file = agent.files.get(name);
	const wasInFolder = (id: string) => file !== undefined && uploadsOf(file).includes(id);
	const stays = new Map<string, string>();
	for (const id of uploads) {
		await permits.run(async () => {
			const why = !wasInFolder(id)
				? FOREIGN
				: isTold
					? await inventory.whyToKeep(item, id, { uid, name: 'the file' })
					: UNTOLD;
			if (why !== undefined) return stays.set(id, why);
			const deleted = await caught(deleteOne(item, SOURCE_TYPE, id));
			if (isItemFailure(deleted) && !isUnknownFile(deleted)) throw deleted;
			return inventory.list.records.remove(id);
		});
	}
	return stays;
}

/** What was removed is remembered for as long as CometChat has it: it may come back to the folder. */
function noteRemoved(
	{ files }: AgentState,
	name: string,
	isDeleted: (id: string) => boolean,
): void {
	const file = files.get(name);
	files.delete(name);
	if (file === undefined || isDeleted(file.uniqueId)) return;
	const old = file.old.filter((id) => !isDeleted(id));
	files.set(name, { ...sentFile(file.uniqueId, file.sha256, 'removed'), old });
}

const GONE = 'No longer in the folder';

/** Why it is not deleted. */
const FOREIGN = 'Somebody else may have uploaded it';
