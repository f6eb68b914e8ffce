import type { INodeProperties } from 'n8n-workflow';

import { attach } from '../../execution/attaching';
import type { Attachment } from '../../input/binary';
import { readAttachments } from '../../input/binary';
import { readPathValue, readUid } from '../../input/identifiers';
import { ValidationIssue, isRecord, readable } from '../../values/validationIssue';
import { quoted } from '../../values/quoting';
import { deleteOne, isUnknownFile } from '../../service/deletion';
import { composed } from '../../input/document';
import {
	agentField,
	binaryField,
	maxIndexingOption,
	optionsField,
	requestOptionsField,
} from '../../input/fields';
import type { StatusById } from '../../execution/indexing';
import { hasFailed } from '../../execution/indexing';
import { Inventory } from './inventory';
import type { ItemRun, Performer, Reader } from '../../execution/items';
import { itemByItem } from '../../execution/items';
import type { Operation, RunContext } from '../../execution/operation';
import type { Failed } from '../../results/itemResult';
import { sentences } from '../../results/itemResult';
import type { KnowledgeBaseRecord } from '../../service/records';
import { detailsOf } from '../../service/records';
import type { ItemFailure } from '../../results/itemFailure';
import { isItemFailure, mayBeDone, RequestFailure, StepFailure } from '../../results/itemFailure';
import { Steps } from '../../execution/steps';
import { recordOf } from '../../service/uploads';
import { readChoice } from '../../values/switches';
import type { Uploading } from '../../execution/uploading';
import { leftOver, notStarted, uploadAll } from '../../execution/uploading';

interface Task {
	uid: string;
	file: Attachment;
	/** The old version: its ID, or the name to find it by. */
	old: { uniqueId: string } | { fileName: string; addIfNotFound: boolean };
	deleteOld: (typeof DELETING)[number];
}

const DELETING = ['ifUnused', 'always', 'never'] as const;

const SOURCE_TYPE = 'uploads';

const matchField: INodeProperties = {
	displayName: 'Find Old Version By',
	name: 'oldVersionBy',
	type: 'options',
	options: [
		{
			name: 'File Name',
			value: 'fileName',
			description: 'The file of this name that the agent has. It finds each new version again.',
		},
		{
			name: 'List or ID',
			value: 'id',
			description: 'One that you pick from a list, or whose ID comes from a step before',
		},
	],
	default: 'fileName',
	description:
		'Leave it at File Name unless the agent has several files of that name. How to tell which file is replaced.',
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
	description: 'What to do if the agent has no upload of this name',
};

const oldFileField: INodeProperties = {
	displayName: 'Old File',
	name: 'oldFile',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	displayOptions: { show: { oldVersionBy: ['id'] } },
	hint: "Lists the agent's own uploads where CometChat tells which they are, otherwise the newest of the account",
	description: 'The upload that is replaced',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Pick a file…',
			typeOptions: { searchListMethod: 'searchUploads', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 550e8400-e29b-41d4-a716-446655440000',
		},
	],
};

const deleteOldField: INodeProperties = {
	displayName: 'Delete Old Version',
	name: 'deleteOldVersion',
	type: 'options',
	options: [
		{
			name: 'Always',
			value: 'always',
			description: 'Delete it for good, also from every other agent that has it',
		},
		{
			name: 'If No Other Agent Has It',
			value: 'ifUnused',
			description:
				"Look at the agents' lists first, and keep it if another agent has it or the lists do not tell",
		},
		{
			name: 'Never',
			value: 'never',
			description: 'Only take it from this agent. Two uploads then have the name.',
		},
	],
	default: 'ifUnused',
	description:
		'Whether to delete the old version from CometChat once the new one is in its place and the old one is taken from this agent',
};

export const replaceFile: Operation = {
	value: 'replace',
	name: 'Replace File',
	action: 'Replace a file of an agent by a new version',
	description:
		'Upload a new version, and take the old one from the agent once the new one is indexed and added',
	fields: [
		agentField,
		binaryField,
		matchField,
		oldNameField,
		ifNotFoundField,
		oldFileField,
		deleteOldField,
		optionsField([maxIndexingOption]),
		requestOptionsField,
	],
	run: itemByItem(reader, replacer),
};

