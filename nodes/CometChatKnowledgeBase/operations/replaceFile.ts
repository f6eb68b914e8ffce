import type { INodeProperties } from 'n8n-workflow';

import { attach, Turns } from '../attaching';
import type { Attachment } from '../binary';
import { readAttachments } from '../binary';
import { readPathValue, readUid } from '../change';
import { Complaint, quoted } from '../complaint';
import { agentField, binaryField, maxIndexingOption, optionsField } from '../fields';
import type { StatusById } from '../indexing';
import { hasFailed, untilIndexed } from '../indexing';
import type { Reader, Ready } from '../items';
import { itemByItem } from '../items';
import type { Operation, Session } from '../operation';
import type { Outcome } from '../outcome';
import { sentences } from '../outcome';
import { recordsThat } from '../records';
import type { Setback } from '../steps';
import { mayBeDone, Refused, Steps, Stuck } from '../steps';
import { readChoice, readSwitch } from '../switches';
import type { Uploading } from '../uploading';
import { leftOver, notStarted, uploadAll } from '../uploading';
import { deleteOne } from './deleteFiles';

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
		'Whether to delete the old version for good, from every agent that has it, once the new one is in its place. If off, it is only taken from this agent: two uploads then have the name, and the next time the old version is found by ID only.',
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
		const match = readChoice(matchOf(index), 'Find Old Version By', ['fileName', 'id']);
		if (match instanceof Complaint) return match;
		const old =
			match === 'id'
				? readOldId(oldIdOf(index))
				: readOldName(oldNameOf(index), ifNotFoundOf(index), file);
		if (old instanceof Complaint) return old;
		const deleteOld = readSwitch(deleteOf(index), 'Delete Old Version');
		if (deleteOld instanceof Complaint) return deleteOld;
		const task = { uid, file, old, deleteOld };
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

function readOldName(
	value: unknown,
	ifNotFound: unknown,
	file: Attachment,
): { fileName: string; addIfNotFound: boolean } | Complaint {
	// An expression that gives nothing may have missed its field: only an empty field means the same name.
	if (typeof value !== 'string') {
		return new Complaint("'Old File Name' is not a text", 'Give the name, or leave it empty.');
	}
	const choice = readChoice(ifNotFound, 'If There Is None', ['fail', 'add']);
	if (choice instanceof Complaint) return choice;
	return { fileName: value.trim() || file.fileName, addIfNotFound: choice === 'add' };
}

/** How far a replacement came. */
interface Progress {
	/** Undefined if there is none. */
	oldId?: string;
	newId?: string;
	reached: Array<'uploaded' | 'indexed' | 'added' | 'removed' | 'deleted'>;
}

/** The same, and what is only for the words. */
interface State {
	progress: Progress;
	uploading: Uploading;
	statuses: StatusById;
}

function replacer(session: Session): (item: Ready<Task>) => Promise<Outcome> {
	const turns = new Turns();
	return async ({ task, asked }) => {
		const steps = new Steps(session);
		const progress: Progress = { reached: [] };
		const state = { progress, uploading: notStarted(), statuses: new Map() };
		const setback = await replace(steps, session, turns, task, state);
		if (setback === undefined) return steps.done([{ success: true, ...asked, ...progress }]);
		const { meaning, effect } = standing(state, setback);
		return steps.failed(setback, effect, meaning, { ...asked, ...progress });
	};
}

/**
 * The order is the promise: the agent has the new version before the old one is taken from it.
 *
 * @param state Is kept up to date.
 */
async function replace(
	steps: Steps,
	session: Session,
	turns: Turns,
	{ uid, file, old, deleteOld }: Task,
	{ progress, uploading, statuses }: State,
): Promise<Setback | undefined> {
	// Before the upload: afterwards the new version has the name, too.
	const found = 'uniqueId' in old ? old.uniqueId : await findOld(steps, old);
	if (typeof found === 'object') return found;
	progress.oldId = found;

	const notUploaded = await uploadAll(steps, session, [file], uploading);
	[progress.newId] = uploading.announced.map(({ uploadId }) => uploadId);
	if (notUploaded) return notUploaded;
	const uniqueIds = uploading.done.map(({ uploadId }) => uploadId);
	progress.reached.push('uploaded');

	const { maxIndexingMs } = session.settings;
	const notIndexed = await untilIndexed(steps, session, uniqueIds, maxIndexingMs, statuses);
	if (notIndexed) return notIndexed;
	progress.reached.push('indexed');

	const change = { uid, sourceType: SOURCE_TYPE };
	const added = await attach(steps, session, turns, { ...change, operation: 'add', uniqueIds });
	if (added instanceof Refused) return added;
	progress.reached.push('added');
	if (found === undefined) return undefined;

	const gone = { ...change, operation: 'remove' as const, uniqueIds: [found] };
	const removed = await attach(steps, session, turns, gone);
	if (removed instanceof Refused) return removed;
	progress.reached.push('removed');
	if (!deleteOld) return undefined;

	const deleted = await deleteOne(steps, SOURCE_TYPE, found);
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

const GO_ON =
	'To go on, use Add Files and Remove Files with these IDs, or delete the new one: with both there, its name stands for two files.';

/** What the agent has now, and how to go on. */
function standing({ progress, uploading, statuses }: State, setback: Setback) {
	const { oldId, newId, reached } = progress;
	const last = reached.at(-1);
	const isUnknown = mayBeDone(setback);
	const before =
		oldId !== undefined && `The old version (ID ${oldId}) was not taken from the agent.`;
	switch (last) {
		case undefined: {
			const mayBeThere = newId !== undefined && isUnknown;
			const what = mayBeThere
				? 'It is not known whether the new one was uploaded.'
				: 'The new one was not uploaded.';
			const meaning = sentences(before, what, leftOver(uploading));
			return { effect: mayBeThere ? ('unknown' as const) : ('not applied' as const), meaning };
		}
		case 'uploaded':
		case 'indexed': {
			const there = `The new one (ID ${newId}) is in CometChat`;
			const more =
				last === 'indexed' && isUnknown
					? ' and may have been added to the agent.'
					: ', and was not added to the agent.';
			const meaning = sentences(before, `${there}${more}`, !hasFailed(statuses) && GO_ON);
			return { effect: 'partly applied' as const, meaning };
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
