import { IDS_PER_REQUEST } from '../../../ingestion/agentChanges';
import type { ItemRun, Performer, Reader, Reading } from '../../../execution/items';
import { itemByItem } from '../../../execution/items';
import type { Operation, RunContext } from '../../../execution/operation';
import { maxIndexingOption } from '../../../ingestion/fields';
import { ingestionRun } from '../../../ingestion/ingestionRun';
import type { FilesItem, InputFile } from '../../../input/binary';
import { hasName, newNameOf, readOneFile, sentNames } from '../../../input/binary';
import { composed, UnsendableFile } from '../../../input/document';
import { agentField, nameOption, oneFileField } from '../../../input/fields';
import { readUid } from '../../../input/ids';
import { caught, isItemFailure } from '../../../results/apiError';
import { unusable } from '../../../results/itemResult';
import type { Failed, Skipped } from '../../../results/itemResult';
import { quoted } from '../../../values/quoting';
import { readChoice, readSwitch } from '../../../values/switches';
import { readTime } from '../../../values/times';
import { caughtNow, UserError } from '../../../values/userError';
import { deleteOldOption } from '../oldUploads';
import type { SyncTask } from './carryOut';
import { syncFile } from './carryOut';
import { Folder } from './folder';
import { removeMissing } from './missingFiles';
import { OUTPUTS, outputField, shapeOf, summaryHints } from './output';
import type { RowsOf } from './rows';
import { explainedOnce, fileFailed, fileRow, withAgentNames } from './rows';
import type { AgentState } from './state';
import { GONE_FILES, SyncState } from './state';
import {
	dryRunField,
	goneField,
	itemsAreOption,
	maxShareOption,
	modifiedField,
	runsMissingOption,
} from './syncFields';
import { WhatAgentsHave } from './whatIsThere';

export const syncFiles: Operation = {
	value: 'sync',
	name: 'Sync Files',
	action: 'Keep an agent in step with a folder',
	description:
		'For a whole folder: add what is new, replace what has changed, and take out what has left it',
	fields: [agentField, oneFileField, modifiedField, goneField, dryRunField, outputField],
	options: [
		...[deleteOldOption, maxIndexingOption, nameOption],
		...[maxShareOption, runsMissingOption, itemsAreOption],
	],
	output: [
		...(['name', 'action', 'success', 'status', 'uniqueId', 'sourceType', 'agentName'] as const),
		...(['uid', 'reason', 'dryRun', 'old', 'counts', 'names', 'unfinished'] as const),
	],
	run: async (run) => {
		const folder = new Folder();
		const read = (context: RunContext) => syncReader(context, folder);
		const performer = (itemRun: ItemRun) => syncer(itemRun, folder);
		const result = await itemByItem(read, performer)(run);
		const output = caughtNow(() => readChoice(run.parameter('output')(0), 'Output', OUTPUTS));
		const shape = shapeOf(output instanceof UserError ? 'all' : output, result);
		return { ...result, itemResults: withAgentNames(explainedOnce(result.itemResults)), shape };
	},
};

function syncReader(run: RunContext, folder: Folder): Reader<SyncTask> {
	const uidOf = run.parameter('uid');
	const dryRunOf = run.parameter('dryRun');
	const readTask = taskReader(run, folder);
	return async (index) => {
		const isTried = dryRunOf(index) === true;
		const uid = caughtNow(() => readUid(uidOf(index)));
		if (uid instanceof UserError) return unusable(uid, isTried ? { dryRun: true } : {});
		const of = { uid, isTried };
		const task = await caught(readTask(index, uid));
		if (!isItemFailure(task)) {
			folder.note(uid, [task.name]);
			return folder.count(uid, task.name) > 1 ? namedTwice(task) : readyFor(task);
		}
		if (!(task instanceof UserError)) throw task;
		const names = sentNames(run.context, index, { newName: newNameOf(itemAt(run, index)) });
		folder.note(uid, names);
		const isSkipped = task instanceof UnsendableFile && names.length > 0;
		return isSkipped ? skipped(of, task) : notRead(of, task);
	};
}

