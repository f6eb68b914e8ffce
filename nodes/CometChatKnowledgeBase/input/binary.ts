import type { IExecuteFunctions } from 'n8n-workflow';

import { UserError } from '../values/userError';
import { listed, quoted } from '../values/quoting';
import type { DocumentInfo } from './document';
import { hasDocumentEnd, readDocument, renamed, sentName } from './document';
import { binaryField, nameOption } from './fields';

/** A file of an input item. */
export interface Attachment extends DocumentInfo {
	/** The binary field that holds it. */
	field: string;
	/** Why the item's only file was taken although it is not the one that was named, as a clause. */
	takenBecause?: string;
	/** How many bytes are in memory while it is open; none where n8n reads it piece by piece. */
	heldBytes: number;
	/**
	 * Opens it anew, for each attempt: a stream can be read only once, and bytes would stay in memory. May
	 * throw what n8n throws.
	 */
	open(): Promise<Content>;
}

/** Bytes, or a stream of them, which is let go of when it is no longer needed. */
export type Content = Uint8Array | ByteStream;

interface ByteStream extends AsyncIterable<Uint8Array> {
	/** Emits no error unless it is given one. */
	destroy(): unknown;
	on(event: 'error', listener: (error: Error) => void): unknown;
}

const ONE_NAME =
	'Type the name of the field with the file; the Binary tab of the input shows the names.';

const SEVERAL_NAMES = `${ONE_NAME} * takes all files of an item, and file_* all whose names start like that; several names are separated by commas.`;

const NO_NAME = "'Input Data Field Name' is not a name";

const ONE_FILE = 'Type the name of one field, or split the item into one for each file.';

const ONE_FOR_EACH = "Leave 'Name in CometChat' empty, or split the item into one for each file.";

/** What the fields of an item's files come to, by expressions or as they are typed. */
export interface AttachmentFields {
	/** 'Input Data Field Name'. */
	names: unknown;
	/** 'Name in CometChat'. */
	newName: unknown;
}

export function attachmentFieldsReader(
	parameter: (name: string) => (index: number) => unknown,
): (index: number) => AttachmentFields {
	const namesOf = parameter(binaryField.name);
	const newNameOf = parameter(`options.${nameOption.property.name}`);
	return (index) => ({ names: namesOf(index), newName: newNameOf(index) });
}

/** The names of the files that an item has, or those of their fields. */
export function attachedFiles(context: IExecuteFunctions, index: number): string[] {
	return namesIn(context, index, fieldsWithFile(context, index));
}

function namesIn(context: IExecuteFunctions, index: number, fields: string[]): string[] {
	const { binary = {} } = context.getInputData()[index] ?? {};
	return fields.map((field) => textOrNone(binary[field]?.fileName) || field);
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
	{ newName }: AttachmentFields,
): string[] {
	if (typeof newName !== 'string') return [];
	const { binary = {} } = context.getInputData()[index] ?? {};
	return Object.values(binary).flatMap((given) => {
		const [fileName, mimeType] = [textOrNone(given.fileName).trim(), textOrNone(given.mimeType)];
		const file = renamed({ fileName, mimeType }, newName);
		if (file.fileName === '') return [];
		const isInstead = !hasDocumentEnd(fileName) && INSTEAD_OF_FILE.test(mimeType);
		return isInstead ? [] : [sentName(file)];
	});
}

/** Whether a file has a name, of its own or by the user: n8n lets a node leave it empty. */
export function hasName(
	{ helpers }: IExecuteFunctions,
	index: number,
	{ field }: Attachment,
	{ newName }: AttachmentFields,
): boolean {
	return [newName, helpers.assertBinaryData(index, field).fileName].some(
		(name) => textOrNone(name).trim() !== '',
	);
}

/** Reads the file of an item, for an operation that takes one. */
export async function readOneAttachment(
	context: IExecuteFunctions,
	index: number,
	fields: AttachmentFields,
): Promise<Attachment> {
	const files = await readAttachments(context, index, fields, ONE_NAME);
	const [file] = files;
	const found = file;
	if (found === undefined) throw new UserError(NO_NAME, ONE_NAME);
	return found;
}

function orThrow<Value>(value: Value | undefined, error: UserError): Value {
	if (value === undefined) throw error;
	return value;
}

