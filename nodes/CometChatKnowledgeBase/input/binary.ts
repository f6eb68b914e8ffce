import type { IExecuteFunctions } from 'n8n-workflow';

import { listed, quoted } from '../values/quoting';
import { UPLOADS } from '../values/sourceTypes';
import { UserError } from '../values/userError';
import type { DocumentInfo } from './document';
import { hasDocumentEnd, readDocument, renamed, sentName } from './document';
import type { FieldGroup, InputItem } from './field';
import { binaryField, nameOption, oneFileField } from './fields';

/** A file of an input item. */
export interface InputFile extends DocumentInfo {
	/** The binary field that holds it. */
	field: string;
	/** Why the item's only file was taken although it is not the one that was named, as a clause. */
	takenBecause?: string;
	/** How many bytes are in memory while it is open; none where n8n reads it piece by piece. */
	heldBytes: number;
	/** Opens it anew, for each attempt: a stream can be read only once, and bytes would stay in memory. */
	open(): Promise<Content>;
}

/** Bytes, or a stream of them, which is let go of when it is no longer needed. */
export type Content = Uint8Array | ByteStream;

interface ByteStream extends AsyncIterable<Uint8Array> {
	/** Emits no error unless it is given one. */
	destroy(): unknown;
	on(event: 'error', listener: (error: Error) => void): unknown;
}

/** What is filled in about the files of an item. */
export interface FileFields {
	/** 'Input Data Field Name'. */
	names: unknown;
	/** 'Name in CometChat'; empty for the file's own. */
	newName: unknown;
}

/** An item, and what is filled in about its files. */
export interface FilesOfItem extends FileFields {
	context: IExecuteFunctions;
	index: number;
}

const ONE_NAME =
	'Type the name of the field with the file; the Binary tab of the input shows the names.';

const SEVERAL_NAMES = `${ONE_NAME} * takes all files of an item, and file_* all whose names start like that; several names are separated by commas.`;

/** Finds the files of an item, and checks their names, types and sizes; never none. */
async function readFiles(item: FilesOfItem, hint: string): Promise<InputFile[]> {
	// An expression that gives nothing may have missed its field: only an empty one means the file's own name.
	if (typeof item.newName !== 'string') {
		throw new UserError(
			"'Name in CometChat' is not a text",
			"Give a name, or leave it empty for the file's own.",
		);
	}
	const { newName } = item;
	const { fields, takenBecause } = fieldsFor(item, hint);
	if (fields.length > 1) refuseSeveral(fields, newName, hint);
	const files: InputFile[] = [];
	for (const field of fields) {
		const file = await readFile(item, newName, field).catch((thrown: unknown) => {
			const others = fields.filter((one) => one !== field);
			if (!(thrown instanceof UserError) || others.length === 0) throw thrown;
			throw withOthers(thrown, namesOf(item, others));
		});
		files.push({ ...file, takenBecause });
	}
	return files;
}

/** The fields that are meant; that of the item's only file, whatever it is called, where no field has the name. */
function fieldsFor(item: FilesOfItem, hint: string): { fields: string[]; takenBecause?: string } {
	const names = namesIn(item.names);
	if (names?.length === 0) throw new UserError("'Input Data Field Name' is empty", hint);
	const found = names?.map((name) => fieldsNamed(item, name)) ?? [];
	const unknown = names?.find((_, at) => found[at]?.length === 0);
	if (names !== undefined && unknown === undefined) return { fields: [...new Set(found.flat())] };
	const why = unknown === undefined ? NO_NAME : `there is no field ${quoted(unknown)}`;
	const isOneName = names === undefined || (names.length === 1 && !unknown?.endsWith('*'));
	const [only, another] = Object.keys(filesOf(item));
	if (isOneName && only !== undefined && another === undefined) {
		return { fields: [only], takenBecause: `${why}; * finds it, whatever its field is called` };
	}
	throw unknown === undefined ? new UserError(why, hint) : missing(item, unknown, hint);
}

const NO_NAME = "'Input Data Field Name' is not a name";

/** Ours: more are the content of a file, and no names. */
const MOST_CHARACTERS = 100_000;

/** Each once; undefined for what is none: a file that is dragged into the field becomes an object, or one as text. */
function namesIn(value: unknown): string[] | undefined {
	if (typeof value !== 'string' || value.length > MOST_CHARACTERS) return undefined;
	if (value.includes('[object ')) return undefined;
	const names = value.split(',').map((part) => part.trim());
	return [...new Set(names.filter((name) => name !== ''))];
}

function filesOf({ context, index }: Pick<FilesOfItem, 'context' | 'index'>) {
	return context.getInputData()[index]?.binary ?? {};
}

