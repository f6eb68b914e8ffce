/*
 * What a file is. Its extension, n8n's MIME type and its first bytes must agree.
 *
 * | Extension          | MIME type             | First bytes            | Result                                    |
 * | ------------------ | --------------------- | ---------------------- | ----------------------------------------- |
 * | other, or none     | other                 |                        | not accepted                              |
 * | other, or none     | one of the five       | fit the MIME type      | what the MIME type says; extension added  |
 * | .txt, .csv, .md    | web page, JSON or XML |                        | refused                                   |
 * | one of the five    | any other             | fit the extension      | what the extension says                   |
 * | one of the five    | PDF or DOCX           | fit only the MIME type | what the MIME type says; extension added  |
 * | one of the five    | any                   | anything else          | refused                                   |
 *
 * | Type          | First bytes that fit                                                                        |
 * | ------------- | ------------------------------------------------------------------------------------------- |
 * | PDF           | `%PDF-` in the first KB of a file that doesn't start like a web page                        |
 * | DOCX          | `PK`                                                                                        |
 * | TXT, CSV, MD  | all but another file format (`FORMATS`), a web page or an error object                      |
 *
 * A web page or an error object may follow a BOM, white space, comments and an XML prolog.
 */

import { quoted } from '../text/quoting';

/** A file as n8n describes it. */
export interface NamedFile {
	fileName: string;
	mimeType: string;
}

/** Why a file is refused. */
export interface Contradiction {
	/** Continues a sentence about the file. */
	why: string;
	hint: string;
}

/**
 * The types that CometChat accepts, by extension
 * (https://www.cometchat.com/docs/rest-api/ai-agents-apis/properties-and-constraints).
 */
