import { operation } from '../../execution/buildOperation';
import { ItemContext } from '../../execution/itemContext';
import type { RunContext } from '../../execution/operation';
import type { InputFile } from '../../files/inputFiles';
import { inputFile } from '../../files/inputFiles';
import { withLeftOut } from '../../files/neverAccepted';
import type { Namesakes } from '../../ingestion/decide';
import { oldOf } from '../../ingestion/decide';
import { documentRow, Ingestion } from '../../ingestion/ingestion';
import type { Search as AnySearch } from '../../ingestion/namesakes';
import {
	detailsOfEach,
	nameKey,
	severalNamed,
	TAKE_OUTDATED,
	findNamesakes,
	youngIn,
} from '../../ingestion/namesakes';
import { oldVersions } from '../../ingestion/replacement';
import type { FieldGroup } from '../../input/field';
import { choiceField } from '../../input/field';
import { picker } from '../../input/fields';
import type { Records } from '../../inventory/records';
import type { DeleteOld } from '../../pipeline/fields';
import { agent, maxIndexingOption } from '../../pipeline/fields';
import type { IngestionRun } from '../../pipeline/ingestionRun';
import { ingestionRun } from '../../pipeline/ingestionRun';
import type { Document } from '../../service/documents';
import { UserError, caught, isFailure } from '../../values/failure';
import { composed } from '../../values/names';
import { listed, quoted } from '../../values/quoting';
import { UPLOADS } from '../../values/sourceTypes';
import { readText } from '../../values/text';

/** How the old version is told: by its ID, or by a name, which may end in `*`. */
type Old = { uniqueId: string } | { fileName: string; addIfNotFound: boolean };

const match = choiceField<'fileName' | 'id'>({
	displayName: 'Find Old Version By',
	name: 'oldVersionBy',
	type: 'options',
	options: [
		{
			name: 'File Name',
			value: 'fileName',
			description:
				'The file of this name that the agent has. It finds each new version again. If the agent has several, the new one takes the place of all.',
		},
		{
			name: 'List or ID',
			value: 'id',
			description: 'One that you pick from a list, or whose ID comes from a step before',
		},
	],
	default: 'fileName',
	description:
		'Leave it at File Name unless the agent has different files of that name. How to tell which file is replaced.',
});

const ifNotFound = choiceField<'add' | 'fail'>({
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
	displayOptions: { show: { oldVersionBy: ['fileName'] } },
	description: 'What to do if the agent has no uploaded file of this name',
});

const oldFile = picker(
	{ noun: 'file', searchListMethod: 'searchUploads' },
	{
		displayName: 'Old File',
		name: 'oldFile',
		displayOptions: { show: { oldVersionBy: ['id'] } },
		hint: "Lists the agent's own uploaded files if CometChat tells which they are, otherwise those of the account",
		description: 'The file that is replaced',
	},
);

/** The old version: its ID, or the name to find it by, which may end in `*`; an empty one is that of the new file. */
const old: FieldGroup<Old> = {
	properties: [
		match.property,
		{
			displayName: 'Old File Name',
			name: 'oldFileName',
			type: 'string',
			default: '',
			placeholder: 'e.g. price-list.pdf',
			displayOptions: { show: { oldVersionBy: ['fileName'] } },
			hint: 'May stay empty: it is the name of the new file then',
			description:
				'Leave it empty if the new version has the same name as the old one. With * at its end, such as Prices*, it stands for the one file whose name begins like that.',
		},
		ifNotFound.property,
		oldFile.property,
	],
	read: (item) => {
		if (match.read(item.value('oldVersionBy')) === 'id')
			return { uniqueId: oldFile.read(item.value('oldFile')) };
		const hint = 'Give the name, or leave it empty.';
		// An expression that gives nothing may have missed its field: only an empty field means the same name.
		const fileName = readText(item.value('oldFileName'), "'Old File Name'", hint);
		const addIfNotFound = ifNotFound.read(item.value('ifNotFound')) === 'add';
		return { fileName: composed(fileName), addIfNotFound };
	},
};

const oldVersion = choiceField<Exclude<DeleteOld, 'own'>>({
	displayName: 'Old Version',
	name: 'oldVersion',
	type: 'options',
	options: [
		{
			name: 'Delete If No Other Agent Uses It',
			value: 'ifUnused',
			description:
				"Delete the old version permanently, unless another agent uses it or CometChat doesn't report which agents do. If the new file has the same name, files with this name that no agent uses are deleted too.",
		},
		{
			name: 'Keep in CometChat',
			value: 'never',
			description: 'The agent no longer uses the old version. It is not deleted.',
		},
	],
	default: 'never',
	description: 'What to do with the old version after the new one was added to the agent',
});