/** Finds the files of an item, and checks their names, types and sizes. */
export async function readAttachments(
	context: IExecuteFunctions,
	index: number,
	{ names, newName }: AttachmentFields,
	remedy = SEVERAL_NAMES,
): Promise<Attachment[]> {
	// An expression that gives nothing may have missed its field: only an empty one means the file's own name.
	if (typeof newName !== 'string') {
		throw new UserError(
			"'Name in CometChat' is not a text",
			"Give a name, or leave it empty for the file's own.",
		);
	}
	const source = { context, index, newName };
	const only = async (why: string) =>
		await readOnlyFile(source, `${why}; * finds it, whatever its field is called`);
	// A file that is dragged into the field becomes an object, or what an object is as text.
	if (typeof names !== 'string' || names.includes('[object ')) {
		return orThrow(await only(NO_NAME), new UserError(NO_NAME, remedy));
	}
	const wanted = names
		.split(',')
		.map((part) => part.trim())
		.filter((part) => part !== '');
	if (wanted.length === 0) throw new UserError("'Input Data Field Name' is empty", remedy);
	const fields = new Set<string>();
	for (const name of wanted) {
		const found = fieldsNamed(context, index, name);
		if (found.length === 0) {
			const isOneName = wanted.length === 1 && !name.endsWith('*');
			const own = isOneName ? await only(`there is no field ${quoted(name)}`) : undefined;
			return orThrow(own, missing(context, index, name, remedy));
		}
		for (const field of found) fields.add(field);
	}
	refuseSeveral([...fields], newName, remedy);
	return await readFields(source, [...fields]);
}

/** Where not all of the fields can be taken. */
function refuseSeveral(fields: string[], newName: string, remedy: string): void {
	if (fields.length === 1) return;
	const has = `The item has ${fields.length} files, in ${listed(fields.map(quoted))}`;
	if (remedy === ONE_NAME) throw new UserError(`${has}, and this operation takes one`, ONE_FILE);
	if (newName.trim() !== '') {
		throw new UserError(`${has}, and 'Name in CometChat' is a name for one`, ONE_FOR_EACH);
	}
}

/** An item, and the name that its file is to have. */
interface Source {
	context: IExecuteFunctions;
	index: number;
	/** Empty for the file's own. */
	newName: string;
}

function fieldsWithFile(context: IExecuteFunctions, index: number): string[] {
	return Object.keys(context.getInputData()[index]?.binary ?? {});
}

/** The fields that a name stands for: one, or with a `*` at its end all that start like it. */
function fieldsNamed(context: IExecuteFunctions, index: number, name: string): string[] {
	const isNamed = (field: string) =>
		name.endsWith('*') ? field.startsWith(name.slice(0, -1)) : field === name;
	const found = fieldsWithFile(context, index).filter(isNamed);
	if (found.length > 0) return found;
	const { json = {} } = context.getInputData()[index] ?? {};
	const others = name.endsWith('*') ? Object.keys(json).filter(isNamed) : [name];
	return others.filter((field) => isFile(context, index, field));
}

/** The item's file, whatever its field is called; undefined unless there is one, and no other. */
async function readOnlyFile(
	source: Source,
	takenBecause: string,
): Promise<Attachment[] | undefined> {
	const [only, another] = fieldsWithFile(source.context, source.index);
	if (only === undefined || another !== undefined) return undefined;
	const attachment = await readAttachment(source, only);
	return [{ ...attachment, takenBecause }];
}

async function readFields(source: Source, fields: string[]): Promise<Attachment[]> {
	const attachments: Attachment[] = [];
	for (const field of fields) {
		try {
			attachments.push(await readAttachment(source, field));
		} catch (thrown) {
			const others = fields.filter((one) => one !== field);
			if (!(thrown instanceof UserError) || others.length === 0) throw thrown;
			throw withOthers(thrown, namesIn(source.context, source.index, others));
		}
	}
	return attachments;
}

/** What is wrong with one of an item's files, and what that means for the others. */
function withOthers({ what, remedy, more }: UserError, others: string[]): UserError {
	const held = `Its other files were not sent either: ${listed(others.map(quoted))}.`;
	return new UserError(what, `${held} ${remedy} Without this file, the others are sent.`, more);
}

/** Workflows can be set to keep files among the other fields, where a name is a path. */
function isFile({ helpers }: IExecuteFunctions, index: number, name: string): boolean {
	try {
		helpers.assertBinaryData(index, name);
		return true;
	} catch {
		return false;
	}
}

/** The node that n8n makes of this one for AI agents has a type of its own. */
export function isTool(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool');
}

