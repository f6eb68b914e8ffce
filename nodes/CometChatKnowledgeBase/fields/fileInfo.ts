import { UserError } from '../text/failure';
import { invisibleCharacter, quoted } from '../text/quoting';
import type { NamedFile } from './fileType';
import {
	acceptedExtension,
	CONVERT,
	decideType,
	extensionFor,
	extensionOf,
	isAcceptedType,
	NOT_A_DOCUMENT,
	START_BYTES,
} from './fileType';

/** The facts about a file or text that CometChat needs before the bytes. */
export interface FileInfo {
	fileName: string;
	mimeType: string;
	/** In bytes. */
	fileSize: number;
}

/** Our choice: the maximum of common file systems. */
const LONGEST_FILE_NAME = 255;

/**
 * Decides on the type of a file, and checks the file before any request.
 *
 * @throws UserError with `fileName` if the content is wrong, for example after a failed download; without `fileName` if
 *   the name doesn't identify the file.
 */
export function checkFile(field: string, file: FileInfo, start: Uint8Array): FileInfo {
	const { mimeType, fileSize } = file;
	const fileName = checkedName(field, file);
	const title = (why: string) => `The file in '${field}', ${quoted(fileName)}, ${why}`;
	// This error has no `fileName`, because a web page instead of the file has another name.
	if (!isAcceptedType({ fileName, mimeType })) throw new UserError(title(NOT_A_DOCUMENT), CONVERT);
	if (!isIdentifying(fileName)) throw unidentified(field, file.fileName);
	const hasStart = start.length >= Math.min(fileSize, START_BYTES);
	if (!hasStart) throw cutOff({ fileName, fileSize }, start.length);
	const type = decideType({ fileName, mimeType }, start);
	if ('why' in type) throw new UserError(title(type.why), type.hint, { fileName });
	const { extension } = type;
	return { fileName: withExtension(fileName, extension), mimeType: type.mimeType, fileSize };
}

function checkedName(field: string, file: NamedFile): string {
	const fileName = sentName(file);
	if (invisibleCharacter(fileName) === undefined && fileName.length <= LONGEST_FILE_NAME) {
		return fileName;
	}
	throw new UserError(
		`The file in '${field}' has a name that is too long, or that contains invisible characters: ${quoted(fileName)}`,
		`Rename the file in a previous node. Use up to ${LONGEST_FILE_NAME} characters, and no invisible characters.`,
		{ fileName },
	);
}

/** The failure of an incomplete file in n8n, which is no network failure. @param bytes The number that n8n has. */
export function cutOff(
	{ fileName, fileSize }: Omit<FileInfo, 'mimeType'>,
	bytes: number,
): UserError {
	return new UserError(
		`n8n has only a part of ${quoted(fileName)} (${bytes} of ${fileSize} bytes)`,
		'Run the workflow from the start, so that n8n gets the whole file. If this keeps happening, check the disk space of n8n.',
		{ fileName },
	);
}

/** Whether a name identifies a file. A name without letters and digits may come from an empty value. */
export function isIdentifying(fileName: string): boolean {
	const extension = acceptedExtension(fileName);
	const stem = extension === undefined ? fileName : fileName.slice(0, -extension.length - 1);
	return /[\p{L}\p{N}]/u.test(stem);
}

/** The failure without `fileName`, because other files may have the same name. */
function unidentified(field: string, name: string): UserError {
	const what = name.trim() === '' ? 'no name' : `a name without letters or digits: ${quoted(name)}`;
	return new UserError(
		`The file in '${field}' has ${what}`,
		"Enter a name in 'Name in CometChat' under Options that is the same for each version, such as {{ $json.name }}.pdf. Check that the expression finds a value.",
	);
}

/**
 * Returns the name for CometChat. The extension of the MIME type is added, unless the name has the extension of an
 * accepted type. For other files, it is the name that they would have.
 */
export function sentName({ fileName, mimeType }: NamedFile): string {
	const name = joinFolders(fileName);
	const extension = extensionFor(mimeType);
	if (extension === undefined || acceptedExtension(name) !== undefined) return name;
	return withExtension(name, extension);
}

/** Renames a file, unless the new name is empty. Its extension is added if the new name has none. */
export function renamed<File extends NamedFile>(file: File, wanted: string): File {
	if (wanted.trim() === '') return file;
	const name = joinFolders(wanted);
	const extension = extensionOf(sentName(file));
	return { ...file, fileName: extension === undefined ? name : withExtension(name, extension) };
}

/** Returns a name with an extension, which is added if it is missing. */
export function withExtension(name: string, extension: string): string {
	if (name.toLowerCase().endsWith(`.${extension}`)) return name;
	// Without a dot at the end, which would appear twice.
	return `${name.replace(/\.$/, '')}.${extension}`;
}

/** Returns a path as a name with its folders, so that `11/2025.pdf` and `12/2025.pdf` are two files. */
function joinFolders(path: string): string {
	const parts = path
		.normalize('NFC')
		.split(/[/\\]/)
		.map((part) => part.trim());
	return parts.filter((part) => !['', '.', '..'].includes(part)).join(' - ');
}