function reader(run: RunContext): Reader<Task> {
	const uidOf = run.parameter('uid');
	const namesOf = run.parameter('binaryPropertyName');
	const matchOf = run.parameter('oldVersionBy');
	const oldNameOf = run.parameter('oldFileName');
	const ifNotFoundOf = run.parameter('ifNotFound');
	const oldFileOf = run.parameter('oldFile');
	const deleteOf = run.parameter('deleteOldVersion');
	return async (index) => {
		const uid = readUid(uidOf(index));
		if (uid instanceof ValidationIssue) return uid;
		const files = await readAttachments(run.context, index, namesOf(index));
		if (files instanceof ValidationIssue) return files;
		const [file, another] = files;
		if (file === undefined || another !== undefined) return ONE_FILE;
		const match = readChoice(matchOf(index), 'Find Old Version By', ['fileName', 'id']);
		if (match instanceof ValidationIssue) return match;
		const old =
			match === 'id'
				? readOldFile(oldFileOf(index))
				: readOldName(oldNameOf(index), ifNotFoundOf(index), file);
		if (old instanceof ValidationIssue) return old;
		const deleteOld = readChoice(deleteOf(index), 'Delete Old Version', DELETING);
		if (deleteOld instanceof ValidationIssue) return deleteOld;
		const task = { uid, file, old, deleteOld };
		return { kind: 'ready', task, requested: { uid, fileName: file.fileName } };
	};
}

const ONE_FILE = new ValidationIssue(
	"'Input Data Field Name' names several files, and one is replaced at a time",
	'Name one field, or split the item into one for each file.',
);

/** A resource locator, or the ID itself where an expression replaced the locator. */
function readOldFile(value: unknown): { uniqueId: string } | ValidationIssue {
	const label = "'Old File'";
	const uniqueId = readable(label, () =>
		readPathValue(
			isRecord(value) ? value.value : value,
			label,
			'Pick the file from the list, or give the ID of the upload.',
		),
	);
	return uniqueId instanceof ValidationIssue ? uniqueId : { uniqueId };
}

function readOldName(
	value: unknown,
	ifNotFound: unknown,
	file: Attachment,
): { fileName: string; addIfNotFound: boolean } | ValidationIssue {
	// An expression that gives nothing may have missed its field: only an empty field means the same name.
	if (typeof value !== 'string') {
		return new ValidationIssue(
			"'Old File Name' is not a text",
			'Give the name, or leave it empty.',
		);
	}
	const choice = readChoice(ifNotFound, 'If There Is None', ['fail', 'add']);
	if (choice instanceof ValidationIssue) return choice;
	return { fileName: composed(value) || file.fileName, addIfNotFound: choice === 'add' };
}

type Step = 'uploaded' | 'indexed' | 'added' | 'removed' | 'deleted';

/** How far a replacement came. */
interface Progress {
	/** Undefined if there is none. */
	oldId?: string;
	newId?: string;
	reached: Step[];
	/** Why the old version is still in CometChat, where it was to be deleted if nobody has it. */
	notDeleted?: string;
}

/** The same, and what is only for the words. */
interface State {
	progress: Progress;
	uploading: Uploading;
	statuses: StatusById;
}

function replacer(run: ItemRun): Performer<Task> {
	const inventory = new Inventory(run);
	return {
		async perform({ task, requested }) {
			const steps = new Steps(run);
			const progress: Progress = { reached: [] };
			const state = { progress, uploading: notStarted(), statuses: new Map() };
			const failure = await replace(steps, run, inventory, task, state);
			const unfinished = state.uploading.open.map(recordOf);
			const howFar = { ...requested, ...progress, ...(unfinished.length > 0 && { unfinished }) };
			if (failure === undefined) return steps.done([{ success: true, ...howFar }]);
			const { consequence, effect, unknown, goOn } = stateAfter(state, failure, task.file);
			return steps.failed(
				failure,
				effect,
				consequence,
				{ ...howFar, ...(unknown && { unknown }) },
				goOn,
			);
		},
		async keysOf({ task }) {
			const names = await namesOf(task, inventory, new Steps(run));
			return names.map((name) => `${task.uid.toLowerCase()}/${composed(name)}`);
		},
	};
}

/** The names that a replacement is about: two items with one of them may be about the same document. */
async function namesOf({ file, old }: Task, inventory: Inventory, steps: Steps): Promise<string[]> {
	if ('fileName' in old) return [file.fileName, old.fileName];
	const records = await inventory.recordsFor(steps);
	const record = isItemFailure(records) ? undefined : records.withId(old.uniqueId);
	return [file.fileName, record?.sourceName ?? old.uniqueId];
}

/**
 * The order is the promise: the agent has the new version before the old one is taken from it. From
 * then on the replacement goes to its end, whatever becomes of other items.
 *
 * @param state Is kept up to date.
 */
