import type { INodeProperties } from 'n8n-workflow';

import type { ItemRun, Performer, Reader } from '../../execution/items';
import { itemByItem } from '../../execution/items';
import type { Operation, RunContext } from '../../execution/operation';
import { ItemContext } from '../../execution/itemContext';
import { documentRow, failedRow } from '../../ingestion/documentRow';
import { maxIndexingOption } from '../../ingestion/indexing';
import { Ingestion } from '../../ingestion/ingestion';
import { ingestionRun } from '../../ingestion/ingestionRun';
import type { Inventory } from '../../ingestion/inventory';
import type { DeleteOld } from '../../ingestion/oldVersions';
import { asOld, DELETE_OLD } from '../../ingestion/oldVersions';
import type { Records } from '../../ingestion/records';
import type { Candidates, NameSearch } from '../../ingestion/sameName';
import { findByName, findNamed, severalNamed } from '../../ingestion/sameName';
import { OF_NEW_VERSION } from '../../ingestion/wordings';
import type { Attachment } from '../../input/binary';
import { attachmentFieldsReader, readOneAttachment } from '../../input/binary';
import { composed } from '../../input/document';
import { agentField, nameOption, oneFileField, pickedField } from '../../input/fields';
import { readPathValue, readUid } from '../../input/identifiers';
import type { ItemFailure } from '../../results/apiError';
import { caught, isItemFailure } from '../../results/apiError';
import type { KnowledgeBaseRecord } from '../../service/records';
import { listed, quoted } from '../../values/quoting';
import { readChoice } from '../../values/switches';
import { UserError, isRecord, readable } from '../../values/userError';
import { deleteOldOption, SOURCE_TYPE, stillNamed } from './oldUploads';

interface ReplaceTask {
	uid: string;
	file: Attachment;
	/** The old version: its ID, or the name to find it by, which may end in `*`. */
	old: { uniqueId: string } | { fileName: string; addIfNotFound: boolean };
	/** Whether the agent may have several of the name, which are then all replaced. */
	takesAll: boolean;
	deleteOld: DeleteOld;
}

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
			name: 'All of That Name',
			value: 'allNamed',
			description:
				'Every file of this name that the agent has, so that one is left. It needs CometChat to tell which those are.',
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
	displayOptions: { show: { oldVersionBy: ['fileName', 'allNamed'] } },
	hint: 'May stay empty: it is the name of the new file then',
	description:
		'Leave it empty if the new version has the same name as the old one. With * at its end, such as Prices*, it stands for the one file whose name begins like that.',
};

const ifNotFoundField: INodeProperties = {
	displayName: 'If There Is None',
	name: 'ifNotFound',
	type: 'options',
	options: [
		{
			name: 'Add the File',
			value: 'add',
			description: 'The agent gets the file as a new one, and the item says which files it had',
		},
		{ name: 'Fail', value: 'fail', description: 'Nothing is sent, and the item fails' },
	],
	default: 'fail',
	displayOptions: { show: { oldVersionBy: ['fileName', 'allNamed'] } },
	description: 'What to do if the agent has no uploaded file of this name',
};

const oldFileField = pickedField(
	{
		displayName: 'Old File',
		name: 'oldFile',
		displayOptions: { show: { oldVersionBy: ['id'] } },
		hint: "Lists the agent's own uploaded files if CometChat tells which they are, otherwise those of the account",
		description: 'The file that is replaced',
	},
	{ placeholder: 'Pick a file…', searchListMethod: 'searchUploads' },
);

export const replaceFile: Operation = {
	value: 'replace',
	name: 'Replace File',
	action: 'Replace a file of an agent by a new version',
	description:
		"For a new version under another name, or of one particular file: it takes the old one's place",
	fields: [
		agentField,
		oneFileField,
		matchField,
		oldNameField,
		ifNotFoundField,
		oldFileField,
		deleteOldOption.property,
	],
	options: [maxIndexingOption, nameOption],
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
		'old',
		'unfinished',
	],
	run: itemByItem(replaceReader, replacer),
};

