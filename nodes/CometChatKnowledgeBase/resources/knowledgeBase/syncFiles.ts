import type { INodeProperties } from 'n8n-workflow';

import type { ItemRun, Performer, Reader } from '../../execution/items';
import { itemByItem } from '../../execution/items';
import type { Operation, RunContext } from '../../execution/operation';
import { Steps } from '../../execution/steps';
import type { Attachment } from '../../input/binary';
import { readOneAttachment, sentNames } from '../../input/binary';
import { contentHash } from '../../input/contentHash';
import { composed } from '../../input/document';
import {
	agentField,
	binaryField,
	maxIndexingOption,
	maxShareOption,
	optionsField,
	requestOptionsField,
	wholeFolderOption,
} from '../../input/fields';
import { readUid } from '../../input/identifiers';
import { MAX_FILE_IDS } from '../../input/options';
import type { ItemFailure } from '../../results/itemFailure';
import { isItemFailure, StepFailure } from '../../results/itemFailure';
import type { Hint } from '../../results/hints';
import type { ItemResult } from '../../results/itemResult';
import { unusable } from '../../results/itemResult';
import { deleteOne } from '../../service/deletion';
import { recordOf } from '../../service/uploads';
import type { Shown, ShownText } from '../../values/shown';
import { given, worded } from '../../values/shown';
import { quoted } from '../../values/quoting';
import { readChoice, readSwitch } from '../../values/switches';
import { readTime } from '../../values/times';
import { ValidationIssue } from '../../values/validationIssue';
import { Folder, GONE_FILES } from './folder';
import { takeGoneOut } from './goneFiles';
import type { Records } from './inventory';
import { Inventory } from './inventory';
import type { State } from './newVersion';
import {
	bringVersion,
	DELETING,
	deleteOldField,
	notBegun,
	severalNamed,
	SOURCE_TYPE,
	stateAfter,
} from './newVersion';
import type { Decision } from './syncDecision';
import { decide } from './syncDecision';
import type { NotedFile } from './syncNote';
import { SyncNote } from './syncNote';

interface Task {
	uid: Shown;
	file: Attachment;
	modifiedMs?: number;
	deleteOld: (typeof DELETING)[number];
	isDryRun: boolean;
}

const modifiedField: INodeProperties = {
	displayName: 'Modified',
	name: 'modified',
	type: 'string',
	default: '',
	placeholder: 'e.g. {{ $json.modifiedTime }}',
	hint: "Drag in the field with the time of the file's last change, if there is one",
	description:
		'Without it all is well too: the first night after a change of this workflow may send files again that have not changed. Only used for a file of which this node has not noted what it sent.',
};

const goneField: INodeProperties = {
	displayName: 'Files No Longer in the Folder',
	name: 'goneFiles',
	type: 'options',
	options: [
		{
			name: 'Take From the Agent',
			value: 'remove',
			description: 'The agent forgets them; CometChat keeps them',
		},
		{
			name: 'Take From the Agent and Delete',
			value: 'delete',
			description: 'Delete them for good, unless another agent has them',
		},
		{ name: 'Leave', value: 'keep', description: 'The agent goes on answering from them' },
	],
	default: 'remove',
	description:
		'What becomes of files that this node has sent before and that are not among the items any more. Files from elsewhere are never touched.',
};

const dryRunField: INodeProperties = {
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: false,
	description:
		'Whether to try it out: the output says what would be done with each file and why, and nothing is sent or changed',
};

export const syncFiles: Operation = {
	value: 'sync',
	name: 'Sync Files',
	action: 'Sync the files of a folder with an agent',
	description:
		'Let the agent know what is in a folder: new files are added, changed ones replaced, those that are gone taken out',
	fields: [
		agentField,
		binaryField,
		modifiedField,
		deleteOldField,
		goneField,
		dryRunField,
		optionsField([maxIndexingOption, maxShareOption, wholeFolderOption]),
		requestOptionsField,
	],
	run: async (run) => {
		const folder = new Folder();
		const read = (context: RunContext) => reader(context, folder);
		const performer = (itemRun: ItemRun) => syncer(itemRun, folder);
		return await itemByItem(read, performer, MAX_FILE_IDS.default)(run);
	},
};

