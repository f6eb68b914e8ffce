import type { INodeProperties } from 'n8n-workflow';

import { IDS_PER_REQUEST } from '../../../bundling/batches';
import type { ItemRun, Performer, Reader } from '../../../execution/items';
import { itemByItem } from '../../../execution/items';
import type { Operation, RunContext } from '../../../execution/operation';
import { maxIndexingOption } from '../../../ingestion/indexing';
import { ingestionRun } from '../../../ingestion/ingestionRun';
import type { Attachment } from '../../../input/binary';
import {
	attachmentFieldsReader,
	hasName,
	readOneAttachment,
	sentNames,
} from '../../../input/binary';
import { UnsendableFile } from '../../../input/document';
import { agentField, nameOption, oneFileField } from '../../../input/fields';
import { readUid } from '../../../input/identifiers';
import type { Hint } from '../../../results/hints';
import type { Failed, ItemResult, Skipped } from '../../../results/itemResult';
import { unusable } from '../../../results/itemResult';
import { quoted } from '../../../values/quoting';
import { readChoice, readSwitch } from '../../../values/switches';
import { readTime } from '../../../values/times';
import { caughtNow, UserError } from '../../../values/userError';
import { deleteOldOption } from '../oldUploads';
import { countsOf, explainedOnce, FileRows, rowsOf } from './fileRow';
import type { AgentFolder } from './folder';
import { Folder, GONE_FILES } from './folder';
import { takeGoneOut } from './goneFiles';
import { maxShareOption, itemsAreOption, runsMissingOption } from './goneOptions';
import { NotedHoldings } from './notedHoldings';
import { SyncNote } from './syncNote';
import { ApiError, caught } from '../../../results/apiError';
import { leftWords, OUTPUTS, outputField, shapeOf, SWITCH_OFF } from './syncOutput';
import type { SyncTask } from './syncedFile';
import { SyncedFile } from './syncedFile';
import { UnkeptUploads } from './unkeptUploads';

const modifiedField: INodeProperties = {
	displayName: 'Last Changed',
	name: 'modified',
	type: 'string',
	default: '',
	placeholder: 'e.g. {{ $json.modifiedTime }}',
	hint: 'Drag in the field that says when the file was last changed, if there is one',
	description:
		'Optional. Saves uploading unchanged files again on the first night. The node looks at it only where it has no record of a file.',
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
			description:
				'Delete for good those that this node has uploaded, unless another agent has them',
		},
		{ name: 'Keep', value: 'keep', description: 'The agent goes on answering from them' },
	],
	default: 'remove',
	description:
		'What becomes of a file that this node has sent and that has left the folder. Two runs in a row must bring most of the folder, and come without it. The node deletes only what it has uploaded itself.',
};

/** As Replace File has it, but for what came from elsewhere. */
const deleteOwnOldOption = {
	...deleteOldOption,
	property: {
		...deleteOldOption.property,
		description:
			'Change it to keep all old versions, or to delete them whoever has them. What becomes of the old version of a file that has changed; one that came from elsewhere stays in CometChat.',
	},
};

const dryRunField: INodeProperties = {
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: false,
	description:
		'Whether to only try it out. The output says what would be done with each file, and why. Nothing is sent or changed.',
};

export const syncFiles: Operation = {
	value: 'sync',
	name: 'Sync Files',
	action: 'Keep an agent in step with a folder',
	description:
		'For a whole folder: add what is new, replace what has changed, and take out what has left it',
	fields: [agentField, oneFileField, modifiedField, goneField, dryRunField, outputField],
	options: [
		...[deleteOwnOldOption, maxIndexingOption, nameOption],
		...[maxShareOption, runsMissingOption, itemsAreOption],
	],
	output: [
		'name',
		'action',
		'success',
		'status',
		'uniqueId',
		'sourceType',
		'agentName',
		'uid',
		'reason',
		'dryRun',
		'old',
		'counts',
		'names',
		'unfinished',
	],
	run: async (run) => {
		const folder = new Folder();
		const read = (context: RunContext) => syncReader(context, folder);
		const performer = (itemRun: ItemRun) => syncer(itemRun, folder);
		const result = await itemByItem(read, performer)(run);
		const output = readOutput(run);
		return {
			...result,
			itemResults: explainedOnce(result.itemResults),
			shape: shapeOf(output, result),
		};
	},
};