function missing(
	context: IExecuteFunctions,
	index: number,
	name: string,
	remedy: string,
): UserError {
	const present = fieldsWithFile(context, index);
	if (present.length === 0) {
		return new UserError(
			name === '*'
				? 'The item has no file'
				: `The item has no file, in ${quoted(name)} or elsewhere`,
			isTool(context) ? UPLOAD_BEFORE_AGENT : BRING_FILE,
		);
	}
	const has = present.slice(0, 5).map(quoted).join(', ');
	return new UserError(`The item has no file in the field ${quoted(name)} (it has ${has})`, remedy);
}

async function readAttachment(
	{ context: { helpers }, index, newName }: Source,
	field: string,
): Promise<Attachment> {
	const { id, data, ...named } = helpers.assertBinaryData(index, field);
	const fileName = textOrNone(named.fileName);
	const mimeType = textOrNone(named.mimeType);
	try {
		// As n8n tells them apart: without an ID it keeps the file within the item.
		const { fileSize } = id ? await helpers.getBinaryMetadata(id) : { fileSize: bytesIn(data) };
		const info = readDocument(field, renamed({ fileName, mimeType, fileSize }, newName));
		if (id) {
			const open = async () => await helpers.getBinaryStream(id);
			return { ...info, field, heldBytes: isInPieces(id) ? 0 : fileSize, open };
		}
		const open = async () => {
			const bytes = await helpers.getBinaryDataBuffer(index, field);
			if (!(bytes.length === fileSize)) throw changed(field, info, bytes.length);
			return bytes;
		};
		return { ...info, field, heldBytes: fileSize, open };
	} catch (thrown) {
		throw unreadable(field, fileName, thrown);
	}
}

/** Whether a file is on a disk or in S3. A stream of one that is in n8n's database has all of it in memory. */
export function isInPieces(id: string): boolean {
	return /^(?:filesystem|s3)/.test(id);
}

/** A Code node can give anything. */
function textOrNone(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

const STRAY = /[^A-Za-z\d+/_-]/;

/**
 * How many bytes Node decodes from base64 (`Buffer.from`, which is what n8n reads with), without
 * decoding it: all files of a run at once would take their size in memory again. Node passes over what
 * is no digit of base64, such as line breaks, takes the digits of base64url as well, and ends at `=`.
 */
export function bytesIn(base64: string): number {
	const stray = base64.search(STRAY);
	// Nearly always there is nothing behind the digits but padding.
	if (stray === -1 || base64[stray] === '=') return bytesOf(stray === -1 ? base64.length : stray);
	const end = base64.indexOf('=');
	const text = end === -1 ? base64 : base64.slice(0, end);
	return bytesOf(text.replace(new RegExp(STRAY, 'g'), '').length);
}

/** Four digits hold three bytes. */
function bytesOf(digits: number): number {
	return Math.floor((digits * 3) / 4);
}

function changed(field: string, { fileName, fileSize }: DocumentInfo, bytes: number): UserError {
	return new UserError(
		`The file in '${field}', ${quoted(fileName)}, has ${bytes} bytes, and ${fileSize} were announced to CometChat`,
		'The node that made the file has not encoded it as base64 without faults: check what it gives.',
	);
}

/**
 * What `use` makes of the content. Whoever opens a file closes it, whatever comes in between: a stop
 * before it is used, an answer before it is read, or a use that does not come to an end.
 */
export async function withContent<Value>(
	{ field, fileName, open }: Attachment,
	use: (content: Content) => Promise<Value>,
): Promise<Value> {
	let content: Content;
	try {
		content = await open();
	} catch (thrown) {
		throw unreadable(field, fileName, thrown);
	}
	try {
		return await use(content);
	} finally {
		if ('destroy' in content) content.destroy();
	}
}

/** A file that n8n names and does not give. */
export function unreadable(field: string, fileName: string, thrown: unknown): UserError {
	if (thrown instanceof UserError) return thrown;
	const why = thrown instanceof Error ? thrown.message : String(thrown);
	return new UserError(
		`n8n was not able to read the file in '${field}', ${quoted(fileName)}: ${quoted(why)}`,
		'Run the workflow from its start: n8n deletes the files of an execution after a while.',
	);
}

const BRING_FILE =
	'Put a node before this one that brings the file: a form, a download, a folder. If the item has IDs of files that are in CometChat already, use Add Files.';

const UPLOAD_BEFORE_AGENT =
	'n8n hands no files to the tools of an AI Agent. Let the workflow upload the file before the agent starts: for a chat, a Chat Trigger, then Document: Upload, then the AI Agent.';