function reader(run: RunContext, folder: Folder): Reader<Task> {
	const uidOf = run.parameter('uid');
	const namesOf = run.parameter('binaryPropertyName');
	const modifiedOf = run.parameter('modified');
	const deleteOf = run.parameter('deleteOldVersion');
	const goneOf = run.parameter('goneFiles');
	const dryRunOf = run.parameter('dryRun');
	const readTask = async (index: number, uid: Shown): Promise<Task | ValidationIssue> => {
		// Before the file: also where none can be sent, it is to be told what becomes of those that are gone.
		const goneFiles = readChoice(goneOf(index), 'Files No Longer in the Folder', GONE_FILES);
		if (goneFiles instanceof ValidationIssue) return goneFiles;
		const isDryRun = readSwitch(dryRunOf(index), 'Dry Run');
		if (isDryRun instanceof ValidationIssue) return isDryRun;
		folder.noteSettings(goneFiles, isDryRun);
		const file = await readOneAttachment(run.context, index, namesOf(index));
		if (file instanceof ValidationIssue) return file;
		const modifiedMs = readTime(modifiedOf(index), "'Modified'");
		if (modifiedMs instanceof ValidationIssue) return modifiedMs;
		const deleteOld = readChoice(deleteOf(index), 'Delete Old Version', DELETING);
		if (deleteOld instanceof ValidationIssue) return deleteOld;
		return { uid, file, modifiedMs, deleteOld, isDryRun };
	};
	return async (index) => {
		const uid = readUid(uidOf(index));
		if (uid instanceof ValidationIssue) return uid;
		const task = await readTask(index, uid);
		if (task instanceof ValidationIssue) {
			// What can't be sent is in the folder all the same.
			folder.note(uid, sentNames(run.context, index));
			return task;
		}
		const { fileName } = task.file;
		folder.note(uid, [fileName]);
		const requested = { uid, fileName };
		return folder.count(uid, fileName) > 1
			? unusable(namedTwice(fileName), requested)
			: { kind: 'ready', task, requested };
	};
}

function namedTwice(fileName: string): ValidationIssue {
	return new ValidationIssue(
		`Several items bring a file named ${quoted(fileName)} for the same agent`,
		'A file is known by its name: give one of them another name before this node, or sync their folders with different agents.',
	);
}

function syncer(run: ItemRun, folder: Folder): Performer<Task> {
	const inventory = new Inventory(run);
	const { context, account } = run;
	const staticData = context.getWorkflowStaticData('node');
	const note = new SyncNote(staticData, context.getMode(), account.baseUrl);
	return {
		async perform({ task, requested }) {
			const { uid, file } = task;
			if (folder.count(uid, file.fileName) > 1) {
				return unusable(namedTwice(file.fileName), requested);
			}
			const steps = new Steps(run);
			const compared = await compare(steps, run, inventory, task, note);
			if (isItemFailure(compared)) {
				const consequence = worded`Nothing was changed for ${quoted(file.fileName)}.`;
				return steps.failed(compared, 'not applied', consequence, requested);
			}
			return task.isDryRun || isDone(compared)
				? report(steps, task, compared, note)
				: await carryOut(steps, run, inventory, task, compared, note);
		},
		async finish(itemResults) {
			const gone = await takeGoneOut({ run, inventory, note, folder, itemResults });
			if (!folder.isDryRun) note.save();
			const results = [...itemResults, ...gone.furtherResults];
			return { ...gone, hints: [...gone.hints, ...summary(results, folder.isDryRun, note)] };
		},
	};
}

/** What a file was found to be. */
interface Compared {
	sha256: string;
	noted?: NotedFile;
	decision: Decision;
	/** CometChat's, of the upload that has the content already. */
	status?: ShownText;
}