function replaceReader(run: RunContext): Reader<ReplaceTask> {
	const uidOf = run.parameter('uid');
	const filesOf = attachmentFieldsReader((name) => run.parameter(name));
	const matchOf = run.parameter('oldVersionBy');
	const oldNameOf = run.parameter('oldFileName');
	const ifNotFoundOf = run.parameter('ifNotFound');
	const oldFileOf = run.parameter('oldFile');
	const deleteOf = run.parameter('deleteOldVersion');
	return async (index) => {
		const uid = readUid(uidOf(index));
		const file = await readOneAttachment(run.context, index, filesOf(index));
		const match = readChoice(matchOf(index), 'Find Old Version By', ['fileName', 'allNamed', 'id']);
		const old =
			match === 'id'
				? readOldFile(oldFileOf(index))
				: readOldName(oldNameOf(index), ifNotFoundOf(index), file);
		const deleteOld = readChoice(deleteOf(index), 'Delete Old Version', DELETE_OLD);
		const task = { uid, file, old, takesAll: match === 'allNamed', deleteOld };
		const requested = { name: file.fileName, sourceType: SOURCE_TYPE, uid };
		return { kind: 'ready', task, requested };
	};
}

/** A resource locator, or the ID itself where an expression replaced the locator. */
function readOldFile(value: unknown): { uniqueId: string } {
	const label = "'Old File'";
	const uniqueId = readable(label, () =>
		readPathValue(
			isRecord(value) ? value.value : value,
			label,
			'Pick the file from the list, or give its ID.',
		),
	);
	return { uniqueId };
}

function readOldName(
	value: unknown,
	ifNotFound: unknown,
	file: Attachment,
): { fileName: string; addIfNotFound: boolean } {
	// An expression that gives nothing may have missed its field: only an empty field means the same name.
	if (typeof value !== 'string') {
		throw new UserError("'Old File Name' is not a text", 'Give the name, or leave it empty.');
	}
	const choice = readChoice(ifNotFound, 'If There Is None', ['fail', 'add']);
	return { fileName: composed(value) || file.fileName, addIfNotFound: choice === 'add' };
}

function replacer(itemRun: ItemRun): Performer<ReplaceTask> {
	const run = ingestionRun(itemRun);
	const { inventory } = run;
	const timeZone = run.context.getTimezone();
	return {
		async perform({ task }) {
			const { uid, file, deleteOld } = task;
			const names = [file.fileName];
			const target = { sourceType: SOURCE_TYPE, names, uid, wording: OF_NEW_VERSION };
			const ingestion = new Ingestion(run, target);
			const { oldVersions, steps } = ingestion;
			// Before the upload: afterwards the new version has the name, too.
			const search = { steps, inventory, sourceType: SOURCE_TYPE, uid };
			const old = await findOld(search, task, timeZone);
			if (isItemFailure(old)) return ingestion.failed(old, () => failedRow(ingestion));
			const others = await othersNamed(search, file.fileName, old);
			oldVersions.set(asOld(old));
			const reason = old.length === 0 ? await noneBefore(search, task.old) : undefined;
			await ingestion.replace(file, deleteOld);
			const { failure, newId: uniqueId } = ingestion;
			if (failure) return ingestion.failed(failure, () => failedRow(ingestion));
			if (others.length > 0) steps.warn(stillNamed(others, timeZone));
			const added = { action: 'added' as const, reason };
			const one = { name: file.fileName, uniqueId: uniqueId ?? '' };
			return ingestion.succeeded(documentRow(ingestion, one, added));
		},
		async keysOf({ task }) {
			const names = await namesOf(task, inventory, new ItemContext(run));
			return names.map((name) => `${task.uid.toLowerCase()}/${composed(name)}`);
		},
	};
}

