import { createHash } from 'node:crypto';
import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { FieldGroup, InputItem, Option } from '../input/field';
import { UserError } from '../values/failure';
import { listed, quoted } from '../values/quoting';
import { UPLOADS } from '../values/sourceTypes';
import { readText } from '../values/text';
import type { FileInfo } from './fileInfo';
import { checkFile, renamed, sentName } from './fileInfo';

/** A file of an input item. */
export interface InputFile extends FileInfo {
	/** The binary field that holds it. */
	field: string;
	/** Whether it has a name, of its own or by the user: n8n lets a node leave it empty. */
	isNamed: boolean;
	/** How many bytes are in memory while it is open; none where n8n reads it piece by piece. */
	bytesInMemory: number;
	/** Opens it anew, for each attempt: a stream can be read only once, and bytes would stay in memory. */
	open(): Promise<Content>;
}

/** Bytes, or a stream of them, which is let go of when it is no longer needed, and emits no error for that. */
export type Content =
	| Uint8Array
	| (AsyncIterable<Uint8Array> & {
			destroy(): unknown;
			on(event: 'error', listener: (error: Error) => void): unknown;
	  });

const binaryField: INodeProperties = {
	displayName: 'Input Data Field Name',
	name: 'binaryPropertyName',
	type: 'string',
	builderHint: {
		propertyHint:
			"Leave it at *, or give the name of the input's binary field. Never the content of a file.",
	},
	required: true,
	default: '*',
	placeholder: 'e.g. data',
	hint: '* takes all files of an item. To take only some, type the names of their fields, as the Binary tab shows them.',
	description:
		'Leave it at * unless only some of the files are meant. Each file is a PDF, TXT, DOCX, CSV or MD, up to 50 MB. Several names are separated by commas; a name with * at its end, such as file_*, stands for all that start like it.',
};

/** For operations that take one file of an item. */
const oneFileField: INodeProperties = {
	...binaryField,
	hint: '* takes the file of the item. If it has several, type the name of the right field, as the Binary tab shows it.',
	description:
		'Leave it at * if each item has one file. The file is a PDF, TXT, DOCX, CSV or MD, up to 50 MB.',
};

const nameOption: Option<string> = {
	property: {
		displayName: 'Name in CometChat',
		name: 'nameInCometChat',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.folder }}/{{ $json.fileName }}',
		description:
			'Add it if files of one name come from several folders: with the folder before it, Prices/list.pdf becomes "Prices - list.pdf". Empty, it is the file\'s own name. A missing ending, such as .pdf, is added. Each item may have its own.',
	},
	ifNotSet: '',
	// An expression that gives nothing may have missed its field: only an empty one means the file's own name.
	read: (value) => readText(value, "'Name in CometChat'", NAME_OR_EMPTY),
};

const NAME_OR_EMPTY = "Give a name, or leave it empty for the file's own.";

const NAME_IT =
	'Leave it at *, or type the name of the field with the file, as the Binary tab of the input shows it.';

/** Finds the files of an item, and checks their names, types and sizes; never none. */
async function readFiles(item: InputItem, takesOne: boolean): Promise<InputFile[]> {
	const newName = item.option(nameOption);
	const fields = fieldsFor(item);
	if (fields.length > 1 && (takesOne || newName.trim() !== '')) {
		const why = takesOne ? 'this operation takes one' : "'Name in CometChat' is a name for one";
		throw new UserError(
			`The item has ${fields.length} files, in ${listed(fields.map(quoted))}, and ${why}`,
			'Type the name of one field, or split the item into one for each file.',
		);
	}
	const files: InputFile[] = [];
	for (const field of fields) files.push(await readFile(item, newName, field));
	return files;
}

/** The fields that are meant. */
function fieldsFor(item: InputItem): string[] {
	const typed = readText(item.value(binaryField.name), "'Input Data Field Name'", NAME_IT);
	const parts = typed.split(',');
	const names = parts.map((part) => part.trim()).filter((name) => name !== '');
	if (names.length === 0) throw new UserError("'Input Data Field Name' is empty", NAME_IT);
	const unknown = names.find((name) => fieldsNamed(item, name).length === 0);
	if (unknown === undefined) return [...new Set(names.flatMap((name) => fieldsNamed(item, name)))];
	const present = Object.keys(filesOf(item));
	if (present.length === 0) {
		throw new UserError(
			'The item has no file',
			isTool(item.context) ? UPLOAD_BEFORE_AGENT : PUT_NODE_BEFORE,
		);
	}
	const has = listed(present.map(quoted));
	throw new UserError(
		`'Input Data Field Name' is ${quoted(unknown)}, and the item has no such file (it has ${has})`,
		NAME_IT,
	);
}

function filesOf({ context, index }: InputItem) {
	return context.getInputData()[index]?.binary ?? {};
}