async function compare(
	steps: Steps,
	run: ItemRun,
	inventory: Inventory,
	{ uid, file, modifiedMs, isDryRun }: Task,
	note: SyncNote,
): Promise<Compared | ItemFailure> {
	const sha256 = await contentHash(file);
	if (sha256 instanceof ValidationIssue) return new StepFailure(sha256.what, sha256.remedy);
	const records = await inventory.recordsFor(steps);
	if (isItemFailure(records)) return records;
	const found = await inventory.agentFor(steps, uid);
	if (isItemFailure(found)) return found;

	const remembered = note.filesOf(uid).get(composed(file.fileName));
	const { agent, documents } = found;
	const isTold = documents !== undefined;
	const notedAgent = note.agentFor(uid);
	notedAgent.wasTold ||= isTold;
	// Of an agent that has always shown none, it says nothing.
	const { files, websites = [] } = agent;
	const showsNone = notedAgent.wasTold && files?.length === 0 && websites.length === 0;
	const noted =
		remembered &&
		(isDryRun
			? remembered
			: await withoutUnreadable(run, remembered, records, inventory, documents));

	const { current, pending, old = [] } = noted ?? {};
	const named = records.uploadsNamed(file.fileName).map(({ uniqueId }) => uniqueId);
	const sent = [current?.uniqueId, ...old].flatMap((id) => id ?? []);
	const candidates = isTold
		? [...named, ...sent, ...(pending ? [pending.uniqueId] : [])].filter((id) => documents.has(id))
		: noted
			? sent
			: named.filter((id) => inventory.mayHave(uid, id));
	const versions = [...new Set(candidates)].flatMap((id) => records.withId(id) ?? []);

	const recordWithId = (id: string) => records.withId(id);
	const known = { sha256, modifiedMs, noted, isTold, showsNone, versions, recordWithId };
	const decision = decide(known);
	if (decision === undefined) {
		const timeZone = run.context.getTimezone();
		return severalNamed(file.fileName, versions, isTold, timeZone, CLEAR_UP);
	}
	return {
		sha256,
		noted,
		decision,
		status: decision.current && records.withId(decision.current.uniqueId)?.status,
	};
}

/**
 * Deletes what a run before has uploaded in vain: CometChat was not able to read it, and no agent got it.
 * Otherwise such a file would leave one more every night.
 */
async function withoutUnreadable(
	run: ItemRun,
	noted: NotedFile,
	records: Records,
	inventory: Inventory,
	documents: ReadonlySet<string> | undefined,
): Promise<NotedFile> {
	// Of an old version nobody may know whether another agent has it.
	const { pending: { uniqueId } = {} } = noted;
	if (uniqueId === undefined || records.withId(uniqueId)?.status !== 'failed') return noted;
	if (documents?.has(uniqueId)) return noted;
	if (isItemFailure(await deleteOne(new Steps(run), SOURCE_TYPE, uniqueId))) return noted;
	inventory.noteDeleted(uniqueId);
	return { ...noted, pending: undefined };
}

const CLEAR_UP =
	'Take those that are not needed from the agent with Remove Files, or delete them with Document: Delete.';

function isDone({ decision: { current, oldVersions } }: Compared): boolean {
	return current?.isAttached === true && oldVersions.length === 0;
}

/** A file with which nothing is done, or nothing yet. */
function report(
	steps: Steps,
	{ uid, file, isDryRun }: Task,
	{ sha256, decision, status }: Compared,
	note: SyncNote,
): ItemResult {
	const { action, reason, current, oldVersions } = decision;
	if (!isDryRun && current) {
		const { uniqueId } = current;
		note.filesOf(uid).set(composed(file.fileName), { current: { uniqueId, sha256 }, old: [] });
	}
	return steps.done([
		{
			success: true,
			action,
			fileName: file.fileName,
			uniqueId: given(current?.uniqueId),
			oldId: given(oldVersions[0]?.uniqueId),
			reason: given(reason),
			status,
			uid,
			...(isDryRun && { dryRun: true }),
		},
	]);
}

