import { ItemContext } from '../../../operations/itemContext';
import type { Delivery, Retired } from '../../../delivery/delivery';
import { newDelivery } from '../../../delivery/delivery';
import { retire } from '../../../delivery/retire';
import { oldRows } from '../../../delivery/rows';
import { isTool } from '../../../fields/inputFiles';
import type { ItemResult, ItemState } from '../../../output/itemResult';
import type { Hint } from '../../../output/report';
import type { Failure } from '../../../text/failure';
import { isFailure, mayHaveSucceeded, reasonOf } from '../../../text/failure';
import { quoted } from '../../../text/quoting';
import { UPLOADS } from '../../../text/sourceTypes';
import { callsByShape } from './callsByShape';
import type { Folder, SyncRun } from './folder';
import { readList } from './folder';
import { hintsOn, stayHints } from './hints';
import type { MissingFile, Reason } from './missing';
import { missingFrom, tooMany } from './missing';
import { fileRow } from './output';
import { attachedUploads, inFolder, ownIds, uploadsOf } from './record';

/** What the items of the execution say about files that they do not contain. */
export interface Input {
	/** Removal Limit, in percent. */
	limit: number;
	/** Whether each item names its file. */
	isEachNamed: boolean;
	/** Whether the execution ended early. */
	isOver: boolean;
}

/** A file that is removed from an agent, or stays although it is missing. */
interface Gone extends MissingFile {
	/** Its uploads. */
	ids: string[];
	/** Whether the agent never used it. */
	isUnused: boolean;
}

/** Removes the files from the agents that are no longer in their folders. */
export async function removeMissing(
	sync: SyncRun,
	input: Input,
): Promise<{ furtherResults: ItemResult[]; hints: Hint[] }> {
	const furtherResults: ItemResult[] = [];
	const hints: Hint[] = [];
	const { context } = sync.batch;
	for (const folder of new Set(sync.folders.values())) {
		forgetTakenIds(folder);
		const found = await findGone(sync, folder, input);
		if (input.isOver || folder.goneFiles === 'keep') continue;
		for (const one of await removeAll(sync, folder, found)) furtherResults.push(one);
		hints.push(...hintsOn(folder, found, context.getTimezone()));
		if (folder.itemsAre === 'parts' && whyPart(sync, input) === undefined) {
			hints.push(...stayHints(folder, found, context.getMode() === 'manual'));
		}
	}
	return { furtherResults, hints };
}

/** CometChat may give the upload of a file the ID of another one, which is that file's no longer. */
function forgetTakenIds({ known, names }: Folder): void {
	const files = inFolder(known);
	const taken = new Set(files.flatMap(([name, file]) => (names.has(name) ? file.uniqueId : [])));
	for (const [name, file] of files) {
		if (!names.has(name) && taken.has(file.uniqueId)) known.files.delete(name);
		else if (file.old) file.old = file.old.filter(({ id }) => !taken.has(id));
	}
}

async function findGone(sync: SyncRun, folder: Folder, input: Input): Promise<Gone[]> {
	const { batch } = sync;
	const { known, names, isReported, attached } = folder;
	if (folder.itemsAre === 'all') return findOthers(sync, folder, input);
	const call = {
		nowMs: batch.finishing.clock.nowMs(),
		execution: batch.context.getExecutionId(),
		limit: input.limit,
		unclear: whyUnclear(sync, folder, input),
	};
	return missingFrom(inFolder(known), names, call)
		.map(({ name, ...missing }) => {
			const file = known.files.get(name);
			const ids = file ? uploadsOf(file).map(({ id }) => id) : [];
			// Both the record and the agent's list have to say so: the response to an attach request may have been lost.
			const isUnused = isReported && !ids.some((id) => attached.has(id));
			return { ...missing, name, ids, isUnused: isUnused && attachedUploads(file).length === 0 };
		})
		.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Finds every uploaded file of the agent that no item contains. */
function findOthers(sync: SyncRun, folder: Folder, input: Input): Gone[] {
	const { known, names, agent, attached, isReported } = folder;
	if (agent === undefined || isFailure(agent)) return [];
	// An empty list names nothing to remove.
	if (!isReported && agent.files?.length === 0) return [];
	const { listFailure } = sync.batch.snapshot;
	if (listFailure || !isReported) {
		const reason = listFailure ? unreadList(listFailure) : NOT_REPORTED;
		return [{ name: 'Other files of the agent', ids: [], isUnused: false, reason }];
	}
	const uploads = new Map([...known.others].filter(([, name]) => name !== ''));
	const files = [...known.files].sort(
		([one], [other]) => Number(names.has(one)) - Number(names.has(other)),
	);
	for (const [name, file] of files) for (const { id } of uploadsOf(file)) uploads.set(id, name);
	const used = [...uploads].filter(([id]) => attached.has(id));
	const gone = new Map<string, string[]>();
	for (const [id, name] of used) {
		if (!names.has(name)) gone.set(name, [...(gone.get(name) ?? []), id]);
	}
	const reason = whyPart(sync, input) ?? tooMany(gone.size, folder.usedBefore, input.limit);
	return [...gone].map(([name, ids]) => ({ name, ids, isUnused: false, reason }));
}

/** Why a call may lack files that are in the folder. */
function whyUnclear({ batch }: SyncRun, { isDry }: Folder, input: Input): Reason | undefined {
	const mode = batch.context.getMode();
	if (mode === 'retry' || input.isOver) return RETRY;
	if (mode === 'manual' && !isDry) return MANUAL;
	if (isTool(batch.context)) return TOOL;
	return input.isEachNamed ? undefined : UNNAMED;
}

/** Why a call may be only a part of the folder. */
function whyPart({ batch: { context } }: SyncRun, { isEachNamed }: Input): Reason | undefined {
	if (context.getMode() === 'retry') return RETRY;
	if (isTool(context)) return TOOL;
	if (context.getNode().executeOnce === true) return ONCE;
	if (!isEachNamed) return UNNAMED;
	const shape = callsByShape(context);
	if (shape === 'loop') return perhapsPart('The node is in a loop');
	if (shape === 'branches') return perhapsPart('Several nodes are connected to this node');
	const isAnother = Number(context.evaluateExpression('{{ $runIndex }}', 0)) > 0;
	return isAnother ? perhapsPart('n8n runs the node several times') : undefined;
}

/** Removes all files at once, so that they share requests. Those that stay come last. */
async function removeAll(sync: SyncRun, folder: Folder, found: Gone[]): Promise<ItemResult[]> {
	const removable = found.filter(({ reason }) => reason === undefined);
	const remaining = found.filter(({ reason }) => reason !== undefined);
	const rowsOf = (files: Gone[]) =>
		files.map((one): ItemResult => ({
			kind: 'succeeded',
			json: [fileRow(rowOf(folder, one), folder.isDry)],
		}));
	if (folder.isDry) return [...rowsOf(removable), ...rowsOf(remaining)];
	const isDeleted = folder.goneFiles === 'delete';
	if (isDeleted && removable.length > 0) await readList(sync);
	const pairs = removable.map((one): [Gone, Delivery] => [one, toRetirement(sync, folder, one)]);
	await retire(
		sync.batch,
		pairs.map(([, delivery]) => delivery),
	);
	return [...pairs.map(([one, delivery]) => resultOf(folder, one, delivery)), ...rowsOf(remaining)];
}

function toRetirement({ batch }: SyncRun, folder: Folder, { name, ids }: Gone): Delivery {
	const own = ownIds(folder.known.files.get(name));
	// Whatever the lists say: they may be late, and only a response proves that the file is removed.
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
		deletes: folder.goneFiles === 'delete' ? 'own' : 'never',
	});
}

