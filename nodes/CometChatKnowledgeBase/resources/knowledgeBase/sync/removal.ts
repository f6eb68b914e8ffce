import { ItemContext } from '../../../operations/itemContext';
import type { Delivery, OldVersion } from '../../../delivery/delivery';
import { isStillUsed, newDelivery } from '../../../delivery/delivery';
import { tellOld } from '../../../delivery/failureState';
import { removeOld } from '../../../delivery/removeOld';
import { oldRows } from '../../../delivery/rows';
import { isTool } from '../../../fields/inputFiles';
import type { ItemResult, ItemState } from '../../../output/itemResult';
import type { Hint } from '../../../output/report';
import type { Failure } from '../../../text/failure';
import { isFailure, mayHaveSucceeded, reasonOf } from '../../../text/failure';
import { UPLOADS } from '../../../text/sourceTypes';
import type { Folder, SyncRun } from './folder';
import { isAttached, readList } from './folder';
import { hintsOn, UNNAMED } from './hints';
import type { MissingFile } from './missing';
import { missingFrom } from './missing';
import { fileRow } from './output';
import { attachedUploads, inFolder, ownIds, uploadsOf } from './record';

/** The facts about the input that decide whether missing files may be removed. */
export interface Input {
	/** Whether each item names its file. */
	isEachNamed: boolean;
	/** Whether the execution ended early. */
	isOver: boolean;
}

/** A missing file, which is removed from the agent or kept. */
interface Missing extends MissingFile {
	/** The IDs of its uploads. */
	ids: string[];
	/** Whether the agent never used the file. */
	isUnused: boolean;
}

/** Removes the files that are no longer in their folders from the agents. */
export async function removeMissing(
	sync: SyncRun,
	input: Input,
): Promise<{ furtherResults: ItemResult[]; hints: Hint[] }> {
	const furtherResults: ItemResult[] = [];
	const hints: Hint[] = [];
	const { context } = sync.batch;
	const execution = context.getExecutionId();
	if (!input.isEachNamed) sync.record.unclear = execution;
	const isUnclear = sync.record.unclear === execution;
	for (const folder of new Set(sync.folders.values())) {
		const isLaterCall = folder.known.calls?.execution === execution;
		const call = {
			nowMs: sync.batch.finishing.clock.nowMs(),
			execution,
			newContents: folder.newContents,
			unclear: whyUnclear(sync, folder, { ...input, isEachNamed: !isUnclear }),
		};
		const found = missingFrom(folder.known, folder.names, call);
		if (input.isOver || folder.onMissing === 'keep') continue;
		const remaining = idsInFolder(folder, found);
		const all = await Promise.all(
			found.map(async (one) => await withUploads(sync, folder, one, remaining)),
		);
		for (const { name, ids } of all) if (ids.length === 0) folder.known.files.delete(name);
		const missing = all
			.filter(({ action, ids, isUnused }) => ids.length > 0 && !(action === 'kept' && isUnused))
			.sort((one, other) => (one.name < other.name ? -1 : 1));
		furtherResults.push(...(await removeAll(sync, folder, missing)));
		hints.push(...hintsOn(folder, missing, context.getTimezone()));
		if (isLaterCall && folder.names.size === 1) hints.push(ONE_BY_ONE);
	}
	return { furtherResults, hints };
}

/** Returns the IDs of the files that stay, because a removed file may have the same ID. */
function idsInFolder({ known }: Folder, found: readonly MissingFile[]): Set<string> {
	const leaving = found.flatMap(({ name, action }) => (action === 'removed' ? name : []));
	const names = new Set(leaving);
	return new Set(inFolder(known).flatMap(([name, file]) => (names.has(name) ? [] : file.uniqueId)));
}

async function withUploads(
	sync: SyncRun,
	folder: Folder,
	found: MissingFile,
	remaining: ReadonlySet<string>,
): Promise<Missing> {
	const file = folder.known.files.get(found.name);
	const all = file ? uploadsOf(file).map(({ id }) => id) : [];
	const ids = found.action === 'removed' ? all.filter((id) => !remaining.has(id)) : all;
	const isUsed = await Promise.all(ids.map((id) => isAttached(sync, folder, id)));
	// Only unused if the record agrees: the response to the request that added the file may have been lost.
	const isRemovable = found.action === 'removed' && attachedUploads(file).length > 0;
	return { ...found, ids, isUnused: !isRemovable && isUsed.every((one) => one === false) };
}

/** Returns the reason why files of the folder may be missing from a call. */
function whyUnclear(
	{ batch: { context } }: SyncRun,
	{ agent, isDry }: Folder,
	input: Input,
): string | undefined {
	const mode = context.getMode();
	if (mode === 'retry' || input.isOver) return RETRY;
	if (mode === 'manual' && !isDry) return MANUAL;
	if (isTool(context)) return TOOL;
	if (agent === undefined || isFailure(agent)) return NO_AGENT;
	return input.isEachNamed ? undefined : UNNAMED;
}

