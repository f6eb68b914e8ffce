import { ItemContext } from '../../../execution/itemContext';
import type { Records } from '../../../ingestion/records';
import type { OldVersion } from '../../../ingestion/replacement';
import { deleteOld, detachOld, oldRows, oldVersions } from '../../../ingestion/replacement';
import type { ItemFailure } from '../../../results/apiError';
import { caught, isItemFailure, mayBeDone } from '../../../results/apiError';
import type { ItemResult } from '../../../results/itemResult';
import { quoted } from '../../../values/quoting';
import { UPLOADS } from '../../../values/sourceTypes';
import { fileRow } from './output';
import type { AgentState, FileState } from './state';
import { sentFile, uploadsOf } from './state';
import type { AgentCall, Reason } from './whyMissing';

/** A file that an agent has and no item brings. */
export interface MissingFile {
	name: string;
	/** Those that the agent may have. */
	uploads: string[];
	/** Why it is not removed; undefined if it is. */
	reason?: Reason;
}

/** What comes of a file that stays. */
export function missingResult(call: AgentCall, { name, uploads, reason }: MissingFile): ItemResult {
	const because = `Not among the files of this run: ${reason?.because ?? ''}`;
	const success = reason?.isWarned !== true;
	const [uniqueId] = uploads;
	const row = {
		...rowOf(call),
		name,
		action: 'missing' as const,
		success,
		uniqueId,
		reason: because,
	};
	return { kind: 'succeeded', json: [fileRow(row, call.folder.isAnyTried)] };
}

function rowOf({ folder: { uid }, sync }: AgentCall) {
	return { sourceType: UPLOADS, agentName: sync.run.inventory.agents.asked(uid)?.name, uid };
}

/**
 * Takes a file from an agent; if that is only tried, tells that it would.
 *
 * @param deletes Whether to delete as well what was in the folder, if no agent has it any more.
 */
export async function remove(
	call: AgentCall,
	{ name, uploads }: MissingFile,
	deletes: boolean,
): Promise<ItemResult> {
	const { agent, folder, sync } = call;
	const item = new ItemContext(sync.run);
	const [uniqueId] = uploads;
	const removed = { ...rowOf(call), name, action: 'removed' as const, success: true, uniqueId };
	const row = { ...removed, reason: 'No longer in the folder' };
	if (folder.isAnyTried) return item.done([fileRow(row, true)]);
	const old = oldVersions(uploads.map((id) => ({ uniqueId: id, sourceName: name })));
	const failure = await caught(
		takeOut(call, item, old, deletes ? agent.files.get(name) : undefined),
	);
	if (isItemFailure(failure)) {
		const isOut = old.every(({ is }) => is !== 'attached');
		const requested = { ...row, action: 'failed', success: false, reason: failure.message };
		return item.failed(failure, requested, standingAfter(failure, name, isOut));
	}
	for (const one of old) if (deletes && one.is === 'detached') one.reason = FOREIGN;
	noteRemoved(agent, name, old);
	return item.done([{ ...row, old: oldRows(old) }]);
}

/** @param file What was in the folder is deleted, if no agent has it any more; left out: nothing is. */
async function takeOut(
	{ folder: { uid }, sync: { run } }: AgentCall,
	item: ItemContext,
	old: OldVersion[],
	file?: FileState,
): Promise<void> {
	const place = { run, item, sourceType: UPLOADS, uid };
	const own = file ? uploadsOf(file) : [];
	const wasInFolder = old.filter(({ uniqueId }) => own.includes(uniqueId));
	const areListed = (read: Records) => own.every((id) => read.withId(id) !== undefined);
	await run.permits.run(async () => {
		// Whatever the lists say: they may be late, and only an answer to this proves that it is out.
		await detachOld(place, old);
		// Only of what is listed it can be told who has it.
		if (file) await caught(run.inventory.list.until(item, areListed));
		await deleteOld(place, wasInFolder, 'ifUnused');
	});
}

/** What was removed is remembered for as long as CometChat has it: it may come back to the folder. */
function noteRemoved({ files }: AgentState, name: string, old: OldVersion[]): void {
	const file = files.get(name);
	files.delete(name);
	const isDeleted = (id: string) =>
		old.some(({ uniqueId, is }) => uniqueId === id && is === 'deleted');
	if (file === undefined || isDeleted(file.uniqueId)) return;
	const left = file.old.filter((id) => !isDeleted(id));
	files.set(name, { ...sentFile(file.uniqueId, file.sha256, 'removed'), old: left });
}

/** The state stays, so that the next run tries again. */
function standingAfter(failure: ItemFailure, name: string, isOut: boolean) {
	const isUnknown = mayBeDone(failure);
	const file = `${quoted(name)}, which is no longer in the folder,`;
	const done = isOut ? 'deleted' : 'taken from the agent';
	return {
		effect: isOut
			? ('partly applied' as const)
			: isUnknown
				? ('unknown' as const)
				: ('not applied' as const),
		detail: isUnknown ? `It is not known whether ${file} was ${done}.` : `${file} was not ${done}.`,
		hint: 'The next run tries it again.',
	};
}

/** Why it is not deleted. */
const FOREIGN = 'Somebody else may have uploaded it';
