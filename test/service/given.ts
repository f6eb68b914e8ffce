/** What bodies hold. Each reader gives undefined if the body does not hold that. */

/** A file as 'initiate' is told of it; `fileSize` is in bytes. */
export interface FileDescription {
	fileName: string;
	mimeType: string;
	fileSize: number;
}

/** A text, as it is written or, with one of them only, changed. */
export interface TextEntry {
	title: string;
	text: string;
}

/** The IDs that a body names: `uniqueIds`, or `uniqueId` as the poll spells its list. */
export function readUniqueIds(body: unknown): string[] | undefined {
	return readIds(body, 'uniqueIds') ?? readIds(body, 'uniqueId');
}

/** A list of IDs, by its name. */
export function readIds(body: unknown, name: string): string[] | undefined {
	const ids = fieldsOf(body)[name];
	if (!Array.isArray(ids)) return undefined;
	return ids.every((id) => typeof id === 'string') ? ids : undefined;
}

export function readFiles(body: unknown): FileDescription[] | undefined {
	const { files } = fieldsOf(body);
	if (!Array.isArray(files)) return undefined;
	const read = files.map(readFile).filter((file) => file !== undefined);
	return read.length === files.length ? read : undefined;
}

function readFile(file: unknown): FileDescription | undefined {
	const { fileName, mimeType, fileSize } = fieldsOf(file);
	return typeof fileName === 'string' &&
		typeof mimeType === 'string' &&
		typeof fileSize === 'number'
		? { fileName, mimeType, fileSize }
		: undefined;
}

/** The name of an agent that is to be made. */
export function readAgentName(body: unknown): string | undefined {
	const { name } = fieldsOf(body);
	return typeof name === 'string' ? name : undefined;
}

/** What a message says. */
export function readMessageText(body: unknown): string | undefined {
	const { text } = fieldsOf(fieldsOf(body).data);
	return typeof text === 'string' ? text : undefined;
}

export function readTextEntry(body: unknown): TextEntry | undefined {
	const { title, text } = fieldsOf(body);
	return typeof title === 'string' && typeof text === 'string' ? { title, text } : undefined;
}

export function readTextChange(body: unknown): Partial<TextEntry> {
	const { title, text } = fieldsOf(body);
	return {
		...(typeof title === 'string' && { title }),
		...(typeof text === 'string' && { text }),
	};
}

export function fieldsOf(value: unknown): Record<string, unknown> {
	return typeof value === 'object' && value !== null ? { ...value } : {};
}
