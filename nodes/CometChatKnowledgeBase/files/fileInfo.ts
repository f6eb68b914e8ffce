import { UserError } from '../values/failure';
import { composed } from '../values/names';
import { invisibleCharacter, quoted } from '../values/quoting';

/** A file or text as the service is told of it before its bytes are sent. */
export interface FileInfo {
	fileName: string;
	mimeType: string;
	/** In bytes. */
	fileSize: number;
}

/**
 * What the service takes, by the end of the file name
 * (https://www.cometchat.com/docs/rest-api/ai-agents-apis/properties-and-constraints).
 */
export const MIME_TYPES: Record<string, string> = {
	csv: 'text/csv',
	docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
	md: 'text/markdown',
	pdf: 'application/pdf',
	txt: 'text/plain',
};

/** Ours: what common file systems allow. */
const LONGEST_FILE_NAME = 255;

/** What a download gives in the place of a file: a page that asks to log in, or an error. */
export const INSTEAD_OF_FILE =
	/^(?:text\/html|application\/(?:xhtml\+xml|json|problem\+json|xml)|text\/xml)\b/i;

/** A file that CometChat does not take for what it is: another try would come to the same. */
export class UnsendableFile extends UserError {
	/** @param why Of the file, as it goes on after its name. */
	constructor(
		title: string,
		readonly fileName: string,
		readonly why: string,
		hint: string,
	) {
		super(title, hint, { fileName });
	}
}

const TAKES = 'CometChat takes PDF, TXT, DOCX, CSV and MD files of up to 50 MB.';

/**
 * Checks a file before anything is sent for it. The end of its name decides on the type: n8n's own
 * nodes call many files 'application/octet-stream'.
 *
 * @param mimeType For a name whose end says nothing; its own end is then put behind the name.
 * @throws UnsendableFile; a UserError without a name for what has none, or may have come in the place of a file.
 */
export function checkFile(field: string, { fileSize, ...named }: FileInfo): FileInfo {
	const fileName = sentName(named);
	if (invisibleCharacter(fileName) !== undefined || fileName.length > LONGEST_FILE_NAME) {
		throw new UserError(
			`The file in '${field}' has a name that CometChat does not take: ${quoted(fileName)}`,
			`Rename it before this node, to at most ${LONGEST_FILE_NAME} characters that can all be seen.`,
			{ fileName },
		);
	}
	const mimeType = MIME_TYPES[nameEnd(fileName) ?? ''];
	const isInstead = mimeType === undefined && INSTEAD_OF_FILE.test(named.mimeType.trim());
	const refuse = (why: string, hint: string) => {
		const title = `The file in '${field}', ${quoted(fileName)}, ${why}`;
		return isInstead || ownName(named.fileName) === ''
			? new UserError(title, hint)
			: new UnsendableFile(title, fileName, why, hint);
	};
	if (mimeType === undefined) {
		const convert = `${TAKES} Convert it; if only the ending (.pdf) is missing, rename it.`;
		throw refuse('is not of a type that CometChat takes', convert);
	}
	return { fileName, mimeType, fileSize };
}

/**
 * The name under which a file is sent: with an end that says its type, if its own says nothing. Of a file
 * that can't be sent, the name that it would have.
 */
export function sentName({ fileName, mimeType }: { fileName: string; mimeType: string }): string {
	const name = ownName(fileName);
	const end = endFor(mimeType);
	if (nameEnd(name) !== undefined || end === undefined) return name;
	// A dot at its end would stand there twice.
	return `${name.replace(/\.$/, '') || 'file'}.${end}`;
}

/**
 * A file under another name. It keeps the end that says its type; and what stands between slashes is kept, so that
 * files of one name from two folders are two, while no slash is left that could lead elsewhere.
 */
export function renamed<File extends { fileName: string; mimeType: string }>(
	file: File,
	wanted: string,
): File {
	const parts = wanted.split(/[/\\]/).map(composed);
	const name = parts.filter((part) => part !== '' && part !== '.').join(' - ');
	if (name === '') return file;
	const end = nameEnd(sentName(file));
	const hasEnd = end === undefined || name.toLowerCase().endsWith(`.${end}`);
	return { ...file, fileName: hasEnd ? name : `${name.replace(/\.$/, '')}.${end}` };
}

/** Without the folders that some nodes put before it. */
function ownName(fileName: string): string {
	return composed(fileName).replace(/^.*[/\\]/, '');
}

/**
 * What the end of a name says of the type, in lower case. Undefined where it says nothing: the digits
 * of `Report v1.2` and the words of `notes.september` are part of the name.
 */
function nameEnd(name: string): string | undefined {
	const end = /\.([a-z\d]{2,5})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
	return /[a-z]/.test(end) ? end : undefined;
}

function endFor(mimeType: string): string | undefined {
	// Without what may follow, such as '; charset=utf-8'.
	const [type = ''] = mimeType.toLowerCase().split(';');
	return Object.keys(MIME_TYPES).find((end) => MIME_TYPES[end] === type.trim());
}