/** Removes all files together, so that they share requests. Kept files are last. */
async function removeAll(sync: SyncRun, folder: Folder, found: Missing[]): Promise<ItemResult[]> {
	const removable = found.filter(({ action }) => action === 'removed');
	const remaining = found.filter(({ action }) => action !== 'removed');
	const rowsOf = (files: Missing[]) =>
		files.map((one): ItemResult => ({
			kind: 'succeeded',
			json: [fileRow(rowOf(folder, one), folder.isDry)],
		}));
	if (folder.isDry) return [...rowsOf(removable), ...rowsOf(remaining)];
	const isDeleted = folder.onMissing === 'delete';
	if (isDeleted && removable.length > 0) await readList(sync);
	const pairs = removable.map((one): [Missing, Delivery] => [one, toRetirement(sync, folder, one)]);
	await removeOld(
		sync.batch,
		pairs.map(([, delivery]) => delivery),
	);
	return [...pairs.map(([one, delivery]) => resultOf(folder, one, delivery)), ...rowsOf(remaining)];
}

function toRetirement({ batch }: SyncRun, folder: Folder, { name, ids }: Missing): Delivery {
	const own = ownIds(folder.known.files.get(name));
	// The lists may be late, so only a response proves that the file is removed.
	const uploads = ids.map((id) => ({ uniqueId: id, name, isAttached: true, isOwn: own.has(id) }));
	return newDelivery({
		...{
			index: 0,
			item: new ItemContext(batch.starting),
			sourceType: UPLOADS,
			name,
			maxIndexingMs: 0,
		},
		agent: isFailure(folder.agent) ? undefined : folder.agent,
		plan: { action: 'create', retire: uploads },
		deletes: folder.onMissing === 'delete' ? 'own' : 'never',
	});
}

function resultOf(folder: Folder, file: Missing, delivery: Delivery): ItemResult {
	const { item, old, failure } = delivery;
	const row = rowOf(folder, file);
	if (failure !== undefined) {
		const reason = reasonOf(failure.title, failure.more);
		const requested = { ...row, action: 'failed', success: false, reason };
		return item.failed(failure, requested, stateAfter(failure, delivery));
	}
	if (file.isUnused) for (const one of old) one.wasUsed = false;
	recordRemoved(folder, file.name, old);
	return item.done([{ ...row, old: oldRows(old) }]);
}

/** Records a removed file, unless CometChat deleted it, because it may return to the folder. */
function recordRemoved({ known }: Folder, name: string, uploads: readonly OldVersion[]): void {
	const file = known.files.get(name);
	const deleted = uploads
		.filter(({ steps }) => steps.delete === 'applied')
		.map(({ uniqueId }) => uniqueId);
	if (file === undefined) return;
	if (deleted.includes(file.uniqueId)) known.files.delete(name);
	const old = file.old?.filter(({ id }) => !deleted.includes(id));
	Object.assign(file, { step: 'removed', missing: undefined, call: undefined, old });
}

function rowOf({ agent, uid }: Folder, { name, ids, isUnused, action, reason }: Missing) {
	const agentName = isFailure(agent) ? undefined : agent?.name;
	const row = { sourceType: UPLOADS, agentName, uid, name, uniqueId: ids[0], success: true };
	if (reason) return { ...row, action, reason: `Missing from the input. ${reason}` };
	if (isUnused) return { ...row, action: 'skipped' as const, reason: NEVER_USED };
	return { ...row, action, reason: 'Missing from the input' };
}

/** Returns the state after a failure. The record stays, so that the next execution tries again. */
function stateAfter(failure: Failure, delivery: Delivery): ItemState {
	const isRemoved = !delivery.old.some(isStillUsed);
	return {
		effect: isRemoved ? 'partly applied' : mayHaveSucceeded(failure) ? 'unknown' : 'not applied',
		detail: tellOld(delivery),
		hint: 'The next execution tries again.',
	};
}

const ONE_BY_ONE: Hint = {
	type: 'warning',
	message:
		"Pass all documents to this node at once, for example without 'Loop Over Items'. The node runs once for each document, so missing documents are never removed.",
};

const TOOL = 'A tool of an AI agent gets one item at a time, so it removes no missing documents';

const RETRY = 'A retry uses the items of an earlier execution, so it removes no missing documents';

const MANUAL = 'Only executions of the published workflow remove missing documents';

const NO_AGENT = "CometChat didn't return the agent, so nothing is removed";

const NEVER_USED = 'Missing from the input. The agent did not use the document';
