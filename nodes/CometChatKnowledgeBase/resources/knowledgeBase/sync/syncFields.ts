import type { InputFile } from '../../../fields/inputFiles';
import { inputFile } from '../../../fields/inputFiles';
import { NoAcceptedFile } from '../../../fields/neverAccepted';
import type { Field, FieldGroup, ValuesOf } from '../../../fields/field';
import { choiceField, forExecution, numberField, switchField } from '../../../fields/field';
import type { DeleteOld } from '../../../delivery/fields';
import { agent, maxIndexingOption } from '../../../delivery/fields';
import { UserError, toResult, isFailure } from '../../../text/failure';
import { normalizeName } from '../../../text/names';
import { UPLOADS } from '../../../text/sourceTypes';
import { parseTimestamp } from '../../../text/times';

/** The file of an item. */
interface ItemFile {
	/** Or why it cannot be sent. */
	file: InputFile | UserError;
	/** The names of the files, also of those that cannot be sent. Empty if the item names no file. */
	names: string[];
}

/** Reads the file of an item. A file that cannot be sent does not fail here, because it is in the folder all the same. */
const itemFileField: FieldGroup<ItemFile> = {
	...inputFile,
	read: async (item) => {
		const file = await toResult((async () => await inputFile.read(item))());
		if (!isFailure(file)) return { file, names: [normalizeName(file.fileName)] };
		if (!(file instanceof UserError)) throw file;
		const { fileName = '' } = file.more;
		const names = file instanceof NoAcceptedFile ? file.files.map(({ name }) => name) : [fileName];
		return { file, names: names.filter((name) => name !== '').map(normalizeName) };
	},
	asked: ({ file }) => ({
		name: file instanceof UserError ? file.more.fileName : file.fileName,
		sourceType: UPLOADS,
	}),
};

const modified: Field<number | undefined> = {
	property: {
		displayName: 'Last Modified',
		name: 'modified',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.modifiedTime }}',
		hint: 'Drag in the field with the time when the file was last modified, if there is one',
		description:
			'When the file was last modified (optional). A file with the same time as in the last execution counts as unchanged, whatever its content. Without a record, it saves uploading unchanged files again.',
	},
	read: (value) => parseTimestamp(value, "'Last Modified'"),
};

/** What happens to files that are no longer in the folder. */
type GoneFiles = 'remove' | 'delete' | 'keep';

const goneFilesChoice = choiceField<GoneFiles>({
	displayName: 'If a File Is Removed From the Folder',
	name: 'goneFiles',
	type: 'options',
	options: [
		{
			name: 'Remove From Agent',
			value: 'remove',
			description: 'The agent no longer uses it. It stays in CometChat.',
		},
		{
			name: 'Remove From Agent and Delete',
			value: 'delete',
			description:
				'Delete the files that this node uploaded, by its record, permanently if no other agent uses them. All others are only removed from the agent.',
		},
		{ name: 'Keep', value: 'keep', description: 'The agent continues to use it' },
	],
	default: 'remove',
	description:
		'What to do with a file that this node added earlier and that is no longer in the folder. A file counts as removed when two executions, at least an hour apart, contain most of the files that came with it, but not this file.',
});

const goneFiles: Field<GoneFiles> = {
	...goneFilesChoice,
	// An expression that returns nothing must not remove anything.
	read: (value) => goneFilesChoice.read(value || 'keep'),
};

const dryRunSwitch = switchField({
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: false,
	description:
		'Whether to only show what would happen to each file, and why. Nothing is uploaded, removed or deleted.',
});

const dryRun: Field<boolean> = {
	...dryRunSwitch,
	asked: (isDryRun) => (isDryRun ? { dryRun: true } : {}),
};

const output = choiceField({
	displayName: 'Output',
	name: 'output',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'All Files', value: 'all', description: 'An item for each file' },
		{
			name: 'Changed Files',
			value: 'changes',
			description:
				'All files except those that have not changed or that CometChat never accepts. If there are no others, the next nodes do not run.',
		},
		{
			name: 'Summary',
			value: 'summary',
			description:
				'One item per agent, with counts, file names and a message you can send. In a loop, one per round.',
		},
	],
	default: 'all',
	description: 'What this node outputs. It does not affect what is synced.',
});

export const syncFields = {
	uid: agent,
	itemFile: itemFileField,
	modifiedMs: modified,
	goneFiles,
	isDryRun: dryRun,
	output,
};

/** The fields of an item. */
export type SyncTask = ValuesOf<typeof syncFields>;

/** The fields and options of an item. */
export type SyncItem = SyncTask & { deleteOld: DeleteOld; maxIndexingMs: number };

/** Our choice: a folder that has lost half of its files at once was probably not read completely. */
const limit = numberField({
	displayName: 'Removal Limit (Percent)',
	name: 'maxShareToRemove',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 100 },
	default: 50,
	description:
		'If this share of the files or more is missing at once, nothing is removed, because the folder was probably not read completely. Increase it for small folders that change a lot. 100 = no limit.',
});

/** By default, nothing is deleted but what this node uploaded itself. */
const oldVersions = choiceField<DeleteOld>({
	displayName: 'Old Versions',
	name: 'oldVersions',
	type: 'options',
	options: [
		{
			name: 'Delete All Versions',
			value: 'ifUnused',
			description:
				'Delete every old version with the name of the file permanently, if no agent uses it, no matter who uploaded it',
		},
		{
			name: 'Delete Own Versions',
			value: 'own',
			description:
				'Delete the old versions that this node uploaded, by its record, permanently if no agent uses them. All others stay in CometChat.',
		},
		{
			name: 'Keep',
			value: 'never',
			description: 'The agent no longer uses the old versions. They are not deleted.',
		},
	],
	default: 'own',
	description:
		'What to do with old versions of a file after the new one was added to the agent. Choose Delete All Versions in queue mode, where this node has no record of its uploads.',
});

const itemsAre = choiceField<'parts' | 'all'>({
	displayName: 'Input Contains',
	name: 'itemsAre',
	type: 'options',
	options: [
		{
			name: 'All or Part of the Folder',
			value: 'parts',
			description:
				'A missing file is removed after two executions, at least an hour apart, that contain most of the folder without it',
		},
		{
			name: 'Everything the Agent May Use',
			value: 'all',
			description:
				"Every other uploaded file is removed from the agent at once, even if this node did not add it. Turn on 'Dry Run' first.",
		},
	],
	default: 'parts',
	description:
		'How complete the input of this node is. Change it if the agent must not use any other file. In a loop, after several branches, with Execute Once, as a tool or in a retry nothing is then removed.',
});

export const syncOptions = {
	deleteOld: oldVersions,
	maxIndexingMs: maxIndexingOption,
	limit: forExecution(limit),
	itemsAre: forExecution(itemsAre),
};