/** The fields that a name stands for: one, or with a `*` at its end all that start like it. */
function fieldsNamed(item: FilesOfItem, name: string): string[] {
	const files = filesOf(item);
	const { json = {} } = item.context.getInputData()[item.index] ?? {};
	if (!name.endsWith('*')) return Object.hasOwn(files, name) || isFile(item, name) ? [name] : [];
	const isNamed = (field: string) => field.startsWith(name.slice(0, -1));
	const found = Object.keys(files).filter(isNamed);
	if (found.length > 0) return found;
	return Object.keys(json).filter((field) => isNamed(field) && isFile(item, field));
}

/** Workflows can be set to keep files among the other fields, where a name is a path. */
function isFile({ context, index }: FilesOfItem, name: string): boolean {
	try {
		context.helpers.assertBinaryData(index, name);
		return true;
	} catch {
		return false;
	}
}

/** Where not all of the fields can be taken. */
function refuseSeveral(fields: string[], newName: string, hint: string): void {
	const has = `The item has ${fields.length} files, in ${listed(fields.map(quoted))}`;
	const split = 'split the item into one for each file.';
	if (hint === ONE_NAME) {
		const way = `Type the name of one field, or ${split}`;
		throw new UserError(`${has}, and this operation takes one`, way);
	}
	if (newName.trim() === '') return;
	const way = `Leave 'Name in CometChat' empty, or ${split}`;
	throw new UserError(`${has}, and 'Name in CometChat' is a name for one`, way);
}

/** What is wrong with one of an item's files, and what that means for the others. */
function withOthers({ title, hint, more }: UserError, others: string[]): UserError {
	const held = `Its other files were not sent either: ${listed(others.map(quoted))}.`;
	return new UserError(title, `${held} ${hint} Without this file, the others are sent.`, more);
}

/** What the files of an item are called, or else their fields. */
function namesOf(item: FilesOfItem, fields: string[]): string[] {
	return fields.map((field) => textOrNone(filesOf(item)[field]?.fileName) || field);
}

function missing(item: FilesOfItem, name: string, hint: string): UserError {
	const present = Object.keys(filesOf(item));
	if (present.length > 0) {
		const has = listed(present.map(quoted));
		return new UserError(`The item has no file in the field ${quoted(name)} (it has ${has})`, hint);
	}
	const where = name === '*' ? '' : `, in ${quoted(name)} or elsewhere`;
	const way = isTool(item.context) ? UPLOAD_BEFORE_AGENT : BRING_FILE;
	return new UserError(`The item has no file${where}`, way);
}

const BRING_FILE =
	'Put a node before this one that brings the file: a form, a download, a folder. If the item has IDs of files that are in CometChat already, use Add Files.';

const UPLOAD_BEFORE_AGENT =
	'n8n hands no files to the tools of an AI Agent. Let the workflow upload the file before the agent starts: for a chat, a Chat Trigger, then Document: Upload, then the AI Agent.';

/** The node that n8n makes of this one for AI agents has a type of its own. */
export function isTool(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool');
}

async function readFile(
	{ context: { helpers }, index }: FilesOfItem,
	newName: string,
	field: string,
): Promise<InputFile> {
	const { id, data, ...named } = helpers.assertBinaryData(index, field);
	const fileName = textOrNone(named.fileName);
	const mimeType = textOrNone(named.mimeType);
	// As n8n tells them apart: without an ID it keeps the file within the item.
	const fileSize = id
		? (await readable(field, fileName, async () => await helpers.getBinaryMetadata(id))).fileSize
		: bytesIn(data);
	const info = readDocument(field, renamed({ fileName, mimeType, fileSize }, newName));
	if (id) {
		const open = async () => await helpers.getBinaryStream(id);
		return { ...info, field, heldBytes: isInPieces(id) ? 0 : fileSize, open };
	}
	const open = async () => {
		const bytes = await helpers.getBinaryDataBuffer(index, field);
		if (bytes.length === fileSize) return bytes;
		throw new UserError(
			`The file in '${field}', ${quoted(info.fileName)}, has ${bytes.length} bytes, and ${fileSize} were announced to CometChat`,
			'The node that made the file has not encoded it as base64 without faults: check what it gives.',
		);
	};
	return { ...info, field, heldBytes: fileSize, open };
}

/** Whether a file is on a disk or in S3. A stream of one that is in n8n's database has all of it in memory. */
export function isInPieces(id: string): boolean {
	return /^(?:filesystem|s3)/.test(id);
}

