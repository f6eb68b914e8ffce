import { createHash } from 'node:crypto';
import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { FieldGroup, InputItem, Option } from './field';
import { choiceField } from './field';
import { UserError } from '../text/failure';
import { joinLimited, quoted, sentences } from '../text/quoting';
import { UPLOADS } from '../text/sourceTypes';
import { findNothing, foundNothing, readText } from '../text/text';
import type { FileInfo } from './fileInfo';
import { checkFile, cutOff, renamed, sentName } from './fileInfo';
import { START_BYTES } from './fileType';
import { readTextFile, textFields } from './inputText';
import type { RejectedFile } from './neverAccepted';
import { NoAcceptedFile, rejectionOf } from './neverAccepted';

/** A file of an input item, or its text as a file. */
export interface InputFile extends FileInfo {
	/** The binary field of the file. */
	field: string;
	/** The item's other files that CometChat never accepts; only set in the item's first file. */
	leftOut: RejectedFile[];
	/** The hash of a text, which decides whether the document has changed. Left out for a file of the item. */
	sha256?: string;
	/** Notes for the user, each a clause. */
	remarks: string[];
	/** Opens the file for an attempt: a stream can only be read once, and bytes would stay in memory. */
	open(): Promise<Content>;
}

/** Bytes, or a stream of bytes, which is destroyed after its use and emits no error for that. */
export type Content =
	| Uint8Array
	| (AsyncIterable<Uint8Array> & {
			destroy(error?: Error): unknown;
			pause(): unknown;
			on(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
			on(event: 'end', listener: () => void): unknown;
			on(event: 'error', listener: (error: Error) => void): unknown;
	  });

const TEXT_CHOICE = {
	name: 'Text',
	value: 'text' as const,
	description: 'A table row, an article or a message in the fields below',
};

const contentFrom = choiceField<'file' | 'text'>({
	displayName: 'Content From',
	name: 'contentFrom',
	type: 'options',
	noDataExpression: true,
	displayOptions: { hide: { '@tool': [true] } },
	options: [
		{ name: 'Input File', value: 'file', description: 'The files of the input item' },
		TEXT_CHOICE,
	],
	default: 'file',
	description:
		'The source of the content. Choose Text for content of any length that is not a file. Each text becomes a document of its own.',
});

/** The field of a tool, to which n8n passes no files. */
const contentOfTool: INodeProperties = {
	...contentFrom.property,
	displayOptions: { show: { '@tool': [true] } },
	options: [TEXT_CHOICE],
	default: 'text',
};

const binaryField: INodeProperties = {
	displayName: 'Input Data Field Name',
	name: 'binaryPropertyName',
	type: 'string',
	builderHint: {
		propertyHint:
			"Keep *, or enter the name of the input's binary field. Never enter the content of a file.",
	},
	displayOptions: { show: { contentFrom: ['file'] } },
	required: true,
	default: '*',
	placeholder: 'e.g. data',
	hint: '* = all files of the item. For some of the files, enter the field names that the Binary tab shows.',
	description:
		'The input fields that contain the files. Separate several names with commas, or use an expression that returns a list. CometChat accepts PDF, TXT, DOCX, CSV and MD files of up to 50 MB. With *, all other files are left out, and the output names these files.',
};

/** The field of operations that use one file of an item. */
const oneFileField: INodeProperties = {
	...binaryField,
	hint: '* = the only file of the item. If the item has several files, enter the field name that the Binary tab shows.',
	description:
		'The input field that contains the file. Enter a name if an item has several files that CometChat accepts. CometChat accepts PDF, TXT, DOCX, CSV and MD files of up to 50 MB. With *, all other files are left out.',
};

const NAME = "'Name in CometChat'";

const nameOption: Option<string> = {
	property: {
		displayName: 'Name in CometChat',
		name: 'nameInCometChat',
		type: 'string',
		displayOptions: { hide: { '/contentFrom': ['text'] } },
		default: '',
		placeholder: 'e.g. {{ $json.folder }}/{{ $json.fileName }}',
		description:
			'Replaces the file\'s own name. Use this option if files have no name, or if files in different folders have the same name. Prices/list.pdf becomes "Prices - list.pdf".',
	},
	ifNotSet: '',
	// An expression that found nothing is refused, because only an empty field means the file's own name.
	read: (value) => readText(value, NAME, NAME_OR_EMPTY),
};

const NAME_OR_EMPTY = "Enter a name, or leave the field empty for the file's own name.";

const NAME_IT =
	'Enter *, or the name of the field that contains the file. The Binary tab of the input shows the name.';

/** Finds the files of an item, or makes a file of its text, each with checked name, type and size. */
async function readFiles(item: InputItem, takesOne: boolean): Promise<[InputFile, ...InputFile[]]> {
	if (isFromText(item)) return [textFileOf(item)];
	const newName = item.option(nameOption);
	const { files, leftOut } = await acceptedFiles(item, newName);
	const [first, ...others] = files;
	if (first === undefined) throw new NoAcceptedFile(leftOut);
	if (others.length > 0 && (takesOne || newName.trim() !== '')) {
		const why = takesOne
			? 'this operation needs exactly one'
			: "'Name in CometChat' is the name of one file";
		const fields = joinLimited(files.map(({ field }) => quoted(field)));
		throw new UserError(
			`The item has ${files.length} files (${fields}), but ${why}`,
			"Enter one field in 'Input Data Field Name', or split the item so that each item has one file.",
		);
	}
	first.leftOut = leftOut;
	return [first, ...others];
}

/** Whether the content of an item is a text. */
export function isFromText({ value }: InputItem): boolean {
	return contentFrom.read(value(contentFrom.property.name)) === 'text';
}

function textFileOf(item: InputItem): InputFile {
	const { content, remarks, ...file } = readTextFile(item);
	const hasFiles = Object.keys(filesOf(item)).length > 0;
	return {
		...{ ...file, field: 'Text', leftOut: [], open: async () => Buffer.from(content) },
		remarks: hasFiles ? [...remarks, FILES_IGNORED] : remarks,
	};
}

const FILES_IGNORED = "The files of the item are ignored, because 'Content From' is 'Text'";

/** Reads the files of an item, and separates the files that `*` leaves out. */
async function acceptedFiles(
	item: InputItem,
	newName: string,
): Promise<{ files: InputFile[]; leftOut: RejectedFile[] }> {
	const named = fieldsFor(item);
	const all = named.includes('*') ? Object.keys(filesOf(item)) : [];
	const files: InputFile[] = [];
	const leftOut: RejectedFile[] = [];
	for (const field of new Set([...named.filter((name) => name !== '*'), ...all])) {
		const file = await readFile(item, newName, field);
		if (!('kind' in file)) files.push(file);
		else if (named.includes(field)) throw new NoAcceptedFile([file]);
		else leftOut.push(file);
	}
	return { files, leftOut };
}

/** Returns the names of the binary fields; `*` for all fields. */
function fieldsFor(item: InputItem): string[] {
	const names = namesIn(item.value(binaryField.name));
	if (names.length === 0) throw new UserError("'Input Data Field Name' is empty", NAME_IT);
	const present = Object.keys(filesOf(item));
	if (present.length === 0) {
		throw withoutFile(item);
	}
	const unknown = names.find((name) => name !== '*' && !present.includes(name));
	if (unknown === undefined) return names;
	const has = joinLimited(present.map(quoted));
	throw new UserError(
		`'Input Data Field Name' is ${quoted(unknown)}, and the item has no such file (it has ${has})`,
		NAME_IT,
	);
}

/** Reads names from a text with commas, or from the list that an expression returns. */
function namesIn(value: unknown): string[] {
	const read = (text: unknown) => readText(text, "'Input Data Field Name'", NAME_IT);
	const parts = Array.isArray(value) ? value.map(read) : read(value).split(',');
	return parts.map((part) => part.trim()).filter((name) => name !== '');
}

/** The failure of an item without a file. */
function withoutFile({ context }: InputItem): UserError {
	const isManual = context.getMode() === 'manual';
	return new UserError('The item has no file', sentences(isManual && UNPIN, PUT_NODE_BEFORE));
}

/** Returns the binary fields of an item. */
export function filesOf({ context, index }: Pick<InputItem, 'context' | 'index'>) {
	return context.getInputData()[index]?.binary ?? {};
}

const UNPIN = 'Pinned data contains no files: if the previous node is pinned, unpin it.';

const PUT_NODE_BEFORE =
	"Connect this node to a node that outputs files, such as a form, a download or a folder. If some items have no file, remove them with a Filter node. To add files that are already in CometChat, use 'Add Files'.";

/** Whether the node is the tool that n8n makes of it for AI agents, which has its own type. */
export function isTool(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool');
}

async function readFile(
	item: InputItem,
	newName: string,
	field: string,
): Promise<InputFile | RejectedFile> {
	const { helpers } = item.context;
	const { id, ...binary } = helpers.assertBinaryData(item.index, field);
	const own = { fileName: textOrNone(binary.fileName), mimeType: textOrNone(binary.mimeType) };
	const nothing = findNothing(newName);
	// A file may have this word in its own name.
	if (nothing !== undefined && !own.fileName.includes(nothing)) throw foundNothing(NAME, newName);
	const named = renamed(own, newName);
	const sent = sentName(named);
	const facts = { ...named, ownName: own.fileName };
	// A file that is left out in any case may be unreadable.
	const early = rejectionOf(facts);
	if (early !== undefined) {
		// A lock file keeps its own name: the name of its document would mean that the document is left out.
		return { kind: early, field, name: early === 'system' ? own.fileName : sent };
	}
	const read = async () => await sizeAndStart(item, field, id);
	const { fileSize, start } = await wrapReadError(field, sent, read);
	const kind = rejectionOf({ ...facts, fileSize });
	if (kind !== undefined) return { kind, field, name: sent };
	const info = checkFile(field, { ...named, fileSize }, start);
	const open = async () =>
		id ? await helpers.getBinaryStream(id) : await helpers.getBinaryDataBuffer(item.index, field);
	return { ...info, field, leftOut: [], remarks: [], open };
}

/** @param id n8n's ID of a file outside of the item; left out: the item contains the file. */
async function sizeAndStart(
	{ context: { helpers }, index }: InputItem,
	field: string,
	id?: string,
) {
	if (!id) {
		const whole = await helpers.getBinaryDataBuffer(index, field);
		return { fileSize: whole.length, start: whole.subarray(0, START_BYTES) };
	}
	const { fileSize } = await helpers.getBinaryMetadata(id);
	const start = await readStart(await helpers.getBinaryStream(id, START_BYTES));
	return { fileSize, start };
}

/** Reads the first bytes: `START_BYTES`, or all bytes of a smaller file. */
async function readStart(content: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
	const start = new Uint8Array(START_BYTES);
	let length = 0;
	for await (const chunk of content) {
		const part = chunk.subarray(0, START_BYTES - length);
		start.set(part, length);
		length += part.length;
		if (length === START_BYTES) break;
	}
	return start.subarray(0, length);
}

/** Returns a text; empty for other values, which a Code node may return. */
function textOrNone(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

/**
 * Opens a file, and returns the result of `use`. The file is closed in any case: after a stop before its use, a
 * response before it is read, or an endless use.
 */
export async function withContent<Value>(
	{ field, fileName, open }: InputFile,
	use: (content: Content) => Promise<Value>,
): Promise<Value> {
	const content = await wrapReadError(field, fileName, open);
	try {
		return await use(content);
	} finally {
		if ('destroy' in content) content.destroy();
	}
}

async function wrapReadError<Value>(
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

/** The failure of a file that n8n can't read. */
function unreadable(field: string, fileName: string, thrown: unknown): UserError {
	const why = thrown instanceof Error ? thrown.message : String(thrown);
	return new UserError(
		`n8n couldn't read the file in '${field}', ${quoted(fileName)}: ${quoted(why)}`,
		'Run the workflow from the start. n8n deletes the files of an execution after a while.',
		{ fileName },
	);
}

/** The progress of the client in reading the content. */
export interface Progress {
	bytes: number;
	/** The number of bytes that the system may have buffered, but not sent. */
	heldBytes: number;
}

/** The number of bytes that the system buffers and sends later. */
const SYSTEM_BYTES = 2_500_000;

/**
 * Counts the bytes that the client reads, and reports an unreadable or incomplete content: the request would fail as
 * if the network was the cause.
 */
export function watchContent(
	content: Content,
	file: InputFile,
	report: (error: UserError) => void,
): Progress {
	if (!('destroy' in content)) return { bytes: file.fileSize, heldBytes: file.fileSize };
	const progress = { bytes: 0, heldBytes: Math.min(file.fileSize, SYSTEM_BYTES) };
	// Paused, because the listener would start the stream before the request reads it.
	content.pause();
	content.on('data', (chunk) => {
		progress.bytes += chunk.length;
	});
	content.on('end', () => {
		// Otherwise, the request would wait for the rest.
		if (progress.bytes < file.fileSize) content.destroy(cutOff(file, progress.bytes));
	});
	content.on('error', (error) => {
		report(error instanceof UserError ? error : unreadable(file.field, file.fileName, error));
	});
	return progress;
}

/** The files of an item, at least one. */
export const inputFiles: FieldGroup<InputFile[]> = {
	properties: [contentFrom.property, contentOfTool, binaryField, ...textFields],
	options: [nameOption],
	read: async (item) => await readFiles(item, false),
	asked: (files) => ({
		name: files.map(({ fileName }) => fileName).join(', '),
		sourceType: UPLOADS,
	}),
};

/** The file of an item, for an operation that uses one file. */
export const inputFile = {
	properties: [contentFrom.property, contentOfTool, oneFileField, ...textFields],
	options: [nameOption],
	read: async (item: InputItem) => (await readFiles(item, true))[0],
};

/** Returns the SHA-256 of a file (base64url), which is read in parts and never completely in memory. */
export async function contentHash(file: InputFile): Promise<string> {
	const { field, fileName, fileSize } = file;
	const hashed = async (content: Content) => {
		const hash = createHash('sha256');
		let bytes = 0;
		for await (const chunk of 'destroy' in content ? content : [content]) {
			bytes += chunk.length;
			hash.update(chunk);
		}
		if (bytes < fileSize) throw cutOff(file, bytes);
		return hash.digest('base64url');
	};
	return await withContent(file, async (content) => {
		return await wrapReadError(field, fileName, async () => await hashed(content));
	});
}