async function replace(
	steps: Steps,
	run: ItemRun,
	inventory: Inventory,
	task: Task,
	{ progress, uploading, statuses }: State,
): Promise<ItemFailure | undefined> {
	const { uid, file, deleteOld } = task;
	// Before the upload: afterwards the new version has the name, too.
	const old = await findOld(steps, inventory, task, run.context.getTimezone());
	if (isItemFailure(old)) return old;
	progress.oldId = old?.uniqueId;

	const records = await inventory.recordsFor(steps);
	if (isItemFailure(records)) return records;
	const existed = (id: string) => records.withId(id) !== undefined;
	const notUploaded = await uploadAll(steps, run, [file], uploading, existed);
	// Of several entries, the bytes went to the last: the others were refused.
	const newId = (uploading.done.at(0) ?? uploading.open.at(-1))?.uploadId;
	progress.newId = newId;
	if (notUploaded || newId === undefined) return notUploaded;
	progress.reached.push('uploaded');
	inventory.noteCreated({ uniqueId: newId, sourceName: file.fileName, type: SOURCE_TYPE });

	const notIndexed = await run.indexing.untilIndexed(steps, [newId], statuses);
	if (notIndexed) return notIndexed;
	progress.reached.push('indexed');

	const change = { uid, sourceType: SOURCE_TYPE };
	const added = await attach(steps, run, { ...change, operation: 'add', uniqueIds: [newId] });
	if (added instanceof RequestFailure) {
		if (mayBeDone(added)) inventory.noteMayBeAttached(newId);
		return added;
	}
	progress.reached.push('added');
	inventory.noteAttached(uid, newId, true);
	// Under the old ID the new version has overwritten the old one: to remove it would leave the agent without.
	if (old === undefined || old.uniqueId === newId) return undefined;

	steps.finish();
	const oldId = old.uniqueId;
	const removed = await attach(steps, run, { ...change, operation: 'remove', uniqueIds: [oldId] });
	if (removed instanceof RequestFailure) return removed;
	progress.reached.push('removed');
	inventory.noteAttached(uid, oldId, false);
	inventory.noteReplaced(uid, oldId, newId);

	if (deleteOld === 'never') return undefined;
	if (deleteOld === 'ifUnused') {
		progress.notDeleted = await whyToKeep(steps, inventory, oldId, { uid, attached: newId });
		if (progress.notDeleted !== undefined) return undefined;
	}
	const deleted = await deleteOne(steps, SOURCE_TYPE, oldId);
	// Another run may have been faster.
	if (isItemFailure(deleted) && !isUnknownFile(deleted)) return deleted;
	progress.reached.push('deleted');
	inventory.noteDeleted(oldId);
	return undefined;
}

/** Undefined if no agent has the old version. */
async function whyToKeep(
	steps: Steps,
	inventory: Inventory,
	oldId: string,
	proof: { uid: string; attached: string },
): Promise<string | undefined> {
	const holders = await inventory.holdersOf(steps, oldId, proof);
	if ('isUnknown' in holders) {
		return `Not known whether another agent has the old version: ${holders.isUnknown}`;
	}
	const names = holders.agents.map(({ uid, name }) => quoted(name ?? uid));
	const more = names.length - MOST_NAMED;
	const shown = names.slice(0, MOST_NAMED).join(', ');
	return names.length === 0
		? undefined
		: `Other agents have the old version: ${shown}${more > 0 ? `, and ${more} more` : ''}`;
}

/** More would bury the message. */
const MOST_NAMED = 5;

/**
 * The old version: an upload that there is, and that this agent has, as far as CometChat tells.
 *
 * @returns Undefined if there is none and that is allowed.
 */
async function findOld(
	steps: Steps,
	inventory: Inventory,
	{ uid, old }: Task,
	timeZone: string,
): Promise<KnowledgeBaseRecord | undefined | ItemFailure> {
	const records = await inventory.recordsFor(steps);
	if (isItemFailure(records)) return records;
	const agent = await inventory.agentFor(steps, uid);
	if (isItemFailure(agent)) return agent;
	const { documents } = agent;
	if ('uniqueId' in old) {
		const uniqueId = inventory.currentVersion(uid, old.uniqueId);
		const record = records.withId(uniqueId);
		if (record === undefined) {
			return noneWith(`CometChat has no file with this ID: ${quoted(uniqueId)}`);
		}
		const { sourceName } = record;
		const file = `${sourceName === undefined ? 'The file' : quoted(sourceName)} (ID ${uniqueId})`;
		if (record.type !== SOURCE_TYPE) return noneWith(`${file} is not an upload`);
		return documents && !documents.has(uniqueId)
			? noneWith(`${file} is not a file of this agent`)
			: record;
	}

	const named = records.uploadsNamed(old.fileName);
	// An entry without content is with no agent.
	const found = named.filter(({ uniqueId }) =>
		documents ? documents.has(uniqueId) : inventory.mayHave(uid, uniqueId),
	);
	const [one, another] = found;
	if (one === undefined) {
		return old.addIfNotFound ? undefined : noneNamed(old.fileName, named.length > 0);
	}
	if (another === undefined) return one;
	return severalNamed(old.fileName, found, documents !== undefined, timeZone);
}