async function carryOut(
	steps: Steps,
	run: ItemRun,
	inventory: Inventory,
	task: Task,
	{ sha256, noted, decision, status }: Compared,
	note: SyncNote,
): Promise<ItemResult> {
	const { uid, file, deleteOld } = task;
	const { action, reason, current, oldVersions } = decision;
	const state = notBegun();
	const change = { uid, file, deleteOld, current, oldVersions };
	const failure = await bringVersion(steps, run, inventory, change, state);
	const { newId, notDeleted, oldIds, reached } = state.progress;
	const next = noteAfter(state, sha256, noted);
	if (next) note.filesOf(uid).set(composed(file.fileName), next);

	const unfinished = state.uploading.open.map(recordOf);
	const shown = {
		action,
		fileName: file.fileName,
		uniqueId: given(newId),
		oldId: given(oldIds.find((id) => id !== newId)),
		reason: given(reason),
		...(notDeleted !== undefined && { notDeleted }),
		...(unfinished.length > 0 && { unfinished }),
	};
	if (failure === undefined) {
		const indexed = newId === undefined ? undefined : (state.statuses.get(newId) ?? status);
		return steps.done([{ success: true, ...shown, status: indexed, uid }]);
	}
	const { consequence, effect, unknown, goOn } = stateAfter(state, failure, file);
	return steps.failed(
		failure,
		effect,
		consequence,
		{ uid, ...shown, reached, ...(unknown && { unknown }) },
		// An empty one says that there is nothing to go on with.
		goOn && note.isKept ? 'The next run of this workflow goes on from here.' : goOn,
	);
}

/** Undefined if nothing has changed that a later run needs to know of. */
function noteAfter(
	{ progress: { newId, reached }, left, uploading }: State,
	sha256: string,
	noted: NotedFile | undefined,
): NotedFile | undefined {
	if (newId === undefined || !reached.includes('uploaded')) return undefined;
	const version = { uniqueId: newId, sha256 };
	if (reached.includes('added')) return { current: version, old: left };
	const { current, pending, old = [] } = noted ?? {};
	// One that was there before may be another agent's: it must not pass for an upload of this node.
	const isOwn = uploading.done.length > 0 || pending?.uniqueId === newId;
	if (!isOwn) return undefined;
	const superseded = pending && pending.uniqueId !== newId ? [pending.uniqueId] : [];
	return { current, pending: version, old: [...old, ...superseded] };
}

const ACTIONS = ['added', 'replaced', 'unchanged', 'removed', 'kept'];

/** What became of how many files, for the output panel. */
function summary(results: ItemResult[], isDryRun: boolean, note: SyncNote): Hint[] {
	const actions = results.flatMap((result) =>
		result.kind === 'succeeded' ? result.json.map(({ action }) => action) : [],
	);
	const counts = ACTIONS.flatMap((action) => {
		const count = actions.filter((one) => one === action).length;
		return count === 0 ? [] : [`${count} ${action}`];
	});
	const found: Hint[] = [];
	const files = counts.join(', ') || 'none';
	const what = isDryRun ? 'Dry run, nothing was changed. Files' : 'Files';
	found.push({ type: 'info', message: `${what}: ${files}.` });
	if (!isDryRun && !note.isKept) found.push({ type: 'info', message: NOT_KEPT });
	else if (note.wasEmpty) found.push({ type: 'info', message: NOTHING_NOTED });
	return found;
}

const NOT_KEPT =
	'n8n keeps no note of a run by hand, or of a retry: the next run of the published workflow may send files again that have not changed.';

const NOTHING_NOTED =
	'Nothing was noted of earlier runs, as on the first one: nothing counts as gone, and what the agent has may be sent again. If this stands here every time, look at "Keeping in step with a folder" in the pages of this node.';