function resultOf(folder: Folder, file: Gone, { item, retired, failure }: Delivery): ItemResult {
	const row = rowOf(folder, file);
	if (failure !== undefined) {
		const reason = reasonOf(failure.title, failure.more);
		const requested = { ...row, action: 'failed', success: false, reason };
		return item.failed(failure, requested, stateAfter(failure, file.name, retired));
	}
	if (file.isUnused) for (const one of retired) one.wasAttached = false;
	recordRemoved(folder, file.name, retired);
	return item.done([{ ...row, old: oldRows(retired) }]);
}

/** A removed file is remembered as long as CometChat has it, because it may come back to the folder. */
function recordRemoved({ known }: Folder, name: string, retired: readonly Retired[]): void {
	for (const { uniqueId } of retired) known.others.delete(uniqueId);
	const file = known.files.get(name);
	const deleted = retired.flatMap(({ uniqueId, state }) => (state === 'deleted' ? uniqueId : []));
	if (file === undefined) return;
	if (deleted.includes(file.uniqueId)) known.files.delete(name);
	const old = file.old?.filter(({ id }) => !deleted.includes(id));
	Object.assign(file, { step: 'removed', missing: undefined, call: undefined, old });
}

function rowOf({ agent, uid }: Folder, { name, ids, isUnused, reason }: Gone) {
	const agentName = isFailure(agent) ? undefined : agent?.name;
	const row = { sourceType: UPLOADS, agentName, uid, name, uniqueId: ids[0] };
	if (reason) {
		const said = `Missing from the input. ${reason.text}`;
		return { ...row, action: 'missing' as const, success: reason.isWarned !== true, reason: said };
	}
	const action = isUnused ? ('skipped' as const) : ('removed' as const);
	return { ...row, action, success: true, reason: isUnused ? NEVER_USED : GONE };
}

/** The record stays, so that the next execution tries again. */
function stateAfter(failure: Failure, name: string, retired: readonly Retired[]): ItemState {
	const isOut = retired.every(({ state }) => state !== 'attached');
	const isUnknown = mayHaveSucceeded(failure);
	const file = `${quoted(name)}, which is not in the folder,`;
	const done = isOut ? 'deleted' : 'removed from the agent';
	return {
		effect: isOut ? 'partly applied' : isUnknown ? 'unknown' : 'not applied',
		detail: isUnknown
			? `Result unknown: CometChat didn't confirm that ${file} was ${done}.`
			: `${file} was not ${done}.`,
		hint: 'The next execution tries again.',
	};
}

function warned(text: string): Reason {
	return { text, isWarned: true };
}

function perhapsPart(why: string): Reason {
	return warned(
		`${why}, so the input may be incomplete. Pass all files at once, or set 'Files to Remove' to 'Files Missing From the Folder'`,
	);
}

function unreadList({ title, more }: Failure): Reason {
	return warned(
		`The node couldn't read CometChat's lists (${reasonOf(title, more)}). Run the workflow again later`,
	);
}

const NOT_REPORTED = warned(
	"CometChat doesn't report which files the agent uses. Remove other files with 'Remove Files'",
);

const UNNAMED = warned(
	'Some items have no file name and may contain these files. Check the output of the previous node',
);

const TOOL = warned(
	'The node is used as a tool, with one item at a time. To remove files, use the node without an AI agent',
);

const ONCE = warned(
	"'Execute Once' is on in the node's settings, so the input may be incomplete. Turn off 'Execute Once'",
);

const RETRY: Reason = {
	text: 'A retry uses the files of an earlier execution, so it removes nothing',
};

const MANUAL: Reason = {
	text: 'A manual execution removes nothing. Only executions of the published workflow remove files',
};

const GONE = 'Not in the folder';

const NEVER_USED = 'Not in the folder. The agent did not use the file';
