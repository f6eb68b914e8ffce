import { agentOf, deliverItems, newBatch } from '../../delivery/deliverItems';
import type { Batch, DeleteOld, Delivery } from '../../delivery/delivery';
import { newDelivery } from '../../delivery/delivery';
import { findConflicts } from '../../delivery/conflicts';
import { detailsOfEach } from '../../delivery/existing';
import type { Candidate } from '../../delivery/plan';
import { newestFirst } from '../../delivery/snapshot';
import { uploadFile } from '../../delivery/upload';
import { batchOperation } from '../../operations/batchOperation';
import { inputFile } from '../../fields/inputFiles';
import { withLeftOut } from '../../fields/neverAccepted';
import type { FieldGroup } from '../../fields/field';
import { choiceField } from '../../fields/field';
import { picker } from '../../fields/fields';
import { agent, maxIndexingOption } from '../../delivery/fields';
import type { Agent } from '../../api/agents';
import type { Document } from '../../api/documents';
import { UserError } from '../../text/failure';
import { foldForSearch, normalizeName } from '../../text/names';
import { joinLimited, quoted } from '../../text/quoting';
import { UPLOADS } from '../../text/sourceTypes';
import { readText } from '../../text/text';

/** How the old version is told: by its ID, or by a name, which may end in `*`. */
type Old = { uniqueId: string } | { fileName: string; addIfNotFound: boolean };

const match = choiceField<'fileName' | 'id'>({
	displayName: 'Find File to Replace By',
	name: 'oldVersionBy',
	type: 'options',
	options: [
		{
			name: 'File Name',
			value: 'fileName',
			description:
				"Replaces the agent's file with this name, or all files if several have this name",
		},
		{
			name: 'List or ID',
			value: 'id',
			description: 'Replaces only the chosen file, even if other files have the same name',
		},
	],
	default: 'fileName',
	description: 'How to find the file to replace',
});

const ifNotFound = choiceField<'add' | 'fail'>({
	displayName: 'If Not Found',
	name: 'ifNotFound',
	type: 'options',
	options: [
		{
			name: 'Add the File',
			value: 'add',
			description: 'Add the new file to the agent. The output names the files that the agent had.',
		},
		{ name: 'Fail', value: 'fail', description: 'Nothing is uploaded, and the item fails' },
	],
	default: 'fail',
	displayOptions: { show: { oldVersionBy: ['fileName'] } },
	description: 'What to do if the agent has no uploaded file with this name',
});

const oldFile = picker(
	{ noun: 'file', searchListMethod: 'searchUploads' },
	{
		displayName: 'File to Replace',
		name: 'oldFile',
		displayOptions: { show: { oldVersionBy: ['id'] } },
		hint: "Lists the agent's files, or all files if CometChat doesn't report which files the agent has",
		description: 'The file that is replaced',
	},
);