/** The names that a replacement is about: two items with one of them may be about the same document. */
async function namesOf(
	{ file, old }: ReplaceTask,
	inventory: Inventory,
	steps: ItemContext,
): Promise<string[]> {
	if ('fileName' in old) return [file.fileName, old.fileName];
	const { uniqueId } = old;
	const isFound = (records: Records) => records.withId(uniqueId) !== undefined;
	const records = await caught(inventory.recordsFor(steps, isFound));
	const record = isItemFailure(records) ? undefined : records.withId(uniqueId);
	return [file.fileName, record?.sourceName ?? uniqueId];
}

/** Where an old version is looked for. */
interface Search extends NameSearch {
	uid: string;
}

/** The old versions: uploads that there are, and that this agent has, as far as CometChat tells. */
async function findOld(
	search: Search,
	{ old, takesAll }: ReplaceTask,
	timeZone: string,
): Promise<KnowledgeBaseRecord[] | ItemFailure> {
	if ('uniqueId' in old) {
		const record = await findById(search, old.uniqueId);
		return isItemFailure(record) ? record : [record];
	}
	const { fileName, addIfNotFound } = old;
	const same = await findNamed(search, (records) => uploadsNamed(records, fileName));
	if (isItemFailure(same)) return same;
	const { found, isTold } = same;
	const issue = whyNotOne({ name: fileName, timeZone, ...search, ...same }, takesAll);
	if (issue) return issue;
	if (found.length > 0 || addIfNotFound) return found;
	const records = await caught(search.inventory.recordsFor(search.steps));
	if (isItemFailure(records)) return records;
	const isElsewhere = uploadsNamed(records, fileName).length > 0;
	const own = isTold ? await ownFiles(search) : [];
	return noneNamed(fileName, own, isElsewhere ? agentIn(search) : undefined);
}

/** The uploads of a name; of one that ends in `*`, those whose names begin like that. */
function uploadsNamed(records: Records, fileName: string): KnowledgeBaseRecord[] {
	const begin = beginOf(fileName);
	if (begin === undefined) return records.uploadsNamed(fileName);
	const isNamed = ({ type, sourceName }: KnowledgeBaseRecord) =>
		type === SOURCE_TYPE && composed(sourceName ?? '').startsWith(begin);
	return records.all().filter(isNamed);
}

function beginOf(fileName: string): string | undefined {
	return fileName.endsWith('*') ? fileName.slice(0, -1) : undefined;
}

/** How a person is told of the name. */
function nameWords(fileName: string): string {
	const begin = beginOf(fileName);
	return begin === undefined
		? `named ${quoted(fileName)}`
		: `with a name that begins with ${quoted(begin)}`;
}

/** What keeps those that were found from being replaced. */
function whyNotOne(candidates: Candidates, takesAll: boolean): UserError | undefined {
	const { found, isTold, name } = candidates;
	const names = [...new Set(found.map(({ sourceName = '' }) => composed(sourceName)))];
	if (names.length > 1) return severalFit(name, names, isTold);
	if (takesAll) return isTold ? undefined : untold(name);
	if (found.length < 2) return undefined;
	const several = { ...candidates, name: names.join() };
	return severalNamed(several, isTold ? ALL_OR_ONE : PICK_ONE);
}

function severalFit(fileName: string, names: string[], isTold: boolean): UserError {
	return new UserError(
		`${isTold ? 'The agent' : 'CometChat'} has ${names.length} files ${nameWords(fileName)}`,
		"Put more of the right name into 'Old File Name', or set 'Find Old Version By' to List or ID and pick it in 'Old File'.",
		{
			cause: 'configuration-invalid',
			said: `They are: ${listed(names.map(quoted))}.`,
		},
	);
}

/** The uploaded files that the agent has, where CometChat tells. */
async function ownFiles({ inventory, steps, uid }: Search): Promise<string[]> {
	const agent = await caught(inventory.agentFor(steps, uid));
	const documents = isItemFailure(agent) ? undefined : agent.documents;
	return [...(documents ?? [])].flatMap((id) => {
		const { sourceName, type } = inventory.record(id) ?? {};
		return type === SOURCE_TYPE ? [quoted(sourceName ?? id)] : [];
	});
}