function readyFor(task: SyncTask): Reading<SyncTask> {
	const { file, isDryRun, uid } = task;
	const requested = { name: file.fileName, uid, ...(isDryRun && { dryRun: true }) };
	return { kind: 'ready', task, requested };
}

function taskReader(run: RunContext, folder: Folder) {
	const modifiedOf = run.parameter('modified');
	const goneOf = run.parameter('goneFiles');
	const dryRunOf = run.parameter('dryRun');
	const outputOf = run.parameter('output');
	return async (index: number, uid: string): Promise<SyncTask> => {
		// Before the file: also where none can be sent, it is to be told what becomes of those that are gone.
		const goneFiles = readChoice(goneOf(index), 'Files No Longer in the Folder', GONE_FILES);
		const isDryRun = readSwitch(dryRunOf(index), 'Dry Run');
		folder.noteSettings(uid, goneFiles, isDryRun);
		readChoice(outputOf(index), 'Output', OUTPUTS);
		const file = await readNamed(itemAt(run, index));
		const modifiedMs = readTime(modifiedOf(index), "'Last Changed'");
		const deleteOld = run.option(deleteOldOption);
		return { uid, file, name: composed(file.fileName), modifiedMs, deleteOld, isDryRun };
	};
}

function itemAt(run: RunContext, index: number): FilesItem {
	return { context: run.context, index, value: (name) => run.parameter(name)(index) };
}

async function readNamed(item: FilesItem): Promise<InputFile> {
	const file = await readOneFile(item);
	if (hasName(item.context, item.index, file, { newName: newNameOf(item) })) return file;
	throw new UserError(
		`The file in '${file.field}' has no name`,
		'Sync Files knows a file by its name. Let the node before this one give it one.',
	);
}

/** What CometChat does not take is skipped: it is in the folder all the same, and the others are brought. */
function skipped(of: RowsOf, { fileName: name, hint, why }: UnsendableFile): Skipped {
	const reason = `It ${why}. ${hint} ${IN_FOLDER}`;
	return {
		kind: 'skipped',
		json: fileRow(of, { action: 'skipped', name, reason }),
		warnings: [`Skipped, because it ${why}. ${hint.replace(/\.$/, '')}`],
	};
}

const IN_FOLDER = 'Until it is replaced in the folder, the agent does not get it.';

function notRead(of: RowsOf, issue: UserError): Failed {
	return fileFailed(of, unusable(issue), issue.more.fileName);
}

function namedTwice({ uid, file: { fileName }, isDryRun }: SyncTask): Failed {
	const issue = new UserError(
		`Several items bring a file named ${quoted(fileName)} for the same agent`,
		"Sync Files knows a file by its name. Let 'Name in CometChat' put their folders before their names, or sync their folders with different agents.",
		{ fileName },
	);
	return notRead({ uid, isTried: isDryRun }, issue);
}

function syncer(itemRun: ItemRun, folder: Folder): Performer<SyncTask> {
	const { context, account } = itemRun;
	const staticData = context.getWorkflowStaticData('node');
	const state = new SyncState(staticData, context.getMode(), account.baseUrl);
	const maxFileIdsPerRequest = IDS_PER_REQUEST;
	const run = ingestionRun(itemRun, { maxFileIdsPerRequest, noted: state.uploads() });
	const sync = { run, state, there: new WhatAgentsHave(run, state) };
	return {
		async perform({ task }) {
			const isOne = folder.count(task.uid, task.name) === 1;
			return isOne ? await syncFile(sync, task) : namedTwice(task);
		},
		async finish(itemResults) {
			const { furtherResults, hints } = await removeMissing(sync, folder, itemResults);
			const isTried = ({ uid }: AgentState) => folder.isTried(uid);
			if (!folder.isAllTried) state.save(isTried);
			const results = [...itemResults, ...furtherResults];
			const more = summaryHints(results, state, run.option(itemsAreOption));
			return { furtherResults, hints: [...hints, ...more], stopHint: NEXT_RUN };
		},
	};
}

/** The items that are not done would not be the whole folder. */
const NEXT_RUN =
	'To go on, run the workflow again with all files of the folder. It does what is left.';