function noneWith(what: string): StepFailure {
	return new StepFailure(
		what,
		"Check 'Agent'; then pick the file anew in 'Old File', or correct the ID there. Or set 'Find Old Version By' to File Name.",
		{ cause: 'configuration-invalid' },
	);
}

function noneNamed(fileName: string, isElsewhere: boolean): StepFailure {
	return new StepFailure(
		isElsewhere
			? `The agent has no upload named ${quoted(fileName)}, though CometChat has`
			: `CometChat has no upload named ${quoted(fileName)}`,
		"Check 'Agent' and 'Old File Name', which stands for the new file's name if it is empty. If the file is new to the agent, set 'If There Is None' to Add the File. If the old one has another name, set 'Find Old Version By' to List or ID and pick it in 'Old File'.",
		{ cause: 'configuration-invalid' },
	);
}

function severalNamed(
	fileName: string,
	found: KnowledgeBaseRecord[],
	isTold: boolean,
	timeZone: string,
): StepFailure {
	const each = found.map((record) =>
		[...detailsOf(record, timeZone), `ID ${record.uniqueId}`].join(', '),
	);
	const more = each.length > MOST_NAMED ? `; and ${each.length - MOST_NAMED} more` : '';
	return new StepFailure(
		`${isTold ? 'The agent' : 'CometChat'} has ${found.length} uploads named ${quoted(fileName)}`,
		`Set 'Find Old Version By' to List or ID and pick the right one in 'Old File', or delete those that are not needed with Document: Delete. They are: ${each.slice(0, MOST_NAMED).join('; ')}${more}.`,
		{
			cause: 'configuration-invalid',
			...(!isTold && {
				said: "CometChat's list of agents does not tell which of them the agent has.",
			}),
		},
	);
}

/** What the agent has now, and how to go on. */
function stateAfter(
	{ progress, uploading, statuses }: State,
	failure: ItemFailure,
	{ fileName }: Attachment,
): StateAfter {
	const { oldId, newId, reached } = progress;
	const last = reached.at(-1);
	const isUnknown = mayBeDone(failure);
	const left = leftOver(uploading);
	const name = quoted(fileName);
	const before =
		oldId !== undefined && `The old version of ${name} (ID ${oldId}) was not taken from the agent.`;
	const newOne = oldId === undefined ? name : 'The new one';
	switch (last) {
		case undefined: {
			const mayBeThere = newId !== undefined && isUnknown;
			const what = mayBeThere
				? `It is not known whether ${before ? 'the new one' : name} was uploaded.`
				: `${newOne} was not uploaded.`;
			return {
				effect: mayBeThere || uploading.mayBeOpen ? 'unknown' : 'not applied',
				...(mayBeThere && { unknown: 'uploaded' }),
				consequence: sentences(before, what, left),
			};
		}
		case 'uploaded':
		case 'indexed': {
			const mayBeAdded = last === 'indexed' && isUnknown;
			const more = mayBeAdded
				? ' and may have been added to the agent.'
				: ', and was not added to the agent.';
			return {
				effect: 'partly applied',
				...(mayBeAdded && { unknown: 'added' }),
				consequence: sentences(before, `${newOne} (ID ${newId}) is in CometChat${more}`, left),
				goOn: hasFailed(statuses) ? '' : oldId === undefined ? GO_ON_WITH_NEW : GO_ON,
			};
		}
		case 'added':
			return {
				effect: 'partly applied',
				...(isUnknown && { unknown: 'removed' }),
				consequence: sentences(
					`The agent has the new version of ${name} (ID ${newId}) and ${isUnknown ? 'may still have' : 'still has'} the old one (ID ${oldId}).`,
					left,
				),
				goOn: 'To go on, remove the old one with Remove Files.',
			};
		default:
			return {
				effect: 'partly applied',
				...(isUnknown && { unknown: 'deleted' }),
				consequence: sentences(
					`The agent has the new version of ${name} (ID ${newId}) and no longer the old one. The old one (ID ${oldId}) ${isUnknown ? 'may still be' : 'is still'} in CometChat.`,
					left,
				),
				goOn: 'To go on, delete the old one with Document: Delete.',
			};
	}
}

interface StateAfter {
	effect: Failed['effect'];
	/** The step of which nobody knows whether it was done. */
	unknown?: Step;
	consequence: string;
	goOn?: string;
}

const GO_ON =
	'To go on, use Add Files and Remove Files with these IDs, or delete the new one: with both there, its name stands for two files.';

const GO_ON_WITH_NEW =
	'To go on, use this ID in Document: Get Status and Add Files; uploading again would make a second copy.';