const MIME_TYPES: ReadonlyMap<string, string> = new Map([
	['csv', 'text/csv'],
	['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
	['md', 'text/markdown'],
	['pdf', 'application/pdf'],
	['txt', 'text/plain'],
]);

/** Enough for the comments before a web page. */
export const START_BYTES = 4096;

/** Whether CometChat accepts files of this type. Without its content, nothing more is known. */
export function isAcceptedType({ fileName, mimeType }: NamedFile): boolean {
	return acceptedExtension(fileName) !== undefined || extensionFor(mimeType) !== undefined;
}

/**
 * The MIME types with which servers answer a download instead of a file: a web page, JSON or XML. Files of other types
 * have such MIME types as well, such as `image/svg+xml`.
 */
const DATA_TYPE =
	/^(?:text|application)\/(?:html|json|xml|(?:xhtml|soap|problem)\+xml|(?:problem|hal|vnd\.[\w.-]+)\+json)$/;

/** Whether n8n's MIME type is that of a web page, JSON or XML. */
export function isDataType(mimeType: string): boolean {
	return DATA_TYPE.test(essenceOf(mimeType));
}

/**
 * Decides on the type of a file whose name or MIME type is accepted.
 *
 * @param start Its first bytes: `START_BYTES`, or all of them.
 * @returns The type, or why the file is refused.
 */
export function decideType(
	{ fileName, mimeType }: NamedFile,
	start: Uint8Array,
): { extension: string; mimeType: string } | Contradiction {
	const named = acceptedExtension(fileName);
	const described = extensionFor(mimeType);
	// Any text fits a text type, so that only the bytes of a PDF or DOCX outweigh what is said otherwise.
	const isUnlikely = named !== undefined && !hasSignature(named) && isDataType(mimeType);
	const byName = isUnlikely ? undefined : named;
	const byMimeType = named === undefined || hasSignature(described) ? described : undefined;
	for (const extension of [byName, byMimeType]) {
		const type = MIME_TYPES.get(extension ?? '');
		if (extension === undefined || type === undefined) continue;
		if (isFitting(extension, start)) return { extension, mimeType: type };
	}
	const expected = named ?? described ?? '';
	const found = contradictionIn(expected, start);
	if (found) return found;
	return isUnlikely ? unlikely(mimeType, expected) : damaged(expected);
}

/** The extension of a name, in lower case. The digits of `Report v1.2` and the word of `notes.september` are none. */
export function extensionOf(name: string): string | undefined {
	const extension = /\.([a-z\d]{2,5})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
	return /[a-z]/.test(extension) ? extension : undefined;
}

/** The extension of a name if it is one of the five. */
export function acceptedExtension(name: string): string | undefined {
	const extension = extensionOf(name);
	return extension !== undefined && MIME_TYPES.has(extension) ? extension : undefined;
}

/** The extension for a MIME type if it is one of the five. */
export function extensionFor(mimeType: string): string | undefined {
	const essence = essenceOf(mimeType);
	return [...MIME_TYPES.keys()].find((extension) => MIME_TYPES.get(extension) === essence);
}

/** Without parameters, such as `charset=utf-8`. */
function essenceOf(mimeType: string): string {
	const [essence = ''] = mimeType.toLowerCase().split(';');
	return essence.trim();
}

function hasSignature(extension: string | undefined): boolean {
	return extension === 'pdf' || extension === 'docx';
}

function isFitting(extension: string, start: Uint8Array): boolean {
	const bytes = latin1(start.subarray(0, FIRST_KB));
	if (extension === 'docx') return bytes.startsWith('PK');
	if (extension === 'pdf') return bytes.includes('%PDF-') && !WEB_PAGE.test(readableStart(start));
	return contradictionIn(extension, start) === undefined;
}

/** `%PDF-` may begin at its last byte. */
const FIRST_KB = 1024 + 4;

/** What other file formats begin with. */
const FORMATS: Array<[signature: string, words: string]> = [
	['%PDF-', 'a PDF file'],
	['PK\x03\x04', 'a DOCX, XLSX or ZIP file'],
	['\xD0\xCF\x11\xE0', 'an old Office file, or is protected by a password'],
	['{\\rtf', 'an RTF file'],
	['\x89PNG', 'a picture'],
	['\xFF\xD8\xFF', 'a picture'],
];

/** Markdown starts with other tags, such as `<p>` or `<img>`. */
const WEB_PAGE = /^<(?:!doctype\s+html|html|head|body|title|meta)[\s>/]/i;

const XML_ERROR = /^<(?:[\w-]+:)?(?:error\w*|exception\w*|fault\w*|envelope)[\s>/]/i;

/** A text may begin with JSON, or with a link of Markdown. */
const JSON_OBJECT = /^\[?\s*\{\s*"/;

/** What services write into the first lines of an error, whatever else the object contains. */
const JSON_ERROR = [
	/"(?:[\w.]*(?:error|exception)[\w.]*|fault\w*)"\s*:/i,
	/"(?:type|object)"\s*:\s*"error"/i,
	/"(?:ok|success)"\s*:\s*false\b/i,
	/"status(?:_?code)?"\s*:\s*"?[45]\d\d"?\s*[,}]/i,
	/"code"\s*:\s*"?\w+"?\s*,\s*"message"\s*:/i,
	/^\{\s*"(?:message|detail)"\s*:[^{}]*\}\s*$/i,
];

/** An error object says early that it is one; a longer text may contain such keys as well. */
const ERROR_CHARACTERS = 256;

/** What the bytes are instead of the expected type, where that is known. */
function contradictionIn(expected: string, start: Uint8Array): Contradiction | undefined {
	const bytes = latin1(start.subarray(0, 8));
	const [, format] = FORMATS.find(([signature]) => bytes.startsWith(signature)) ?? [];
	if (format !== undefined) {
		const isOldOffice = expected === 'docx' && bytes.startsWith('\xD0');
		return { why: `is ${format}`, hint: isOldOffice ? SAVE_AS_DOCX : CORRECT_EXTENSION };
	}
	const text = readableStart(start);
	if (WEB_PAGE.test(text)) return { why: 'is a web page', hint: CHECK_DOWNLOAD };
	return isErrorObject(text) ? { why: 'is an error message', hint: CHECK_DOWNLOAD } : undefined;
}

function isErrorObject(text: string): boolean {
	if (XML_ERROR.test(text)) return true;
	const begin = text.slice(0, ERROR_CHARACTERS);
	return JSON_OBJECT.test(text) && JSON_ERROR.some((pattern) => pattern.test(begin));
}

/** The start of a text in any encoding, as far as it is ASCII, after its BOM, white space, comments and XML prolog. */
function readableStart(start: Uint8Array): string {
	const text = new TextDecoder().decode(start);
	// UTF-16 has a zero beside each ASCII character, and a BOM that is no UTF-8.
	const ascii = text.replace(/\0/g, '').replace(/^\uFFFD+/, '');
	return ascii.replace(/^(?:\s|<!--[\s\S]*?-->|<\?[\s\S]*?\?>)+/, '');
}

/** A character for each byte. */
function latin1(bytes: Uint8Array): string {
	return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}

const CHECK_DOWNLOAD =
	'Check the node that downloads the file: the server may have sent a sign-in page or an error message instead.';

const CORRECT_EXTENSION =
	'Correct the extension of the file name, or convert the file to a type that CometChat accepts: PDF, TXT, DOCX, CSV or MD.';

const SAVE_AS_DOCX =
	'Open the file in Word, remove any password, and save the file as .docx. A new extension alone does not convert the file.';

function unlikely(mimeType: string, extension: string): Contradiction {
	const hint = `${CHECK_DOWNLOAD} If the content is right, set the MIME type ${MIME_TYPES.get(extension)} in that node.`;
	return { why: `has the MIME type ${quoted(essenceOf(mimeType))}`, hint };
}

function damaged(extension: string): Contradiction {
	const hint = `Open the original file: the file may be damaged, or have the wrong extension. ${CHECK_DOWNLOAD}`;
	return { why: `is not a ${extension.toUpperCase()} file`, hint };
}
