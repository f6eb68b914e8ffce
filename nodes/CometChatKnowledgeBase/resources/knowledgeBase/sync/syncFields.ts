import type { InputFile } from '../../../fields/inputFiles';
import { filesOf, inputFile, isTool } from '../../../fields/inputFiles';
import { NoAcceptedFile } from '../../../fields/neverAccepted';
import type { Field, FieldGroup, Option, ValuesOf } from '../../../fields/field';
import { choiceField, forExecution, notice, numberField, switchField } from '../../../fields/field';
import type { DeleteOld } from '../../../delivery/delivery';
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
		const isEmpty = Object.keys(filesOf(item)).length === 0;
		if (isEmpty && !isTool(item.context)) return { file: NO_FILE, names: [] };
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

const NO_FILE = new UserError(
	'The item has no file',
	"Check the folder, and that the previous node outputs the files of the folder. No missing file was removed. To remove all files of an agent, use 'Remove Files'.",
);

/** Whether the input may be a part of the folder, or is all that an agent may use. */
type ItemsAre = 'parts' | 'all';

const itemsAre = choiceField<ItemsAre>({
	displayName: 'Files to Remove',
	name: 'itemsAre',
	type: 'options',
	options: [
		{
			name: 'Files Missing From the Folder',
			value: 'parts',
			description: 'Removes a file that is missing in two executions, at least an hour apart',
		},
		{
			name: 'All Other Files of the Agent',
			value: 'all',
			description:
				"Removes all other uploaded files at once, also files that you added. Use 'Dry Run' first.",
		},
	],
	default: 'parts',
	description:
		"Which files this node removes from the agent. Nothing is removed if half of the files or more are missing at once. To change this share, add 'Removal Limit (Percent)'. 'All Other Files of the Agent' removes nothing if the input may be incomplete, for example in a loop.",
});

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
			description: 'The agent no longer uses the file. The file stays in CometChat.',
		},
		{
			name: 'Remove From Agent and Delete',
			value: 'delete',
			description:
				'Deletes the file permanently if this node uploaded the file and no other agent uses it',
		},
		{ name: 'Keep', value: 'keep', description: 'The agent continues to use the file' },
	],
	default: 'remove',
	description:
		"Removes or deletes the files that 'Files to Remove' selects. Deletes only files that this node uploaded, as its record shows. Any other file is only removed from the agent.",
});

const goneFiles: Field<GoneFiles> = {
	...goneFilesChoice,
	// An expression that returns nothing must not remove anything.
	read: (value) => goneFilesChoice.read(value || 'keep'),
};

/** By default, only uploads of this node are deleted. */
const oldVersionsChoice = choiceField<DeleteOld>({
	displayName: 'Old Versions',
	name: 'oldVersions',
	type: 'options',
	options: [
		{
			name: 'Delete All Versions',
			value: 'ifUnused',
			description:
				'Deletes all unused files with this name permanently, also files that other people uploaded',
		},
		{
			name: 'Delete Own Versions',
			value: 'own',
			description:
				'Deletes an old version permanently if this node uploaded the version and no agent uses it',
		},
		{
			name: 'Keep',
			value: 'never',
			description: 'The agent no longer uses the old versions. All versions stay in CometChat.',
		},
	],
	default: 'own',
	description:
		"Deletes old versions of a changed file permanently after the new version was added to the agent. In each case, the old versions are removed from the agent. Without a record of the uploads, for example in queue mode, 'Delete Own Versions' deletes nothing.",
});

const oldVersions: Field<DeleteOld> = {
	...oldVersionsChoice,
	// An expression that returns nothing must not delete anything.
	read: (value) => oldVersionsChoice.read(value || 'never'),
};

const dryRunSwitch = switchField({
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: false,
	description:
		'Whether to only preview the result for each file, with the reason. Nothing is uploaded, removed or deleted.',
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
		{ name: 'All Files', value: 'all', description: 'One item per file' },
		{
			name: 'Changed Files',
			value: 'changes',
			description: 'Only files that were changed, failed or need attention',
		},
		{
			name: 'Summary',
			value: 'summary',
			description: 'One item per agent, with counts, file names and a message that you can send',
		},
	],
	default: 'all',
	description:
		"The items that this node returns. All files are synced in any case. If 'Changed Files' returns no item, the next nodes don't run. In a loop, 'Summary' returns one item per round.",
});

export const syncFields = {
	notice: notice(
		'syncNotice',
		"n8n keeps no record in manual executions, so unchanged files may be uploaded again and missing files may stay with the agent. Preview with 'Dry Run', then publish the workflow to sync.",
	),
	uid: agent,
	itemFile: itemFileField,
	itemsAre,
	goneFiles,
	deleteOld: oldVersions,
	isDryRun: dryRun,
	output,
};

const modified: Option<number | undefined> = {
	property: {
		displayName: 'Last Modified',
		name: 'modified',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.modifiedTime }}',
		hint: 'Drag in the field with the time when the file was last modified',
		description:
			'When the file was last modified. A file with the same time as in the last execution counts as unchanged, even if its content differs. Without a record of earlier executions, the time saves uploading unchanged files again.',
	},
	ifNotSet: undefined,
	read: (value) => parseTimestamp(value, "'Last Modified'"),
};

/** Without the option, no file waits: if each change starts the workflow, the next execution may come days later. */
const minAge: Option<number> = {
	...numberField(
		{
			displayName: 'Minimum File Age (Minutes)',
			name: 'minFileAge',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: 1440 },
			default: 5,
			description:
				"How long ago a file must have been modified. A newer file waits for the next execution, because somebody may still be writing the file. Applies only with 'Last Modified'. Add this option to workflows that start on a schedule.",
		},
		{ scale: 60_000 },
	),
	ifNotSet: 0,
};

/** Our choice: a folder that has lost half of its files at once was probably not read completely. */
const limit = numberField({
	displayName: 'Removal Limit (Percent)',
	name: 'maxShareToRemove',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 100 },
	default: 50,
	description:
		"Removes nothing if this share of the files or more is missing at once, because the folder was probably not read completely. With 'Files Missing From the Folder', a limit above 50 has no effect. With 'All Other Files of the Agent', 100 means no limit.",
});

export const syncOptions = {
	modifiedMs: modified,
	minAgeMs: minAge,
	limit: forExecution(limit),
	maxIndexingMs: maxIndexingOption,
};

/** The fields and options of an item. */
export type SyncTask = ValuesOf<typeof syncFields> & ValuesOf<typeof syncOptions>;
