import { operation } from '../../execution/buildOperation';
import { ItemContext } from '../../execution/itemContext';
import type { RunContext } from '../../execution/operation';
import { documentRow, Ingestion } from '../../ingestion/ingestion';
import { maxIndexingOption } from '../../ingestion/fields';
import type { IngestionRun } from '../../ingestion/ingestionRun';
import { ingestionRun } from '../../ingestion/ingestionRun';
import { described, nameKey, TAKE_OUTDATED } from '../../ingestion/namesakes';
import type { Records } from '../../inventory/records';
import { oldVersions } from '../../ingestion/replacement';
import type { InputFile } from '../../input/binary';
import { inputFile } from '../../input/binary';
import { UPLOADS } from '../../values/sourceTypes';
import { composed } from '../../input/document';
import type { FieldGroup } from '../../input/field';
import { choiceField } from '../../input/field';
import { picker } from '../../input/fields';
import { caught } from '../../results/apiError';
import type { Document } from '../../service/documents';
import { listed, quoted } from '../../values/quoting';
import { UserError } from '../../values/userError';
import type { Old } from './oldFiles';
import { findVersions, noneBefore } from './oldFiles';
import { agent, deleteOldOption } from './fields';

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
		const fileName = item.value('oldFileName');
		// An expression that gives nothing may have missed its field: only an empty field means the same name.
		if (typeof fileName !== 'string') {
			throw new UserError("'Old File Name' is not a text", 'Give the name, or leave it empty.');
		}
		const addIfNotFound = ifNotFound.read(item.value('ifNotFound')) === 'add';
		return { fileName: composed(fileName), addIfNotFound };
	},
};

export const replaceFile = operation({
	value: 'replace',
	name: 'Replace File',
	action: 'Replace a file of an agent by a new version',
	description:
		"For a new version under another name, or of one particular file: it takes the old one's place",
	fields: { uid: agent, file: inputFile, old, deleteOld: deleteOldOption },
	options: { maxIndexing: maxIndexingOption },
	output: [
		...(['name', 'action', 'success', 'status', 'uniqueId', 'sourceType'] as const),
		...(['agentName', 'uid', 'reason', 'old', 'unfinished'] as const),
	],
	shared: (run: RunContext) => ingestionRun(run),
	order: async ({ uid, file, old: given }, run) => {
		const names = [file.fileName, await nameOf(withName(given, file), run)];
		return names.map((name) => nameKey(name, uid));
	},
	run: async ({ uid, file, old: given, deleteOld }, item, run) => {
		item.shown = { action: 'failed' };
		const search = { run, item, sourceType: UPLOADS, uid };
		const wanted = withName(given, file);
		const { old: found, left, others } = await findVersions(search, wanted, file.fileName);
		const names = [file.fileName];
		const ingestion = new Ingestion(run, item, { sourceType: UPLOADS, names, uid });
		const alsoOld = deleteOld === 'never' ? [] : oldVersions(left, false);
		ingestion.old = [...oldVersions(found), ...alsoOld];
		const reason = found.length === 0 ? await noneBefore(search, wanted) : undefined;
		await ingestion.upload([file]);
		await ingestion.complete({ waits: true, deleteOld });
		if (others.length > 0) item.warn(stillNamed(others, run));
		return documentRow(ingestion, { action: 'added', reason });
	},
});

function withName(given: Old, { fileName }: InputFile): Old {
	return 'fileName' in given ? { ...given, fileName: given.fileName || fileName } : given;
}

/** Two items with one name of the old or the new version may be about the same document. */
async function nameOf(given: Old, run: IngestionRun): Promise<string> {
	if ('fileName' in given) return given.fileName;
	const { uniqueId } = given;
	const isFound = (read: Records) => read.withId(uniqueId) !== undefined;
	await caught(run.inventory.list.until(new ItemContext(run), isFound));
	return run.inventory.record(uniqueId)?.sourceName ?? uniqueId;
}

/** What stays with the agent of a document's names, beside the new version. */
function stillNamed(others: Document[], run: IngestionRun): string {
	const names = new Set(others.map(({ sourceName = '' }) => quoted(composed(sourceName))));
	const uploads = others.length === 1 ? '1 other file' : `${others.length} other files`;
	return `The agent still has ${uploads} named ${listed([...names])}: ${described(others, run)}. ${TAKE_OUTDATED} 'Find Old Version By: File Name' replaces them all`;
}