export const replaceFile = operation({
	value: 'replace',
	name: 'Replace File',
	action: 'Replace a file of an agent by a new version',
	description:
		"For a new version under another name, or of one particular file: it takes the old one's place",
	fields: { uid: agent, file: inputFile, old, deleteOld: oldVersion },
	options: { maxIndexing: maxIndexingOption },
	output: [
		...(['name', 'action', 'success', 'status', 'uniqueId', 'sourceType'] as const),
		...(['agentName', 'uid', 'reason', 'old', 'leftOut', 'unfinished'] as const),
	],
	shared: (run: RunContext) => ingestionRun(run),
	order: async ({ uid, file, old: choice }, run) => {
		const names = [file.fileName, await nameOf(withName(choice, file), run)];
		return names.map((name) => nameKey(name, uid));
	},
	run: async ({ uid, file, old: choice, deleteOld }, item, run) => {
		item.shown = { action: 'failed' };
		const search = { run, item, sourceType: UPLOADS, uid };
		const versions = await findVersions(search, withName(choice, file), file.fileName);
		const { old: found, spare, others, reason } = versions;
		const names = [file.fileName];
		const ingestion = new Ingestion(run, item, { sourceType: UPLOADS, names, uid });
		const alsoOld = deleteOld === 'never' ? [] : oldVersions(spare, () => false);
		ingestion.old = [...oldVersions(found), ...alsoOld];
		await ingestion.upload([file]);
		await ingestion.complete({ waits: true, deleteOld });
		if (others.length > 0) item.warn(stillNamed(others, run));
		const row = documentRow(ingestion, { action: 'added', reason });
		return withLeftOut(row, file.leftOut, item);
	},
});

function withName(choice: Old, { fileName }: InputFile): Old {
	return 'fileName' in choice ? { ...choice, fileName: choice.fileName || fileName } : choice;
}

/** Two items with one name of the old or the new version may be about the same document. */
async function nameOf(choice: Old, run: IngestionRun): Promise<string> {
	if ('fileName' in choice) return choice.fileName;
	const { uniqueId } = choice;
	const isFound = (read: Records) => read.withId(uniqueId) !== undefined;
	await caught(run.inventory.list.until(new ItemContext(run), isFound));
	return run.inventory.record(uniqueId)?.sourceName ?? uniqueId;
}

/** What stays with the agent of a document's names, beside the new version. */
function stillNamed(others: Document[], run: IngestionRun): string {
	const names = new Set(others.map(({ sourceName = '' }) => quoted(composed(sourceName))));
	const uploads = others.length === 1 ? '1 other file' : `${others.length} other files`;
	return `The agent still has ${uploads} named ${listed([...names])}: ${detailsOfEach(others, run)}. ${TAKE_OUTDATED} 'Find Old Version By: File Name' replaces them all`;
}

/** Where an old version is looked for. */
interface Search extends AnySearch {
	uid: string;
}

/** What there is of a file before a new version is uploaded: afterwards that one has the name, too. */
interface Versions {
	/** Those that the new one replaces: uploads that there are, and that this agent has, as far as CometChat tells. */
	old: Document[];
	/** What runs before have left of the new one, and nobody has. */
	spare: Document[];
	/** What else the agent has of their names. */
	others: Document[];
	/** Where the agent has none of the name: what a person should see who has mistyped it. */
	reason?: string;
}

async function findVersions(search: Search, old: Old, newName: string): Promise<Versions> {
	if ('uniqueId' in old) return await versionsById(search, old.uniqueId, newName);
	const { fileName, addIfNotFound } = old;
	const ofNewName = (records: Records) => records.named(UPLOADS, newName);
	const isNew = ({ sourceName = '' }: Document) => composed(sourceName) === composed(newName);
	const there = await findNamesakes(
		search,
		(records) => [...new Set([...uploadsNamed(records, fileName), ...ofNewName(records)])],
		// Of a name that nobody looks for, what nobody has may be anybody's.
		(all) => all.filter((one) => isNew(one) && isNamed(one, fileName)),
	);
	const found = there.attached.filter((one) => isNamed(one, fileName));
	refuseUnclear(search, fileName, { ...there, attached: found });
	const own = found.length === 0 ? await ownFiles(search) : [];
	if (found.length === 0 && !addIfNotFound) throw noneNamed(search, fileName, own);
	const hadNone = `The agent had no file ${nameWords(fileName)}. It has: ${listed(own)}.`;
	const reason = own.length > 0 ? hadNone : undefined;
	const spare = oldOf({ ...there, attached: [] }, { isYoung: youngIn(search) });
	return { old: found, spare, others: othersThan(found, there), reason };
}

