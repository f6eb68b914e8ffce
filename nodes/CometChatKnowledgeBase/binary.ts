import type { IExecuteFunctions } from 'n8n-workflow';

import { Complaint, quoted } from './complaint';
import type { DocumentInfo } from './document';
import { readDocument } from './document';

/** A file of an input item. */
export interface Attachment extends DocumentInfo {
	/** The binary field that holds it. */
	field: string;
	/** Opens it anew, for each attempt: a stream can be read only once. */
	open(): Promise<Content>;
}

/** Bytes, or a stream of them, which is let go of when it is no longer needed. */
export type Content = Uint8Array | { destroy(): void };

const REMEDY =
	"Give the name of a binary field of the input, several with commas between them, or a name with * at its end, such as 'file_*', for all that start like it. The input's Binary tab shows the names.";

/** Finds the files that 'Input Data Field Name' names, and checks their type and size. */
export async function readAttachments(
	context: IExecuteFunctions,
	index: number,
	names: unknown,
): Promise<Attachment[] | Complaint> {
	if (typeof names !== 'string') {
		return new Complaint("'Input Data Field Name' is not a text", REMEDY);
	}
	const wanted = names
		.split(',')
		.map((part) => part.trim())
		.filter((part) => part !== '');
	if (wanted.length === 0) return new Complaint("'Input Data Field Name' is empty", REMEDY);
	const present = Object.keys(context.getInputData()[index]?.binary ?? {});
	const fields = new Set<string>();
	for (const name of wanted) {
		const found = present.filter((field) =>
			name.endsWith('*') ? field.startsWith(name.slice(0, -1)) : field === name,
		);
		if (found.length === 0 && isFile(context, index, name)) found.push(name);
		if (found.length === 0) return missing(name, present);
		for (const field of found) fields.add(field);
	}
	const attachments: Attachment[] = [];
	for (const field of fields) {
		const attachment = await readAttachment(context, index, field);
		if (attachment instanceof Complaint) return attachment;
		attachments.push(attachment);
	}
	return attachments;
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

function missing(name: string, present: string[]): Complaint {
	const has =
		present.length === 0
			? 'it has no file at all'
			: `it has ${present.slice(0, 5).map(quoted).join(', ')}`;
	return new Complaint(`The item has no file in the field ${quoted(name)} (${has})`, REMEDY);
}

async function readAttachment(
	{ helpers }: IExecuteFunctions,
	index: number,
	field: string,
): Promise<Attachment | Complaint> {
	const { id, fileName = '', mimeType } = helpers.assertBinaryData(index, field);
	if (id === undefined) {
		// n8n keeps it in memory anyway.
		const bytes = await helpers.getBinaryDataBuffer(index, field);
		const info = readDocument(field, { fileName, mimeType, fileSize: bytes.length });
		return info instanceof Complaint ? info : { ...info, field, open: async () => bytes };
	}
	try {
		const { fileSize } = await helpers.getBinaryMetadata(id);
		const info = readDocument(field, { fileName, mimeType, fileSize });
		if (info instanceof Complaint) return info;
		return { ...info, field, open: async () => await helpers.getBinaryStream(id) };
	} catch (thrown) {
		return unreadable(field, fileName, thrown);
	}
}

/** A file that n8n names and does not give. */
export function unreadable(field: string, fileName: string, thrown: unknown): Complaint {
	const why = thrown instanceof Error ? thrown.message : String(thrown);
	return new Complaint(
		`n8n was not able to read the file in '${field}', ${quoted(fileName)}: ${quoted(why)}`,
		'Run the workflow from its start: n8n deletes the files of an execution after a while.',
	);
}
