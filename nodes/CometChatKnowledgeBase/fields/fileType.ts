/*
 * The type of a file, for which its extension, n8n's MIME type and its first bytes must agree.
 *
 * | Extension          | MIME type             | First bytes            | Result                                    |
 * | ------------------ | --------------------- | ---------------------- | ----------------------------------------- |
 * | other, or none     | other                 |                        | not accepted                              |
 * | other, or none     | an accepted type      | fit the MIME type      | type of the MIME type; extension added    |
 * | .txt, .csv, .md    | web page, JSON or XML |                        | refused                                   |
 * | an accepted type   | any other             | fit the extension      | type of the extension                     |
 * | an accepted type   | PDF or DOCX           | fit only the MIME type | type of the MIME type; extension added    |
 * | an accepted type   | any                   | any others             | refused                                   |
 *
 * | Type          | First bytes that fit                                                                        |
 * | ------------- | ------------------------------------------------------------------------------------------- |
 * | PDF           | `%PDF-` in the first KB of a file that doesn't start like a web page                        |
 * | DOCX          | `PK`                                                                                        |
 * | TXT, CSV, MD  | all except for another file format (`FORMATS`), a web page or an error object               |
 *
 * A web page or an error object may follow a BOM, white space, comments and an XML prolog.
 */

import { quoted } from '../text/quoting';

/** A file as n8n describes it. */
export interface NamedFile {
	fileName: string;
	mimeType: string;
}

