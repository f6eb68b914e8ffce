import type { InputFile } from '../../../files/inputFiles';
import { inputFile } from '../../../files/inputFiles';
import { NoAcceptedFile } from '../../../files/neverAccepted';
import type { Field, FieldGroup, ValuesOf } from '../../../input/field';
import { choiceField, forExecution, numberField, switchField } from '../../../input/field';
import type { DeleteOld } from '../../../pipeline/fields';
import { agent } from '../../../pipeline/fields';
import { UserError, caught, isFailure } from '../../../values/failure';
import { composed } from '../../../values/names';
import { UPLOADS } from '../../../values/sourceTypes';
import { readTime } from '../../../values/times';
import type { GoneFiles } from './state/state';

/** The file that an item brings. */
interface ItemFile {
	/** Why it can't be sent, in the place of one that can't. */
	file: InputFile | UserError;
	/** By which it is known; also of one that can't be sent. None where an item names no file. */
	names: string[];
}

/** The file of an item. One that can't be sent fails no earlier than all are known: it is in the folder all the same. */
const itemFileField: FieldGroup<ItemFile> = {
	...inputFile,
	read: async (item) => {
		const file = await caught((async () => await inputFile.read(item))());
		if (!isFailure(file)) return { file, names: [composed(file.fileName)] };
		if (!(file instanceof UserError)) throw file;
		const { fileName = '' } = file.more;
		const names = file instanceof NoAcceptedFile ? file.files.map(({ name }) => name) : [fileName];
		return { file, names: names.filter((name) => name !== '').map(composed) };
	},
	asked: ({ file }) => ({
		name: file instanceof UserError ? file.more.fileName : file.fileName,
		sourceType: UPLOADS,
	}),
};

const modified: Field<number | undefined> = {
	property: {
		displayName: 'Last Changed',
		name: 'modified',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.modifiedTime }}',
		hint: 'Drag in the field that says when the file was last changed, if there is one',
		description:
			'Optional. Saves uploading unchanged files again on the first night. The node looks at it only where it has no record of a file.',
	},
	read: (value) => readTime(value, "'Last Changed'"),
};

const goneFilesChoice = choiceField<GoneFiles>({
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
				'Delete the files that this node uploaded, by its record, permanently if no other agent uses them. All others are only taken from the agent.',
		},
		{ name: 'Keep', value: 'keep', description: 'The agent goes on answering from them' },
	],
	default: 'remove',
	description:
		'What becomes of a file that this node has sent and that has left the folder. Two runs in a row must bring most of the folder, and come without it.',
});

const goneFiles: Field<GoneFiles> = {
	...goneFilesChoice,
	// An expression that gives nothing is no order to take anything away.
	read: (value) => goneFilesChoice.read(value || 'keep'),
};

const dryRunSwitch = switchField({
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: false,
	description:
		'Whether to only try it out. The output says what would be done with each file, and why. Nothing is sent or changed.',
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
			name: 'Only Changes',
			value: 'changes',
			description:
				'Without the files that have not changed or that CometChat never accepts. If there are no others, the next nodes do not run.',
		},
		{
			name: 'A Summary',
			value: 'summary',
			description:
				'One item with counts, names and a text to send. One for each agent; in a loop, one for each round.',
		},
	],
	default: 'all',
	description: 'What the next node gets. It changes nothing of what is done.',
});

export const syncFields = {
	uid: agent,
	itemFile: itemFileField,
	modifiedMs: modified,
	goneFiles,
	isDryRun: dryRun,
	output,
};

/** What an item of Sync Files asks for. */
export type SyncTask = ValuesOf<typeof syncFields>;

/** Our choice: a folder that has lost more than half of its files at once may not have been read whole. */
const maxShare = numberField({
	displayName: 'Too Many to Remove at Once (Percent)',
	name: 'maxShareToRemove',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 100 },
	default: 50,
	description:
		'Raise it for a small folder that changes a lot. If this share of the files or more is missing at once, none is taken from the agent: the folder may not have been read to its end. 100 allows all.',
});

/** Ours: two executions without a file are enough for who reads a folder as a whole. */
const runsMissing = numberField({
	displayName: 'Runs to Wait Before Removing',
	name: 'runsMissing',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 10 },
	default: 1,
	description:
		'Raise it if downloads fail now and then. How many runs in a row must have come without a file before the next one takes it from the agent.',
});

/** By default, nothing is deleted but what this node uploaded itself. */
export const oldVersionsOption = choiceField<DeleteOld>({
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

/** How much the items of a call say of what they lack. */
const itemsAre = choiceField({
	displayName: 'What Each Run Brings',
	name: 'itemsAre',
	type: 'options',
	options: [
		{
			name: 'The Folder, Perhaps in Parts',
			value: 'parts',
			description:
				'A file counts as gone once two runs in a row have brought most of the folder without it',
		},
		{
			name: 'The Whole Folder at Once',
			value: 'folder',
			description: 'A file that this run does not bring counts as gone at once',
		},
		{
			name: 'All the Agent Should Know',
			value: 'all',
			description:
				'Any other uploaded file is taken from the agent at once, wherever it came from. Try it with Dry Run first.',
		},
	],
	default: 'parts',
	description:
		'Change it if the node before this one always brings all files at once. In a loop, behind several branches, with Execute Once, as a tool or in a retry nothing is then taken out.',
});

/** What is removed is decided once for the folders of all items, after the last of them. */
export const maxShareOption = forExecution(maxShare);
export const runsMissingOption = forExecution(runsMissing);
export const itemsAreOption = forExecution(itemsAre);