/** A Code node can give anything. */
function textOrNone(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

/** No digit of base64 or base64url. */
const STRAY = /[^A-Za-z\d+/_-]/g;

/**
 * How many bytes Node decodes from base64 (`Buffer.from`, which is what n8n reads with), without decoding it: all
 * files of a run at once would take their size in memory again. Node passes over strays, and ends at `=`.
 */
export function bytesIn(base64: string): number {
	const end = base64.indexOf('=');
	const text = end === -1 ? base64 : base64.slice(0, end);
	// Four digits hold three bytes.
	return Math.floor((text.replace(STRAY, '').length * 3) / 4);
}

/**
 * What `use` makes of the content. Whoever opens a file closes it, whatever comes in between: a stop
 * before it is used, an answer before it is read, or a use that does not come to an end.
 */
export async function withContent<Value>(
	{ field, fileName, open }: InputFile,
	use: (content: Content) => Promise<Value>,
): Promise<Value> {
	const content = await readable(field, fileName, open);
	try {
		return await use(content);
	} finally {
		if ('destroy' in content) content.destroy();
	}
}

async function readable<Value>(
	field: string,
	fileName: string,
	read: () => Promise<Value>,
): Promise<Value> {
	try {
		return await read();
	} catch (thrown) {
		throw thrown instanceof UserError ? thrown : unreadable(field, fileName, thrown);
	}
}

/** A file that n8n names and does not give. */
export function unreadable(field: string, fileName: string, thrown: unknown): UserError {
	const why = thrown instanceof Error ? thrown.message : String(thrown);
	return new UserError(
		`n8n was not able to read the file in '${field}', ${quoted(fileName)}: ${quoted(why)}`,
		'Run the workflow from its start: n8n deletes the files of an execution after a while.',
	);
}

/** What a download gives in the place of a file: a page that asks to log in, or an error. */
const INSTEAD_OF_FILE =
	/^(?:text\/html|application\/(?:xhtml\+xml|json|problem\+json|xml)|text\/xml)\b/i;

/**
 * The names under which an item's files are sent, or would be if they could. None of a file without a name, nor of
 * what may stand in the place of one: a known file may be behind it.
 */
export function sentNames(
	context: IExecuteFunctions,
	index: number,
	{ newName }: Pick<FilesOfItem, 'newName'>,
): string[] {
	if (typeof newName !== 'string') return [];
	return Object.values(filesOf({ context, index })).flatMap((given) => {
		const [fileName, mimeType] = [textOrNone(given.fileName).trim(), textOrNone(given.mimeType)];
		const file = renamed({ fileName, mimeType }, newName);
		const isInstead = !hasDocumentEnd(fileName) && INSTEAD_OF_FILE.test(mimeType);
		return file.fileName === '' || isInstead ? [] : [sentName(file)];
	});
}

/** Whether a file has a name, of its own or by the user: n8n lets a node leave it empty. */
export function hasName(
	context: IExecuteFunctions,
	index: number,
	{ field }: InputFile,
	{ newName }: Pick<FilesOfItem, 'newName'>,
): boolean {
	const { fileName } = context.helpers.assertBinaryData(index, field);
	return [newName, fileName].some((name) => textOrNone(name).trim() !== '');
}

/** What is filled in about the files of an item. */
function filesFilledIn({ context, index, value }: InputItem): FilesOfItem {
	const newName = value(`options.${nameOption.property.name}`);
	return { context, index, names: value(binaryField.name), newName };
}

/** The files of an item; never none. */
export const inputFiles: FieldGroup<InputFile[]> = {
	properties: [binaryField],
	options: [nameOption],
	read: async (item) => await readFiles(filesFilledIn(item), SEVERAL_NAMES),
	asked: (files) => ({
		name: files.map(({ fileName }) => fileName).join(', '),
		sourceType: UPLOADS,
	}),
};

/** The file of an item, for an operation that takes one. */
export const inputFile: FieldGroup<InputFile> = {
	properties: [oneFileField],
	options: [nameOption],
	read: async (item) => await readOneFile(filesFilledIn(item)),
	asked: ({ fileName: name }) => ({ name, sourceType: UPLOADS }),
};

export async function readOneFile(item: FilesOfItem): Promise<InputFile> {
	const [file] = await readFiles(item, ONE_NAME);
	if (file === undefined) throw new UserError(NO_NAME, ONE_NAME);
	return file;
}

/** For an operation that reads its items by itself. */
export function fileFieldsReader(
	parameter: (name: string) => (index: number) => unknown,
): (index: number) => FileFields {
	const namesOf = parameter(binaryField.name);
	const newNameOf = parameter(`options.${nameOption.property.name}`);
	return (index) => ({ names: namesOf(index), newName: newNameOf(index) });
}
