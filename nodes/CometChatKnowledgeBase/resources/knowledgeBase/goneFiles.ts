import type { ItemRun } from '../../execution/items';
import type { RunResult } from '../../execution/operation';
import { Steps } from '../../execution/steps';
import type { ItemFailure } from '../../results/itemFailure';
import { isItemFailure, mayBeDone } from '../../results/itemFailure';
import type { Fields, ItemResult } from '../../results/itemResult';
import type { Hint } from '../../results/hints';
import { deleteOne, isUnknownFile } from '../../service/deletion';
import type { Shown, ShownText, Words } from '../../values/shown';
import { given, joined, worded } from '../../values/shown';
import { quoted } from '../../values/quoting';
import type { Folder } from './folder';
import type { Inventory } from './inventory';
import { whyPartial } from './inputView';
import { changeOf, MOST_NAMED, SOURCE_TYPE, whyToKeep } from './newVersion';
import type { NotedFile, SyncNote } from './syncNote';
import { callOf, viewOf } from './workflowView';

interface Sync {
	run: ItemRun;
	inventory: Inventory;
	/** Is kept up to date. */
	note: SyncNote;
	folder: Folder;
	itemResults: ItemResult[];
}

/**
 * Takes from the agents what this node has sent in earlier runs and the folder has no longer; never a file
 * from elsewhere, and nothing if the input may not be the whole folder.
 */
export async function takeGoneOut(
	sync: Sync,
): Promise<Required<Pick<RunResult, 'furtherResults' | 'hints'>>> {
	const { run, note, folder, itemResults } = sync;
	const furtherResults: ItemResult[] = [];
	const hints: Hint[] = [];
	const hasFailed = itemResults.some(({ kind }) => kind === 'failed');
	const isOver = run.clock.isCancelled() || (hasFailed && run.stopsOnFailure);
	if (folder.goneFiles === 'keep' || isOver) return { furtherResults, hints };

	const whyUnsure: ShownText | undefined =
		given(whyPartial(callOf(run.context, run.options.isWholeFolder), viewOf(run.context))) ??
		(folder.items < run.count ? 'not every item tells its file' : undefined);
	for (const agent of note.notedAgents()) {
		const { uid: key, files } = agent;
		const gone = [...files.keys()].filter((fileName) => folder.count(key, fileName) === 0);
		const before = Math.min(note.sizeBefore(key), agent.missingOf ?? Infinity);
		agent.missingOf = undefined;
		if (gone.length === 0) continue;
		const uid = folder.spelled(key);
		const isTooMuch = (gone.length / before) * 100 > run.options.maxShareToRemove;
		// Also where another reason comes first.
		if (isTooMuch) agent.missingOf = before;
		const why: ShownText | undefined =
			whyUnsure ??
			(uid === undefined ? 'no item is for this agent' : undefined) ??
			(isTooMuch ? tooMany(gone.length, before) : undefined);
		if (uid !== undefined && why === undefined) {
			furtherResults.push(...(await remove(sync, uid, gone)));
			continue;
		}
		hints.push(keptHint(gone, key, why ?? ''));
		// Of an agent that is not asked about there may be thousands, every night.
		if (uid !== undefined)
			furtherResults.push(...gone.map((fileName) => kept(uid, fileName, files, why)));
	}
	return { furtherResults, hints };
}

function tooMany(gone: number, before: number): Shown {
	return worded`${gone} of ${Math.max(gone, before)} are missing at once, more than 'Max Share to Remove (Percent)' under Options allows`;
}

function keptHint(gone: string[], uid: string, why: ShownText): Hint {
	const names = joined(gone.slice(0, MOST_NAMED).map(quoted), ', ');
	const more = gone.length > MOST_NAMED ? worded`, and ${gone.length - MOST_NAMED} more` : '';
	const [files, were]: [Words, Words] = gone.length === 1 ? ['file', 'was'] : ['files', 'were'];
	return {
		type: 'warning',
		message: worded`${gone.length} ${files} not among the items ${were} left with the agent ${quoted(uid)}, because ${why}: ${names}${more}.`,
	};
}

function kept(
	uid: Shown,
	fileName: string,
	files: ReadonlyMap<string, NotedFile>,
	why: ShownText | undefined,
): ItemResult {
	const uniqueId = files.get(fileName)?.current?.uniqueId;
	const reason = worded`No longer in the folder, and left, because ${why ?? ''}`;
	const json: Fields = {
		success: true,
		action: 'kept',
		fileName: given(fileName),
		uniqueId: given(uniqueId),
		reason,
		uid,
	};
	return { kind: 'succeeded', json: [json], attempts: 0, isRepeated: false };
}