/** The old version: its ID, or the name to find it by, which may end in `*`; an empty one is that of the new file. */
const old: FieldGroup<Old> = {
	properties: [
		match.property,
		{
			displayName: 'Name of File to Replace',
			name: 'oldFileName',
			type: 'string',
			default: '',
			placeholder: 'e.g. price-list.pdf',
			displayOptions: { show: { oldVersionBy: ['fileName'] } },
			hint: 'Leave empty if the new file has the same name. End with * to match the beginning, for example Prices*',
			description:
				'The name of the file to replace. Prices* finds Prices-May.pdf. The name must match only one file name.',
		},
		ifNotFound.property,
		oldFile.property,
	],
	read: (item) => {
		if (match.read(item.value('oldVersionBy')) === 'id')
			return { uniqueId: oldFile.read(item.value('oldFile')) };
		const hint = 'Enter the name, or leave the field empty.';
		// An expression that gives nothing may have missed its field: only an empty field means the same name.
		const fileName = readText(item.value('oldFileName'), "'Name of File to Replace'", hint);
		const addIfNotFound = ifNotFound.read(item.value('ifNotFound')) === 'add';
		return { fileName: normalizeName(fileName), addIfNotFound };
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
			description: 'Deletes the old version permanently, unless another agent uses the file',
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

export const replaceFile = batchOperation({
	value: 'replace',
	name: 'Replace File',
	action: "Replace file in agent's knowledge base",
	description:
		"Replace one of an agent's files with a new version, even if the name of the file is different",
	fields: { uid: agent, file: inputFile, old, deleteOld: oldVersion },
	options: { maxIndexingMs: maxIndexingOption },
	output: [
		...(['name', 'action', 'success', 'status', 'uniqueId', 'sourceType'] as const),
		...(['agentName', 'uid', 'reason', 'old', 'leftOut', 'unfinished'] as const),
	],
	conflicts: (items) =>
		findConflicts(
			items.map(({ index, task: { uid, file } }) => ({ index, name: file.fileName, uid })),
			'have a file with the same name:',
			LEAVE_ONE,
		),
	runAll: async (items, context) => {
		const run = newBatch(context);
		await run.snapshot.readDocuments();
		const reasons = new Map<Delivery, string>();
		return await deliverItems(run, items, {
			toDeliveries: async ({ index, task }, item) => {
				const { uid, file, old: choice, deleteOld, maxIndexingMs } = task;
				const target = await agentOf(run, uid);
				if (run.snapshot.listFailure) throw run.snapshot.listFailure;
				const { fileName: name } = file;
				const { retire, others, reason } = await findVersions(run, target, choice, name);
				if (others.length > 0) item.warn(stillNamed(run, others));
				const delivery = newDelivery({
					...{ index, item, sourceType: UPLOADS, name, agent: target, maxIndexingMs },
					deletes: deleteOld,
					plan: { action: 'create', retire },
					create: async (one) => await uploadFile(run, one, file),
				});
				if (reason !== undefined) reasons.set(delivery, reason);
				return [delivery];
			},
			conflicts: replacedTwice,
			rows: ({ file }) => ({
				action: () => 'added',
				reason: (delivery) => reasons.get(delivery),
				more: ({ item }) => withLeftOut({}, file.leftOut, item),
			}),
		});
	},
});

/** Two items may find the same old version by its ID, its name or the beginning of its name. */
function replacedTwice(deliveries: Delivery[]): Map<number, UserError> {
	const claims = deliveries.flatMap(({ index, agent: { uid } = { uid: '' }, retired }) =>
		retired.map(({ name = '', uniqueId }) => ({ index, name: `${name} (ID ${uniqueId})`, uid })),
	);
	return findConflicts(claims, 'replace the file', LEAVE_ONE);
}

const LEAVE_ONE = 'Leave out all but one of the items, or run the workflow once for each item.';

/** The existing versions of a file. */
interface Versions {
	/** The files that the new version replaces. */
	retire: Candidate[];
	/** Other files of the agent with the same name. */
	others: Candidate[];
	/** Where the agent has no such file: the names of its files, for a user who mistyped one. */
	reason?: string;
}

async function findVersions(
	run: Batch,
	target: Agent | undefined,
	choice: Old,
	newName: string,
): Promise<Versions> {
	const named = await run.snapshot.findByName(UPLOADS, newName, target);
	const isAttached = (one: Candidate) => one.isAttached === true;
	if ('uniqueId' in choice) {
		const found = await findById(run, target, choice.uniqueId);
		const same = await run.snapshot.findByName(UPLOADS, found.name ?? newName, target);
		const others = [...named, ...same].filter((one) => one.uniqueId !== found.uniqueId);
		return { retire: [found], others: unique(others.filter(isAttached)) };
	}
	const fileName = choice.fileName === '' ? newName : choice.fileName;
	const matching = uploadsNamed(run, fileName);
	const candidates = await run.snapshot.candidates(matching, UPLOADS, target);
	const retire = candidates.filter((one) => one.isAttached !== false);
	refuseSeveralNames(retire, fileName);
	const ids = new Set(retire.map(({ uniqueId }) => uniqueId));
	const others = named.filter((one) => isAttached(one) && !ids.has(one.uniqueId));
	if (retire.length > 0) return { retire, others };
	const own = ownFiles(run, target, fileName);
	if (!choice.addIfNotFound) throw noneNamed(target, fileName, own);
	const reason = `The agent had no file ${nameWords(fileName)}. Its files are: ${joinLimited(own)}.`;
	return { retire, others, reason: own.length > 0 ? reason : undefined };
}

function unique(candidates: Candidate[]): Candidate[] {
	return [...new Map(candidates.map((one) => [one.uniqueId, one])).values()];
}

/** The uploads with a name, newest first. For a name that ends in `*`: those whose names begin with it. */
function uploadsNamed({ snapshot }: Batch, fileName: string): Document[] {
	const { records } = snapshot;
	const begin = beginOf(fileName);
	if (begin === undefined) return newestFirst(records.named(UPLOADS, fileName));
	const isMatch = ({ type, sourceName = '' }: Document) =>
		type === UPLOADS && normalizeName(sourceName).startsWith(begin);
	return newestFirst(records.all().filter(isMatch));
}

function beginOf(fileName: string): string | undefined {
	return fileName.endsWith('*') ? fileName.slice(0, -1) : undefined;
}

function nameWords(fileName: string): string {
	const begin = beginOf(fileName);
	return begin === undefined
		? `named ${quoted(fileName)}`
		: `with a name that begins with ${quoted(begin)}`;
}

/** Files with different names are not versions of one file. */
function refuseSeveralNames(found: Candidate[], fileName: string): void {
	const names = [...new Set(found.map(({ name = '' }) => normalizeName(name)))];
	if (names.length < 2) return;
	throw new UserError(
		`The agent has ${names.length} files ${nameWords(fileName)}`,
		"Enter more of the name in 'Name of File to Replace'. Or set 'Find File to Replace By' to 'List or ID', and choose the file in 'File to Replace'.",
		{ cause: 'configuration-invalid', detail: `The files are: ${joinLimited(names.map(quoted))}.` },
	);
}

/** The names of the agent's uploaded files, as far as CometChat shows them. Similar names come first. */
function ownFiles({ snapshot }: Batch, target: Agent | undefined, fileName: string): string[] {
	const names = (target?.files ?? []).flatMap((id) => {
		const { sourceName = id, type } = snapshot.records.withId(id) ?? {};
		return type === UPLOADS ? [sourceName] : [];
	});
	const wanted = foldForSearch(fileName.replace(/[*.].*$/s, ''));
	const isSimilar = (name: string) => foldForSearch(name).includes(wanted);
	const [similar, others] = [names.filter(isSimilar), names.filter((name) => !isSimilar(name))];
	return [...similar, ...others].map(quoted);
}

async function findById(
	{ snapshot }: Batch,
	target: Agent | undefined,
	uniqueId: string,
): Promise<Candidate> {
	const record = snapshot.records.withId(uniqueId);
	if (record === undefined) {
		throw noneWith(`CometChat has no file with the ID ${quoted(uniqueId)}`);
	}
	const { sourceName, type } = record;
	const file = `${sourceName === undefined ? 'The file' : quoted(sourceName)} (ID ${uniqueId})`;
	if (type !== UPLOADS) throw noneWith(`${file} is not an uploaded file`);
	const [candidate] = await snapshot.candidates([record], UPLOADS, target);
	if (candidate === undefined || candidate.isAttached === false) {
		throw noneWith(`${file} is not a file of this agent`);
	}
	return candidate;
}

function noneWith(what: string): UserError {
	return new UserError(
		what,
		"Check 'Agent'. Then choose the file again in 'File to Replace', or correct the ID. Or set 'Find File to Replace By' to 'File Name'.",
		{ cause: 'configuration-invalid' },
	);
}

/** @param own The names of the agent's files. */
function noneNamed(target: Agent | undefined, fileName: string, own: string[]): UserError {
	const { name, uid = '' } = target ?? {};
	const agentWords = name === undefined ? quoted(uid) : `${quoted(name)} (${uid})`;
	const detail = own.length > 0 && `The agent has the files ${joinLimited(own)}.`;
	return new UserError(
		`The agent ${agentWords} has no uploaded file ${nameWords(fileName)}`,
		"Check 'Agent'. If the old file has another name, enter that name in 'Name of File to Replace' (Prices* finds Prices-May.pdf). If the file is new to the agent, set 'If Not Found' to 'Add the File'.",
		{ cause: 'configuration-invalid', ...(detail && { detail }) },
	);
}

/** Warns of other files of the agent with the name of the old or the new version. */
function stillNamed(run: Batch, others: Candidate[]): string {
	const names = new Set(others.map(({ name = '' }) => quoted(normalizeName(name))));
	const files = others.length === 1 ? '1 other file' : `${others.length} other files`;
	return `Remove outdated files with 'Remove Files': the agent still has ${files} named ${joinLimited([...names])}: ${detailsOfEach(run, others)}. With 'File Name' in 'Find File to Replace By', the new file replaces all these files`;
}