function syncReader(run: RunContext, folder: Folder): Reader<SyncTask> {
	const uidOf = run.parameter('uid');
	const filesOf = attachmentFieldsReader((name) => run.parameter(name));
	const isDryRunOf = dryRunReader(run);
	const readTask = taskReader(run, folder);
	return async (index) => {
		const isTried = isTriedBy(isDryRunOf, index);
		const uid = caughtNow(() => readUid(uidOf(index)));
		if (uid instanceof UserError) return unusable(uid, isTried ? { dryRun: true } : {});
		const task = await caught(readTask(index, uid));
		if (task instanceof ApiError) throw task;
		if (task instanceof UserError) {
			const names = sentNames(run.context, index, filesOf(index));
			folder.note(uid, names);
			return unsendable(task, new FileRows(uid, isTried), names.length > 0);
		}
		const { fileName: name } = task.file;
		folder.note(uid, [name]);
		return folder.count(uid, name) > 1
			? namedTwice(task)
			: { kind: 'ready', task, requested: { name, uid, ...(isTried && { dryRun: true }) } };
	};
}

function isTriedBy(isDryRunOf: (index: number) => boolean, index: number): boolean {
	return caughtNow(() => isDryRunOf(index)) === true;
}

function readOutput(run: RunContext) {
	const output = caughtNow(() => readChoice(run.parameter('output')(0), 'Output', OUTPUTS));
	return output instanceof UserError ? 'all' : output;
}

function taskReader(run: RunContext, folder: Folder) {
	const filesOf = attachmentFieldsReader((name) => run.parameter(name));
	const modifiedOf = run.parameter('modified');
	const readSettings = settingsReader(run, folder);
	return async (index: number, uid: string): Promise<SyncTask> => {
		// Before the file: also where none can be sent, it is to be told what becomes of those that are gone.
		const isDryRun = readSettings(index, uid);
		const file = await readOneAttachment(run.context, index, filesOf(index));
		if (!hasName(run.context, index, file, filesOf(index))) throw nameless(file);
		const modifiedMs = readTime(modifiedOf(index), "'Last Changed'");
		return { uid, file, modifiedMs, deleteOld: run.option(deleteOldOption), isDryRun };
	};
}

/** Notes what holds for the files that are gone, and tells whether the item is only tried. */
function settingsReader(run: RunContext, folder: Folder) {
	const goneOf = run.parameter('goneFiles');
	const isDryRunOf = dryRunReader(run);
	const outputOf = run.parameter('output');
	return (index: number, uid: string): boolean => {
		const goneFiles = readChoice(goneOf(index), 'Files No Longer in the Folder', GONE_FILES);
		const isDryRun = isDryRunOf(index);
		folder.noteSettings(uid, goneFiles, isDryRun);
		readChoice(outputOf(index), 'Output', OUTPUTS);
		return isDryRun;
	};
}

function dryRunReader(run: RunContext): (index: number) => boolean {
	const dryRunOf = run.parameter('dryRun');
	return (index) => readSwitch(dryRunOf(index), 'Dry Run');
}

/** What CometChat does not take is skipped: it is in the folder all the same, and the others are brought. */
function unsendable(issue: UserError, rows: FileRows, isNamed: boolean): Failed | Skipped {
	if (!(issue instanceof UnsendableFile) || !isNamed) {
		return rows.failed(unusable(issue), issue.more.fileName);
	}
	const { fileName: name, remedy } = issue;
	const reason = `It ${issue.why}. ${remedy} ${IN_FOLDER}`;
	return {
		kind: 'skipped',
		json: rows.row({ action: 'skipped', name, reason }),
		unsendable: issue,
	};
}

const IN_FOLDER: string = 'Until it is replaced in the folder, the agent does not get it.';

function nameless({ field }: Attachment): UserError {
	return new UserError(
		`The file in '${field}' has no name`,
		'Sync Files knows a file by its name. Let the node before this one give it one.',
	);
}

