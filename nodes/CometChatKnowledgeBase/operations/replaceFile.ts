import type { INodeProperties } from 'n8n-workflow';

import { attach, readSuccess, Turns } from '../attaching';
import type { Attachment } from '../binary';
import { readAttachments } from '../binary';
import { readPathValue, readUid } from '../change';
import { Complaint, quoted } from '../complaint';
import { agentField, binaryField, maxIndexingOption, optionsField } from '../fields';
import type { StatusById } from '../indexing';
import { untilIndexed } from '../indexing';
import type { Reader, Ready } from '../items';
import { itemByItem } from '../items';
import type { Operation, Session } from '../operation';
import type { Outcome } from '../outcome';
import { recordsThat } from '../records';
import type { Setback } from '../steps';
import { Refused, Steps, Stuck } from '../steps';
import type { Upload } from '../uploading';
import { uploadAll } from '../uploading';
import { deleteRequest } from './deleteFiles';

interface Task {
	uid: string;
	file: Attachment;
	/** The old version: its ID, or the name to find it by. */
	old: { uniqueId: string } | { fileName: string; addIfNotFound: boolean };
	deleteOld: boolean;
}

const SOURCE_TYPE = 'uploads';

const matchField: INodeProperties = {
	displayName: 'Find Old Version By',
	name: 'oldVersionBy',
	type: 'options',
	options: [
		{
			name: 'File Name',
			value: 'fileName',
			description: 'The one upload in CometChat that has this name',
		},
		{ name: 'ID', value: 'id', description: 'The upload with this ID' },
	],
	default: 'fileName',
	description: 'How to tell which file is replaced',
};

const oldNameField: INodeProperties = {
	displayName: 'Old File Name',
	name: 'oldFileName',
	type: 'string',
	default: '',
	placeholder: 'e.g. price-list.pdf',
	displayOptions: { show: { oldVersionBy: ['fileName'] } },
	description: 'Leave it empty if the new version has the same name as the old one',
};

const ifNotFoundField: INodeProperties = {
	displayName: 'If There Is None',
	name: 'ifNotFound',
	type: 'options',
	options: [
		{ name: 'Add the File', value: 'add', description: 'The file is new: upload and add it' },
		{ name: 'Fail', value: 'fail', description: 'Nothing is sent, and the item fails' },
	],
	default: 'fail',
	displayOptions: { show: { oldVersionBy: ['fileName'] } },
	description: 'What to do if CometChat has no upload of this name',
};

const oldIdField: INodeProperties = {
	displayName: 'Old File ID',
	name: 'oldFileId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 550e8400-e29b-41d4-a716-446655440000',
	displayOptions: { show: { oldVersionBy: ['id'] } },
	description: 'The ID of the upload that is replaced',
};

const deleteOldField: INodeProperties = {
	displayName: 'Delete Old Version',
	name: 'deleteOldVersion',
	type: 'boolean',
	default: false,
	description:
		'Whether to delete the old version for good, from every agent that has it, once the new one is in its place. If off, it is only taken from this agent.',
};

export const replaceFile: Operation = {
	resource: 'knowledgeBase',
	value: 'replace',
	name: 'Replace File',
	action: 'Replace file in knowledge base',
	description:
		'Upload a new version, and take the old one from the agent once the new one is indexed and added',
	fields: [
		agentField,
		binaryField,
		matchField,
		oldNameField,
		ifNotFoundField,
		oldIdField,
		deleteOldField,
		optionsField([maxIndexingOption]),
	],
	run: itemByItem(reader, replacer),
};

function reader(session: Session): Reader<Task> {
	const uidOf = session.parameter('uid');
	const namesOf = session.parameter('binaryPropertyName');
	const matchOf = session.parameter('oldVersionBy');
	const oldNameOf = session.parameter('oldFileName');
	const ifNotFoundOf = session.parameter('ifNotFound');
	const oldIdOf = session.parameter('oldFileId');
	const deleteOf = session.parameter('deleteOldVersion');
	return async (index) => {
		const uid = readUid(uidOf(index));
		if (uid instanceof Complaint) return uid;
		const files = await readAttachments(session.context, index, namesOf(index));
		if (files instanceof Complaint) return files;
		const [file, another] = files;
		if (file === undefined || another !== undefined) return ONE_FILE;
		const old =
			matchOf(index) === 'id'
				? readOldId(oldIdOf(index))
				: {
						fileName: String(oldNameOf(index)).trim() || file.fileName,
						addIfNotFound: ifNotFoundOf(index) === 'add',
					};
		if (old instanceof Complaint) return old;
		const task = { uid, file, old, deleteOld: deleteOf(index) === true };
		return { kind: 'ready', task, asked: { uid, fileName: file.fileName } };
	};
}

const ONE_FILE = new Complaint(
	"'Input Data Field Name' names several files, and one is replaced at a time",
	'Name one field, or split the item into one for each file.',
);

function readOldId(value: unknown): { uniqueId: string } | Complaint {
	const uniqueId = readPathValue(value, "'Old File ID'", 'Give the ID of the upload.');
	return uniqueId instanceof Complaint ? uniqueId : { uniqueId };
}