/** What a person should see who has mistyped the old name. */
async function noneBefore(search: Search, old: ReplaceTask['old']): Promise<string | undefined> {
	const own = await ownFiles(search);
	if (own.length === 0 || !('fileName' in old)) return undefined;
	return `The agent had no file ${nameWords(old.fileName)}. It has: ${listed(own)}.`;
}

/** What else the agent has of the names of the new version and the old ones, as far as CometChat tells. */
async function othersNamed(
	search: Search,
	newName: string,
	old: KnowledgeBaseRecord[],
): Promise<KnowledgeBaseRecord[]> {
	const { inventory, steps, uid } = search;
	const agent = await caught(inventory.agentFor(steps, uid));
	if (isItemFailure(agent) || agent.documents === undefined) return [];
	const others = new Map<string, KnowledgeBaseRecord>();
	for (const name of [newName, ...old.flatMap(({ sourceName }) => sourceName ?? [])]) {
		const same = await findByName(search, name);
		if (isItemFailure(same)) return [];
		for (const one of same.found) others.set(one.uniqueId, one);
	}
	for (const { uniqueId } of old) others.delete(uniqueId);
	return [...others.values()];
}

async function findById(
	{ steps, inventory, uid }: Search,
	oldId: string,
): Promise<KnowledgeBaseRecord | ItemFailure> {
	const agent = await caught(inventory.agentFor(steps, uid));
	if (isItemFailure(agent)) return agent;
	const uniqueId = inventory.currentVersion(uid, oldId);
	const records = await caught(
		inventory.recordsFor(steps, (read) => read.withId(uniqueId) !== undefined),
	);
	if (isItemFailure(records)) return records;
	const record = records.withId(uniqueId);
	if (record === undefined) {
		return noneWith(`CometChat has no file with this ID: ${quoted(uniqueId)}`);
	}
	const { sourceName, type } = record;
	const file = `${sourceName === undefined ? 'The file' : quoted(sourceName)} (ID ${uniqueId})`;
	if (type !== SOURCE_TYPE) return noneWith(`${file} is not an uploaded file`);
	return agent.documents && !agent.documents.has(uniqueId)
		? noneWith(`${file} is not a file of this agent`)
		: record;
}

function noneWith(what: string): UserError {
	return new UserError(
		what,
		"Check 'Agent'; then pick the file anew in 'Old File', or correct the ID there. Or set 'Find Old Version By' to File Name.",
		{ cause: 'configuration-invalid' },
	);
}

function agentIn({ inventory, uid }: Search): string {
	const name = inventory.agentName(uid);
	return name === undefined ? quoted(uid) : `${quoted(name)} (${uid})`;
}

/**
 * @param own The uploaded files that the agent has, where CometChat tells.
 * @param agent The one that lacks it, where CometChat has one of the name.
 */
function noneNamed(fileName: string, own: string[], agent?: string): UserError {
	const said = own.length > 0 && `The agent has the files ${listed(own)}.`;
	return new UserError(
		agent
			? `The agent ${agent} has no uploaded file ${nameWords(fileName)}, though CometChat has`
			: `CometChat has no uploaded file ${nameWords(fileName)}`,
		"Check 'Agent' and 'Old File Name', which stands for the new file's name if it is empty. If the file is new to the agent, set 'If There Is None' to Add the File. If the old one has another name, set 'Find Old Version By' to List or ID and pick it in 'Old File'.",
		{ cause: 'configuration-invalid', ...(said && { said }) },
	);
}

function untold(fileName: string): UserError {
	return new UserError(
		`CometChat does not tell which files ${nameWords(fileName)} the agent has`,
		"'Find Old Version By' can't be All of That Name without that. Set it to List or ID, and pick the old version in 'Old File'.",
		{ cause: 'configuration-invalid' },
	);
}

const PICK_ONE: string =
	"To replace one, set 'Find Old Version By' to List or ID and pick it in 'Old File'.";

const ALL_OR_ONE: string =
	"To replace all of them, set 'Find Old Version By' to All of That Name; to replace one, set it to List or ID and pick it in 'Old File'.";