/** The reason why a file is refused. */
export interface Contradiction {
	/** The end of a sentence about the file. */
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

/** The end of a sentence about a file. */
export const NOT_A_DOCUMENT = 'is not of a type that CometChat accepts';

export const ACCEPTS = 'CometChat accepts PDF, TXT, DOCX, CSV and MD files of up to 50 MB.';

export const CONVERT = `Convert the file, or add the missing extension to its name, such as .pdf. ${ACCEPTS}`;

/** Enough bytes for the comments before a web page. */
export const START_BYTES = 4096;

/** Whether CometChat accepts files of this type, as far as name and MIME type show. */
export function isAcceptedType({ fileName, mimeType }: NamedFile): boolean {
	return acceptedExtension(fileName) !== undefined || extensionFor(mimeType) !== undefined;
}

/**
 * The MIME types of responses that servers return instead of a file: a web page, JSON or XML. Other files have similar
 * MIME types, such as `image/svg+xml`.
 */
const DATA_TYPE =
	/^(?:text|application)\/(?:html|json|xml|(?:xhtml|soap|problem)\+xml|(?:problem|hal|vnd\.[\w.-]+)\+json)$/;

/** Whether n8n's MIME type means a web page, JSON or XML. */
export function isDataType(mimeType: string): boolean {
	return DATA_TYPE.test(essenceOf(mimeType));
}

/** Decides on the type of a file whose name or MIME type is accepted. @param start `START_BYTES`, or all bytes. */
export function decideType(
	{ fileName, mimeType }: NamedFile,
	start: Uint8Array,
): { extension: string; mimeType: string } | Contradiction {
	const named = acceptedExtension(fileName);
	const described = extensionFor(mimeType);
	// Any text fits a text type, so only the first bytes of a PDF or DOCX outweigh the MIME type.
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

/** Returns the extension of a name, in lower case. `Report v1.2` and `notes.september` have none. */
export function extensionOf(name: string): string | undefined {
	const extension = /\.([a-z\d]{2,5})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
	return /[a-z]/.test(extension) ? extension : undefined;
}

/** Returns the extension of a name, if CometChat accepts it. */
export function acceptedExtension(name: string): string | undefined {
	const extension = extensionOf(name);
	return extension !== undefined && MIME_TYPES.has(extension) ? extension : undefined;
}

/** Returns the extension for a MIME type, if CometChat accepts it. */
export function extensionFor(mimeType: string): string | undefined {
	const essence = essenceOf(mimeType);
	return [...MIME_TYPES.keys()].find((extension) => MIME_TYPES.get(extension) === essence);
}

/** Returns a MIME type without parameters, such as `charset=utf-8`. */
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

/** The first KB, if `%PDF-` begins at its last byte. */
const FIRST_KB = 1024 + 4;

/** The first bytes of other file formats. */
const FORMATS: Array<[signature: string, words: string]> = [
	['%PDF-', 'a PDF file'],
	['PK\x03\x04', 'a DOCX, XLSX or ZIP file'],
	['\xD0\xCF\x11\xE0', 'an old Office file, or is protected by a password'],
	['{\\rtf', 'an RTF file'],
	['\x89PNG', 'a picture'],
	['\xFF\xD8\xFF', 'a picture'],
];

/** The first tags of a web page. Markdown starts with other tags, such as `<p>` or `<img>`. */
const WEB_PAGE = /^<(?:!doctype\s+html|html|head|body|title|meta)[\s>/]/i;

const XML_ERROR = /^<(?:[\w-]+:)?(?:error\w*|exception\w*|fault\w*|envelope)[\s>/]/i;

/** The start of a JSON object, with which a text may begin, too. It is not the start of a Markdown link. */
const JSON_OBJECT = /^\[?\s*\{\s*"/;

/** Texts in the first lines of an error object. */
const JSON_ERROR = [
	/"(?:[\w.]*(?:error|exception)[\w.]*|fault\w*)"\s*:/i,
	/"(?:type|object)"\s*:\s*"error"/i,
	/"(?:ok|success)"\s*:\s*false\b/i,
	/"status(?:_?code)?"\s*:\s*"?[45]\d\d"?\s*[,}]/i,
	/"code"\s*:\s*"?\w+"?\s*,\s*"message"\s*:/i,
	/^\{\s*"(?:message|detail)"\s*:[^{}]*\}\s*$/i,
];

/** The start of an error object, which names the error. A longer text may contain the same keys later. */
const ERROR_CHARACTERS = 256;

/** Returns the actual type of a file with other first bytes than expected, if the type is known. */
function contradictionIn(expected: string, start: Uint8Array): Contradiction | undefined {
	const bytes = latin1(start.subarray(0, 8));
	const [, format] = FORMATS.find(([signature]) => bytes.startsWith(signature)) ?? [];
	if (format !== undefined) {
		const isOldOffice = expected === 'docx' && bytes.startsWith('\xD0');
		return { why: `is ${format}`, hint: isOldOffice ? SAVE_AS_DOCX : CORRECT_EXTENSION };
	}
	const text = readableStart(start);
	if (WEB_PAGE.test(text)) return { why: 'is a web page', hint: CHECK_DOWNLOAD };
	return isErrorObject(text)
		? { why: 'looks like an error message', hint: CHECK_DOWNLOAD }
		: undefined;
}

function isErrorObject(text: string): boolean {
	if (XML_ERROR.test(text)) return true;
	const begin = text.slice(0, ERROR_CHARACTERS);
	return JSON_OBJECT.test(text) && JSON_ERROR.some((pattern) => pattern.test(begin));
}

/** Returns the ASCII characters at the start of a text, after its BOM, white space, comments and XML prolog. */
function readableStart(start: Uint8Array): string {
	const text = new TextDecoder().decode(start);
	// UTF-16 has a zero byte for each ASCII character, and its BOM is no valid UTF-8.
	const ascii = text.replace(/\0/g, '').replace(/^\uFFFD+/, '');
	return ascii.replace(/^(?:\s|<!--[\s\S]*?-->|<\?[\s\S]*?\?>)+/, '');
}

/** Returns one character for each byte. */
function latin1(bytes: Uint8Array): string {
	return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}

const CHECK_DOWNLOAD =
	'Check the node that downloads the file: the server may have sent a sign-in page or an error message instead.';

const CORRECT_EXTENSION =
	'Correct the extension of the file name, or convert the file to PDF, TXT, DOCX, CSV or MD.';

const SAVE_AS_DOCX =
	'Open the file in Word, remove any password, and save the file as .docx. Renaming the file does not convert it.';

function unlikely(mimeType: string, extension: string): Contradiction {
	const hint = `${CHECK_DOWNLOAD} If the content is right, set the MIME type ${MIME_TYPES.get(extension)} in that node.`;
	return { why: `has the MIME type ${quoted(essenceOf(mimeType))}`, hint };
}

function damaged(extension: string): Contradiction {
	const hint = `Open the original file: the file may be damaged, or have the wrong extension. ${CHECK_DOWNLOAD}`;
	return { why: `is not a ${extension.toUpperCase()} file`, hint };
}