/** How far a replacement came. */
interface Progress {
	/** Undefined if there is none. */
	oldId?: string;
	newId?: string;
	reached: Array<'uploaded' | 'indexed' | 'added' | 'removed' | 'deleted'>;
}

function replacer(session: Session): (item: Ready<Task>) => Promise<Outcome> {
	const turns = new Turns();
	return async ({ task, asked }) => {
		const steps = new Steps(session);
		const progress: Progress = { reached: [] };
		const setback = await replace(steps, session, turns, task, progress);
		if (setback === undefined) return steps.done([{ success: true, ...asked, ...progress }]);
		const { meaning, effect } = standing(progress, setback);
		return steps.failed(setback, effect, meaning, { ...asked, ...progress });
	};
}

/**
 * The order is the promise: the agent has the new version before the old one is taken from it.
 *
 * @param progress Is kept up to date.
 */
async function replace(
	steps: Steps,
	session: Session,
	turns: Turns,
	{ uid, file, old, deleteOld }: Task,
	progress: Progress,
): Promise<Setback | undefined> {
	// Before the upload: afterwards the new version has the name, too.
	const found = 'uniqueId' in old ? old.uniqueId : await findOld(steps, old);
	if (typeof found === 'object') return found;
	progress.oldId = found;

	const uploads: Upload[] = [];
	const notUploaded = await uploadAll(steps, session, [file], uploads);
	if (notUploaded) return notUploaded;
	const uniqueIds = uploads.map(({ uploadId }) => uploadId);
	[progress.newId] = uniqueIds;
	progress.reached.push('uploaded');

	const statuses: StatusById = new Map();
	const { maxIndexingMs } = session.settings;
	const notIndexed = await untilIndexed(steps, session, uniqueIds, maxIndexingMs, statuses);
	if (notIndexed) return notIndexed;
	progress.reached.push('indexed');

	const change = { uid, sourceType: SOURCE_TYPE };
	const added = await attach(steps, turns, { ...change, operation: 'add', uniqueIds });
	if (added instanceof Refused) return added;
	progress.reached.push('added');
	if (found === undefined) return undefined;

	const gone = { ...change, operation: 'remove' as const, uniqueIds: [found] };
	const removed = await attach(steps, turns, gone);
	if (removed instanceof Refused) return removed;
	progress.reached.push('removed');
	if (!deleteOld) return undefined;

	const deleted = await steps.ask(deleteRequest(SOURCE_TYPE, found), readSuccess);
	if (deleted instanceof Refused) return deleted;
	progress.reached.push('deleted');
	return undefined;
}

/** @returns The old version's ID; undefined if there is none and that is allowed. */
async function findOld(
	steps: Steps,
	{ fileName, addIfNotFound }: { fileName: string; addIfNotFound: boolean },
): Promise<string | undefined | Setback> {
	const found = await recordsThat(
		steps,
		({ type, sourceName }) => type === SOURCE_TYPE && sourceName === fileName,
	);
	if (found instanceof Refused) return found;
	const [one, another] = found;
	if (one === undefined) return addIfNotFound ? undefined : noneNamed(fileName);
	if (another === undefined) return one.uniqueId;
	const ids = found.map(({ uniqueId, status = 'no status' }) => `${uniqueId} (${status})`);
	return new Stuck(
		`CometChat has ${found.length} uploads named ${quoted(fileName)}`,
		`Their IDs are ${ids.slice(0, 5).join(', ')}. Set 'Find Old Version By' to ID, or delete those that are not needed.`,
		{ cause: 'configuration-invalid' },
	);
}

function noneNamed(fileName: string): Stuck {
	return new Stuck(
		`CometChat has no upload named ${quoted(fileName)}`,
		"Check the name, or set 'If There Is None' to Add the File.",
		{ cause: 'configuration-invalid' },
	);
}

/** What the agent has now, and how to go on. */
function standing({ oldId, newId, reached }: Progress, setback: Setback) {
	const last = reached.at(-1);
	const isUnknown = setback instanceof Refused && setback.ending.effect === 'unknown';
	const before = oldId === undefined ? '' : `The agent still has the old version (ID ${oldId}). `;
	switch (last) {
		case undefined:
			return { effect: 'not applied' as const, meaning: `${before}The new one was not uploaded.` };
		case 'uploaded':
		case 'indexed': {
			const there = `The new one (ID ${newId}) is in CometChat`;
			const more =
				last === 'indexed' && isUnknown
					? ' and may have been added.'
					: ', and was not added to the agent.';
			const on = ' To go on, use Add Files and Remove Files with these IDs, or delete the new one.';
			return { effect: 'partly applied' as const, meaning: `${before}${there}${more}${on}` };
		}
		case 'added':
			return {
				effect: 'partly applied' as const,
				meaning: `The agent has the new version (ID ${newId}) and ${isUnknown ? 'may still have' : 'still has'} the old one (ID ${oldId}). To go on, remove the old one with Remove Files.`,
			};
		default:
			return {
				effect: 'partly applied' as const,
				meaning: `The agent has the new version (ID ${newId}) and no longer the old one. The old one (ID ${oldId}) ${isUnknown ? 'may still be' : 'is still'} in CometChat: delete it with Delete Files.`,
			};
	}
}