async function versionsById(search: Search, oldId: string, newName: string): Promise<Versions> {
	const old = await findById(search, oldId);
	const names = new Set([newName, old.sourceName ?? newName].map(composed));
	const there = await findNamesakes(search, (records) =>
		[...names].flatMap((name) => records.named(UPLOADS, name)),
	);
	return { old: [old], spare: [], others: othersThan([old], there) };
}

/** Where it is not known which of them the agent has, none of them is spoken of. */
function othersThan(old: Document[], { attached, isKnown }: Namesakes): Document[] {
	return isKnown ? attached.filter((one) => !old.includes(one)) : [];
}

/** The uploads of a name; of one that ends in `*`, those whose names begin like that. */
function uploadsNamed(records: Records, fileName: string): Document[] {
	if (beginOf(fileName) === undefined) return records.named(UPLOADS, fileName);
	return records.all().filter((one) => one.type === UPLOADS && isNamed(one, fileName));
}

function isNamed({ sourceName = '' }: Document, fileName: string): boolean {
	const begin = beginOf(fileName);
	const name = composed(sourceName);
	return begin === undefined ? name === composed(fileName) : name.startsWith(begin);
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

/** Files of several names are not versions of one, and of several that it may have nobody knows which it has. */
function refuseUnclear(search: Search, fileName: string, { attached, isKnown }: Namesakes): void {
	const names = [...new Set(attached.map(({ sourceName = '' }) => composed(sourceName)))];
	if (names.length > 1) {
		throw new UserError(
			`${isKnown ? 'The agent' : 'CometChat'} has ${names.length} files ${nameWords(fileName)}`,
			"Put more of the right name into 'Old File Name', or set 'Find Old Version By' to List or ID and pick it in 'Old File'.",
			{
				cause: 'configuration-invalid',
				detail: `They are: ${listed(names.map(quoted))}.`,
			},
		);
	}
	if (isKnown || attached.length < 2) return;
	throw severalNamed({ ...search, attached, name: names.join() }, PICK_ONE);
}

/** The uploaded files that the agent has, where CometChat tells. */
async function ownFiles({ run: { inventory }, item, uid }: Search): Promise<string[]> {
	const agent = await caught(inventory.agentFor(item, uid));
	const documents = isFailure(agent) ? undefined : agent.documents;
	return [...(documents ?? [])].flatMap((id) => {
		const { sourceName, type } = inventory.record(id) ?? {};
		return type === UPLOADS ? [quoted(sourceName ?? id)] : [];
	});
}

async function findById(
	{ run: { inventory }, item, uid }: Search,
	oldId: string,
): Promise<Document> {
	const { documents } = await inventory.agentFor(item, uid);
	const uniqueId = inventory.own.currentVersion(uid, oldId);
	const isFound = (read: Records) => read.withId(uniqueId) !== undefined;
	const record = (await inventory.list.until(item, isFound)).withId(uniqueId);
	if (record === undefined) {
		throw noneWith(`CometChat has no file with this ID: ${quoted(uniqueId)}`);
	}
	const { sourceName, type } = record;
	const file = `${sourceName === undefined ? 'The file' : quoted(sourceName)} (ID ${uniqueId})`;
	if (type !== UPLOADS) throw noneWith(`${file} is not an uploaded file`);
	if (documents && !documents.has(uniqueId)) throw noneWith(`${file} is not a file of this agent`);
	return record;
}

function noneWith(what: string): UserError {
	return new UserError(
		what,
		"Check 'Agent'; then pick the file anew in 'Old File', or correct the ID there. Or set 'Find Old Version By' to File Name.",
		{ cause: 'configuration-invalid' },
	);
}

/** @param own The uploaded files that the agent has, where CometChat tells. */
function noneNamed({ run, uid }: Search, fileName: string, own: string[]): UserError {
	const name = run.inventory.agents.asked(uid)?.name;
	const agentWords = name === undefined ? quoted(uid) : `${quoted(name)} (${uid})`;
	const detail = own.length > 0 && `It has the files ${listed(own)}.`;
	return new UserError(
		`The agent ${agentWords} has no uploaded file ${nameWords(fileName)}`,
		"Check 'Agent' and 'Old File Name', which stands for the new file's name if it is empty. If the file is new to the agent, set 'If There Is None' to Add the File. If the old one has another name, set 'Find Old Version By' to List or ID and pick it in 'Old File'.",
		{ cause: 'configuration-invalid', ...(detail && { detail }) },
	);
}

const PICK_ONE =
	"To replace one, set 'Find Old Version By' to List or ID and pick it in 'Old File'.";
