import { Complaint, invisibleCharacter, quoted } from './complaint';

/** A file or text as the service is told of it before its bytes are sent. */
export interface DocumentInfo {
	fileName: string;
	mimeType: string;
	/** In bytes. */
	fileSize: number;
}

/**
 * What the service takes, by the end of the file name
 * (https://www.cometchat.com/docs/rest-api/ai-agents-apis/properties-and-constraints).
 */
const MIME_TYPES: Record<string, string> = {
	csv: 'text/csv',
	docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
	md: 'text/markdown',
	pdf: 'application/pdf',
	txt: 'text/plain',
};

/** 50 MB (the same page), taken as the smaller of the two readings. */
const LARGEST_BYTES = 50_000_000;

/** Ours: what common file systems allow. */
const LONGEST_FILE_NAME = 255;

const TAKES = 'CometChat takes PDF, TXT, DOCX, CSV and MD files of up to 50 MB.';

/**
 * Checks a file before anything is sent for it. The end of its name decides on the type: n8n's own
 * nodes call many files 'application/octet-stream'.
 *
 * @param mimeType For a name without an end.
 */
export function readDocument(
	field: string,
	{ fileName, mimeType, fileSize }: { fileName: string; mimeType: string; fileSize: number },
): DocumentInfo | Complaint {
	const name = fileName.trim().replace(/^.*[/\\]/, '');
	const where = `The file in '${field}'`;
	const invisible = invisibleCharacter(name);
	if (invisible !== undefined) {
		return new Complaint(
			`${where} has an invisible character (${invisible}) in its name: ${quoted(name)}`,
			'Rename it before this node.',
		);
	}
	const end = endOf(name) ?? endFor(mimeType);
	const type = end === undefined ? undefined : MIME_TYPES[end];
	if (name === '' && type === undefined) {
		return new Complaint(
			`${where} has no name, and its type, ${quoted(mimeType)}, is none that CometChat takes`,
			`${TAKES} Give it a name that ends in its type before this node.`,
		);
	}
	if (end === undefined || type === undefined) {
		return new Complaint(
			`${where}, ${quoted(name)}, is not of a type that CometChat takes`,
			`${TAKES} Convert it, or rename it if its name lacks the end.`,
		);
	}
	if (fileSize === 0) return new Complaint(`${where}, ${quoted(name)}, is empty`, TAKES);
	if (fileSize > LARGEST_BYTES) {
		return new Complaint(
			`${where}, ${quoted(name)}, has ${megabytes(fileSize)}, more than CometChat takes`,
			`${TAKES} Split it, or make it smaller.`,
		);
	}
	const fullName = endOf(name) === undefined ? `${name || 'file'}.${end}` : name;
	if (fullName.length > LONGEST_FILE_NAME) {
		return new Complaint(
			`${where} has a name of ${fullName.length} characters: ${quoted(fullName)}`,
			`Rename it before this node to at most ${LONGEST_FILE_NAME} characters.`,
		);
	}
	return { fileName: fullName, mimeType: type, fileSize };
}

/** A name in one form: macOS writes an accent as a character of its own. */
export function oneName(fileName: string): string {
	return fileName.normalize('NFC');
}

export function isSameName(one: string, other: string): boolean {
	return oneName(one) === oneName(other);
}

function endOf(name: string): string | undefined {
	return /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase();
}

function endFor(mimeType: string): string | undefined {
	// Without what may follow, such as '; charset=utf-8'.
	const [type = ''] = mimeType.toLowerCase().split(';');
	return Object.keys(MIME_TYPES).find((end) => MIME_TYPES[end] === type.trim());
}

export function megabytes(bytes: number): string {
	return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