/** The fields that a name stands for: one, or with a `*` at its end all that start like it. */
function fieldsNamed(item: InputItem, name: string): string[] {
	const files = filesOf(item);
	const { json = {} } = item.context.getInputData()[item.index] ?? {};
	if (!name.endsWith('*')) return Object.hasOwn(files, name) || isFile(item, name) ? [name] : [];
	const isNamed = (field: string) => field.startsWith(name.slice(0, -1));
	const found = Object.keys(files).filter(isNamed);
	if (found.length > 0) return found;
	return Object.keys(json).filter((field) => isNamed(field) && isFile(item, field));
}

/** Workflows can be set to keep files among the other fields, where a name is a path. */
function isFile({ context, index }: InputItem, name: string): boolean {
	try {
		context.helpers.assertBinaryData(index, name);
		return true;
	} catch {
		return false;
	}
}

const PUT_NODE_BEFORE =
	'Put a node before this one that brings the file: a form, a download, a folder. If the item has IDs of files that are in CometChat already, use Add Files.';

const UPLOAD_BEFORE_AGENT =
	'n8n hands no files to the tools of an AI Agent. Let the workflow upload the file before the agent starts: for a chat, a Chat Trigger, then Document: Upload, then the AI Agent.';

/** The node that n8n makes of this one for AI agents has a type of its own. */
export function isTool(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool');
}

async function readFile(
	{ context: { helpers }, index }: InputItem,
	newName: string,
	field: string,
): Promise<InputFile> {
	const { id, ...binary } = helpers.assertBinaryData(index, field);
	const own = { fileName: textOrNone(binary.fileName), mimeType: textOrNone(binary.mimeType) };
	const named = renamed(own, newName);
	const isNamed = named.fileName.trim() !== '';
	const sent = isNamed ? sentName(named) : '';
	// As n8n tells them apart: without an ID it keeps the file within the item.
	const sizeOf = async () =>
		id
			? (await helpers.getBinaryMetadata(id)).fileSize
			: (await helpers.getBinaryDataBuffer(index, field)).length;
	const fileSize = await readable(field, sent, sizeOf);
	const info = checkFile(field, { ...named, fileSize });
	const open = async () =>
		id ? await helpers.getBinaryStream(id) : await helpers.getBinaryDataBuffer(index, field);
	return { ...info, field, isNamed, bytesInMemory: id && isInPieces(id) ? 0 : fileSize, open };
}

/** Whether a file is on a disk or in S3. A stream of one that is in n8n's database has all of it in memory. */
export function isInPieces(id: string): boolean {
	return /^(?:filesystem|s3)/.test(id);
}

/** A Code node can give anything. */
function textOrNone(value: unknown): string {
	return typeof value === 'string' ? value : '';
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
		{ fileName },
	);
}

/** The files of an item; never none. */
export const inputFiles: FieldGroup<InputFile[]> = {
	properties: [binaryField],
	options: [nameOption],
	read: async (item) => await readFiles(item, false),
	asked: (files) => ({
		name: files.map(({ fileName }) => fileName).join(', '),
		sourceType: UPLOADS,
	}),
};

/** The file of an item, for an operation that takes one. */
export const inputFile: FieldGroup<InputFile> = {
	properties: [oneFileField],
	options: [nameOption],
	read: readOneFile,
	asked: ({ fileName: name }) => ({ name, sourceType: UPLOADS }),
};

async function readOneFile(item: InputItem): Promise<InputFile> {
	const [file] = await readFiles(item, true);
	if (file === undefined) throw new UserError('The item has no file', NAME_IT);
	return file;
}

/** What each web page begins with, and no file that the service takes. */
const WEB_PAGE = /^\s*(?:<!doctype html|<html)[\s>]/i;

/** As much of a file tells whether it is one. */
const HEAD_BYTES = 256;

/**
 * The SHA-256 of a file (base64url), read piece by piece: it is never in memory as a whole. Refused is a web
 * page in the place of a file: a download gives one where it was asked to log in.
 */
export async function contentHash(file: InputFile): Promise<string> {
	const { field, fileName } = file;
	const hashed = async (content: Content) => {
		const hash = createHash('sha256');
		let isFirst = true;
		for await (const chunk of 'destroy' in content ? content : [content]) {
			if (isFirst && isWebPage(chunk))
				throw new UserError(
					`The file in '${field}', ${quoted(fileName)}, is a web page`,
					'A page that asks to log in, or tells an error, may have come in its place: check the node that downloads it.',
				);
			isFirst = false;
			hash.update(chunk);
		}
		return hash.digest('base64url');
	};
	return await withContent(file, async (content) => {
		return await readable(field, fileName, async () => await hashed(content));
	});
}

function isWebPage(start: Uint8Array): boolean {
	return WEB_PAGE.test(new TextDecoder().decode(start.subarray(0, HEAD_BYTES)));
}