async function remove(
	{ run, inventory, note, folder: { goneFiles, isDryRun } }: Sync,
	uid: Shown,
	fileNames: string[],
): Promise<ItemResult[]> {
	const files = note.filesOf(uid);
	const shared = new Steps(run);
	const { permits, agentChanges } = run;
	const look = async () => await lookUp(shared, inventory, uid, fileNames, files);
	const gone = await permits.run(look);
	if (isItemFailure(gone)) {
		return fileNames.map((fileName) =>
			notRemoved(shared, gone, { uid, fileName: given(fileName) }, TAKEN),
		);
	}
	// All at once, so that they go together.
	return await Promise.all(
		gone.map(async (one) => {
			const { fileName, uniqueId, attached } = one;
			const shown = {
				action: 'removed' as const,
				fileName: given(fileName),
				uniqueId: given(uniqueId),
			};
			const steps = new Steps(run);
			steps.include(shared);
			const sendsNothing = isDryRun || attached.length === 0;
			const taken =
				sendsNothing || (await agentChanges.send(steps, changeOf('remove', uid, ...attached)));
			if (isItemFailure(taken)) return notRemoved(steps, taken, { uid, ...shown }, TAKEN);
			for (const id of attached) inventory.noteAttached(uid, id, false);
			const deletes = goneFiles === 'delete' && !isDryRun;
			const deleted = deletes
				? await permits.run(async () => await deleteUnused(steps, inventory, uid, one))
				: {};
			if (isItemFailure(deleted)) return notRemoved(steps, deleted, { uid, ...shown }, DELETED);
			if (!isDryRun) files.delete(fileName);
			return steps.done([
				{
					success: true,
					...shown,
					reason: 'No longer in the folder',
					...deleted,
					uid,
					...(isDryRun && { dryRun: true }),
				},
			]);
		}),
	);
}

/** The uploads of a file that is gone. */
interface Gone {
	fileName: string;
	/** What the agent was given last. */
	uniqueId?: string;
	/** Those that CometChat has. */
	uploads: string[];
	/** Those of them that the agent has; where that is not told, those that it may have. */
	attached: string[];
	/** Whether CometChat tells which documents the agent has. */
	isTold: boolean;
}

async function lookUp(
	steps: Steps,
	inventory: Inventory,
	uid: string,
	fileNames: string[],
	files: ReadonlyMap<string, NotedFile>,
): Promise<Gone[] | ItemFailure> {
	const records = await inventory.recordsFor(steps);
	if (isItemFailure(records)) return records;
	const found = await inventory.agentFor(steps, uid);
	if (isItemFailure(found)) return found;
	const { documents } = found;
	return fileNames.map((fileName) => {
		const { current, pending, old } = files.get(fileName) ?? { old: [] };
		const sent = [current, pending].flatMap((version) => version?.uniqueId ?? []).concat(old);
		const uploads = sent.filter((id) => records.withId(id) !== undefined);
		const attached = uploads.filter((id) => documents?.has(id) ?? true);
		const { uniqueId } = current ?? {};
		return { fileName, uniqueId, uploads, attached, isTold: documents !== undefined };
	});
}

/** Deletes for good what no agent has any more. */
async function deleteUnused(
	steps: Steps,
	inventory: Inventory,
	uid: string,
	{ uploads, isTold }: Gone,
): Promise<{ notDeleted?: ShownText } | ItemFailure> {
	let notDeleted: ShownText | undefined;
	for (const id of uploads) {
		const why = isTold ? await whyToKeep(steps, inventory, id, { uid }, 'the file') : NOT_TOLD;
		notDeleted ??= why;
		if (why !== undefined) continue;
		const answer = await deleteOne(steps, SOURCE_TYPE, id);
		if (isItemFailure(answer) && !isUnknownFile(answer)) return answer;
		inventory.noteDeleted(id);
	}
	return { notDeleted };
}

const NOT_TOLD = "CometChat's list of agents does not tell which documents they have";

/** What was to be done with a file that is gone, and was not; its note stays, so that the next run tries again. */
const TAKEN = 'taken from the agent';
const DELETED = 'deleted';

function notRemoved(
	steps: Steps,
	failure: ItemFailure,
	requested: Fields & { fileName: string },
	step: Words,
): ItemResult {
	const isUnknown = mayBeDone(failure);
	const file = quoted(requested.fileName);
	const consequence = isUnknown
		? worded`It is not known whether ${file}, which is no longer in the folder, was ${step}.`
		: worded`${file}, which is no longer in the folder, was not ${step}.`;
	const effect = step === DELETED ? 'partly applied' : isUnknown ? 'unknown' : 'not applied';
	return steps.failed(failure, effect, consequence, requested, 'The next run tries it again.');
}
