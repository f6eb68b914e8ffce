import type { InputFile } from '../../../fields/inputFiles';
import { filesOf, inputFile, isFromText } from '../../../fields/inputFiles';
import { NoAcceptedFile } from '../../../fields/neverAccepted';
import type { Field, FieldGroup, InputItem, ValuesOf } from '../../../fields/field';
import { choiceField, notice, switchField } from '../../../fields/field';
import type { DeleteOld } from '../../../delivery/delivery';
import { agent, maxIndexingOption } from '../../../delivery/fields';
import { UserError, toResult, isFailure } from '../../../text/failure';
import { isRecord } from '../../../text/json';
import { normalizeName } from '../../../text/names';
import { quoted } from '../../../text/quoting';
import { UPLOADS } from '../../../text/sourceTypes';
import { EARLIEST_MS, parseTime } from '../../../text/times';

/** The file of an item. */
interface ItemFile {
	/** The file, or the reason why it can't be sent. */
	file: InputFile | UserError;
	/** The names of the files, including files that can't be sent. Empty if the item names no file. */
	names: string[];
	/** Whether it is a text without content. */
	isEmptyText?: boolean;
}

/** Reads the file of an item. A file that can't be sent is in the folder, so it does not fail here. */
const itemFileField: FieldGroup<ItemFile> = {
	...inputFile,
	read: async (item) => {
		const isText = isFromText(item);
		const hasFile = isText || Object.keys(filesOf(item)).length > 0;
		if (!hasFile) return { file: noFile(item), names: [] };
		const file = await toResult(inputFile.read(item));
		if (!isFailure(file)) return { file, names: [normalizeName(file.fileName)] };
		if (!(file instanceof UserError)) throw file;
		const { fileName = '' } = file.more;
		const names = file instanceof NoAcceptedFile ? file.files.map(({ name }) => name) : [fileName];
		const isEmptyText = isText && file instanceof NoAcceptedFile && !file.hasTooLarge;
		return { file, names: names.filter((name) => name !== '').map(normalizeName), isEmptyText };
	},
	asked: ({ file }) => ({
		name: file instanceof UserError ? file.more.fileName : file.fileName,
		sourceType: UPLOADS,
	}),
};

/** The failure of an item without a file. It quotes the previous node's error, such as a failed download. */
function noFile({ context, index }: InputItem): UserError {
	const { error, name } = context.getInputData()[index]?.json ?? {};
	const message = isRecord(error) ? error.message : error;
	const why = typeof message === 'string' ? `: ${quoted(message)}` : '';
	return new UserError(
		`The item has no file${why}`,
		"Check that the previous node returns all documents. No missing document was removed. To remove documents from an agent, use 'Remove Files'.",
		typeof name === 'string' ? { fileName: name } : {},
	);
}

type OnMissing = 'remove' | 'delete' | 'keep';

const onMissing = choiceField<OnMissing>({
	displayName: 'Missing Documents',
	name: 'missingDocuments',
	type: 'options',
	options: [
		{
			name: 'Remove From Agent',
			value: 'remove',
			description: 'The agent no longer uses the document. It stays in CometChat.',
		},
		{
			name: 'Remove From Agent and Delete',
			value: 'delete',
			description:
				'Permanently deletes missing documents that this node uploaded and no agent uses',
		},
		{ name: 'Keep', value: 'keep', description: 'The agent continues to use the document' },
	],
	default: 'remove',
	description:
		'What to do with documents whose file or row is no longer in the input. They must be missing in two executions, at least an hour apart, except for renamed files. With five or more documents, nothing is removed if half or more are missing at once. With up to four, one must still be present.',
});

/** By default, only uploads of this node are deleted. */
const oldVersions = choiceField<DeleteOld>({
	displayName: 'Old Versions',
	name: 'oldVersions',
	type: 'options',
	options: [
		{
			name: 'Delete Own Versions',
			value: 'own',
			description: 'Permanently deletes old versions that this node uploaded and no agent uses',
		},
		{
			name: 'Keep',
			value: 'never',
			description: 'The agent uses only the new version. The old version stays in CometChat.',
		},
	],
	default: 'own',
	description:
		'What to do with the old version of a changed document. The agent then uses only the new version. If n8n kept no record of the upload, for example in queue mode, nothing is deleted.',
});

const dryRun: Field<boolean> = {
	...switchField({
		displayName: 'Dry Run',
		name: 'dryRun',
		type: 'boolean',
		default: false,
		description:
			'Whether to only preview the result for each document, with the reason. Nothing is uploaded, removed or deleted.',
	}),
	asked: (isDryRun) => (isDryRun ? { dryRun: true } : {}),
};

const output = choiceField({
	displayName: 'Output',
	name: 'output',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'All Documents', value: 'all', description: 'One item per document' },
		{
			name: 'Changed Documents',
			value: 'changes',
			description: 'Only documents that were changed, failed or need attention',
		},
		{
			name: 'Summary',
			value: 'summary',
			description: 'One item per agent, with counts, names and a message that you can send',
		},
	],
	default: 'all',
	description:
		"The items that this node returns. All documents are synced in any case. If 'Changed Documents' returns no item, the next nodes don't run. In a loop, 'Summary' returns one item per round.",
});

const modified: Field<number | undefined> = {
	property: {
		displayName: 'Last Modified',
		name: 'modified',
		type: 'string',
		displayOptions: { show: { contentFrom: ['file'] } },
		default: '',
		placeholder: 'e.g. {{ $json.modifiedTime }}',
		hint: 'Optional: drag in the field with the time when the file was last modified',
		description:
			'When the file was last modified. Recommended: without this time, unchanged files are uploaded again whenever n8n kept no record of them. A PDF or DOCX file with the same time as before counts as unchanged, even if its content differs.',
	},
	read: (value, { context }) => {
		const ms = parseTime(value, "'Last Modified'", context.getTimezone()) ?? 0;
		return ms < EARLIEST_MS ? undefined : ms;
	},
};

export const syncFields = {
	notice: notice(
		'syncNotice',
		"Manual executions add and replace documents, but never remove missing documents. They may upload unchanged documents again, and then leave old copies in CometChat. To test, turn on 'Dry Run'. <b>Turn it off before you publish the workflow.</b>",
	),
	itemFile: itemFileField,
	modifiedMs: modified,
	uid: agent,
	isDryRun: dryRun,
	onMissing,
	deleteOld: oldVersions,
	output,
};

export const syncOptions = { maxIndexingMs: maxIndexingOption };

/** The fields and options of an item. */
export type SyncTask = ValuesOf<typeof syncFields> & ValuesOf<typeof syncOptions>;