function namedTwice({ uid, file: { fileName }, isDryRun }: SyncTask): Failed {
	const issue = new UserError(
		`Several items bring a file named ${quoted(fileName)} for the same agent`,
		"Sync Files knows a file by its name. Let 'Name in CometChat' put their folders before their names, or sync their folders with different agents.",
	);
	return new FileRows(uid, isDryRun).failed(unusable(issue), fileName);
}

/** For as long as n8n has this node loaded: at most 2 MB. */
const UNKEPT = new UnkeptUploads(10_000);

function syncer(itemRun: ItemRun, folder: Folder): Performer<SyncTask> {
	const { context, account } = itemRun;
	const staticData = context.getWorkflowStaticData('node');
	const note = new SyncNote(staticData, context.getMode(), account.baseUrl);
	const maxFileIdsPerRequest = IDS_PER_REQUEST;
	const run = ingestionRun(itemRun, { maxFileIdsPerRequest, noted: note.uploads() });
	const sync = { run, note, holdings: new NotedHoldings(run, note), unkept: UNKEPT };
	return {
		async perform({ task }) {
			return folder.count(task.uid, task.file.fileName) > 1
				? namedTwice(task)
				: await new SyncedFile(sync, task).bring();
		},
		async finish(itemResults) {
			const gone = await takeGoneOut({ ...sync, folder, itemResults });
			const { agents } = folder;
			const isTried = ({ items, tried }: AgentFolder) => tried > 0 && tried === items;
			if (agents.length === 0 || !agents.every(isTried)) {
				note.save((uid) => agents.some((one) => isTried(one) && one.uid.toLowerCase() === uid));
			}
			const results = [...itemResults, ...gone.furtherResults];
			const nothingNoted = run.option(itemsAreOption) === 'all' ? NOT_NEEDED : NOTHING_NOTED;
			const hints = [...gone.hints, ...summary(results, note, nothingNoted)];
			return { ...gone, hints, goOn: NEXT_RUN };
		},
	};
}

/** The items that are not done would not be the whole folder. */
const NEXT_RUN =
	'To go on, run the workflow again with all files of the folder. It does what is left.';

/**
 * What became of how many files, for the output panel.
 *
 * @param nothingNoted What it means that nothing was.
 */
function summary(results: ItemResult[], note: SyncNote, nothingNoted: string): Hint[] {
	const rows = results.flatMap(rowsOf);
	const countsIf = (isTried: boolean) =>
		countsOf(rows.filter(({ dryRun = false }) => dryRun === isTried));
	const [done, tried] = [countsIf(false), countsIf(true)];
	const found: Hint[] = [];
	if (tried !== '') {
		const message = `Dry run, nothing was changed for these files: ${tried}. ${SWITCH_OFF}`;
		found.push({ type: 'warning', message });
	}
	if (done !== '' || tried === '') {
		found.push({ type: 'info', message: `Files: ${done || 'none'}.` });
	}
	const left = leftWords(rows);
	if (left) found.push({ type: 'info', message: left });
	if (done !== '' && !note.isKept) found.push({ type: 'info', message: NOTE_NOT_KEPT });
	else if (note.wasEmpty) found.push({ type: 'info', message: nothingNoted });
	return found;
}

const NOTE_NOT_KEPT =
	'n8n keeps no record of a run by hand, or of a retry. The node itself knows what it has sent until n8n is restarted. After that, it may upload unchanged files again. To read the folder anew, use Execute workflow; Execute step may bring the files of the run before.';

const NOTHING_NOTED =
	'No record of earlier runs (normal the first time): nothing is removed, files may be uploaded once more. If you see this every time, read <a href="https://github.com/n8n-nodes-cometchat/n8n-nodes-cometchat/blob/main/docs/behaviour.md#where-is-the-record" target="_blank">what to do about it</a>.';

/** Of All the Agent Should Know, which takes out all the same. */
const NOT_NEEDED =
	"No record of earlier runs (normal the first time, and in queue mode). Only 'Last Changed' tells whether a file has changed; without it, the file is uploaded once more.";
