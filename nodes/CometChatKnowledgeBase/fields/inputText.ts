import { createHash } from 'node:crypto';
import type { INodeProperties } from 'n8n-workflow';

import { UserError } from '../text/failure';
import { quoted } from '../text/quoting';
import { findNothing, foundNothing, isNothing, whatIs } from '../text/text';
import type { InputItem } from './field';
import { isEmpty, needed, readSwitch, switchField, textField } from './field';
import type { FileInfo } from './fileInfo';
import { isIdentifying, withExtension } from './fileInfo';
import { acceptedExtension, decideType, START_BYTES } from './fileType';
import type { Kind } from './neverAccepted';
import { NoAcceptedFile, rejectionOf } from './neverAccepted';
import { hasExpression, typedParameter } from './parameters';
import { plainPath } from './plainPath';

/*
 * The file that a text becomes.
 *
 * | Document Name                                       | File name              |
 * | --------------------------------------------------- | ---------------------- |
 * | line breaks, tabs and several spaces                | become one space       |
 * | invisible characters, except U+200C and U+200D      | are left out           |
 * | / and \                                             | become -               |
 * | ends with .txt, .md or .csv                         | keeps the extension    |
 * | any other end                                       | .txt is added          |
 * | more than 200 characters                            | is cut after a word    |
 *
 * | Text                                                | Result                 |
 * | --------------------------------------------------- | ---------------------- |
 * | white space, nothing, or the words for nothing      | empty                  |
 * | a list, an object, true                             | refused                |
 * | [object Object] within the value of an expression   | refused                |
 * | a web page, an error object, another file format    | refused                |
 * | more than 50 MB                                     | too large              |
 * | two HTML tags or more                               | a file, with a remark  |
 * | a number, any other text                            | a file                 |
 */

/** A text as a file. */
export interface TextFile extends FileInfo {
	content: string;
	/** The SHA-256 of the content (base64url). */
	sha256: string;
	/** Notes on the text, each a clause. */
	remarks: string[];
}

const displayOptions: INodeProperties['displayOptions'] = { show: { contentFrom: ['text'] } };

/** Older versions of n8n refuse the name `name` for a field of a tool. */
const documentName = needed(
	textField({
		displayName: 'Document Name',
		name: 'documentName',
		type: 'string',
		displayOptions,
		default: '',
		placeholder: 'e.g. {{ $json.title }}',
		description:
			'The name of the document, such as the title of an article or the question of a table row. A new version of the text needs the same name. The extension .txt is added, unless the name ends with .txt, .md or .csv.',
	}),
);

const text: INodeProperties = {
	displayName: 'Text',
	name: 'text',
	type: 'string',
	typeOptions: { rows: 6 },
	displayOptions,
	required: true,
	default: '',
	placeholder: 'e.g. {{ $json.answer }}',
	description:
		'The content of the document, up to 50 MB. For HTML, put the Markdown node (HTML to Markdown) before this node.',
};

const startWithName = switchField({
	displayName: 'Start With Name',
	name: 'startWithName',
	type: 'boolean',
	displayOptions,
	default: true,
	description:
		'Whether the document begins with its name as a heading, so that agents find the name, too. A CSV document gets no heading.',
});

export const textFields: INodeProperties[] = [documentName.property, text, startWithName.property];

const NAME = `'${documentName.property.displayName}'`;

const TEXT = `'${text.displayName}'`;

/** Reads the text of an item. @throws UserError */
export function readTextFile(item: InputItem): TextFile {
	const { property } = startWithName;
	const typed = (name: string) => typedParameter(item.context, name);
	const name = documentName.read(item.value(documentName.property.name), item);
	// The title of a row may contain such a word. A name that is put together from fields misses one of them.
	const isFieldMissing =
		findNothing(name) !== undefined && isComposed(typed(documentName.property.name));
	if (isFieldMissing) throw foundNothing(NAME, name);
	return toTextFile(name, item.value(text.name), {
		startsWithName: readSwitch(item.value(property.name), property.displayName, true),
		isExpression: hasExpression(typed(text.name)),
	});
}

/** Whether a parameter is more than the path of a field. */
function isComposed(typed: unknown): boolean {
	return typeof typed === 'string' && hasExpression(typed) && plainPath(typed) === undefined;
}

/**
 * Makes a file of a text.
 *
 * @throws UserError with `fileName`; without `fileName` if the name doesn't identify the document.
 */
export function toTextFile(
	name: string,
	value: unknown,
	{ startsWithName, isExpression }: { startsWithName: boolean; isExpression: boolean },
): TextFile {
	const { title, extension } = partsOf(name);
	const fileName = withExtension(cut(title.replace(/[/\\]/g, '-')), extension);
	if (!isIdentifying(fileName)) throw new UserError(`${NAME} is ${quoted(name)}`, IDENTIFY);
	const body = bodyOf(value, fileName);
	if (isExpression && body.includes(OBJECT))
		throw new UserError(`${TEXT} contains ${OBJECT}`, USE_FIELD, { fileName });
	const mimeType = mimeTypeOf(body, fileName);
	const heading = `${extension === 'md' ? '# ' : ''}${title}\n\n`;
	const content = startsWithName && extension !== 'csv' ? heading + body : body;
	const fileSize = Buffer.byteLength(content);
	const kind = rejectionOf({ ownName: '', fileName, mimeType, fileSize });
	if (kind !== undefined)
		throw rejected(kind, fileName, `${TEXT} has ${fileSize} bytes, more than 50 MB`, SPLIT);
	const sha256 = createHash('sha256').update(content).digest('base64url');
	const remarks = isHtml(body) ? [`${quoted(fileName)} contains HTML tags. ${TO_MARKDOWN}`] : [];
	return { fileName, mimeType, fileSize, content, sha256, remarks };
}

/** The title and the extension of a document, from its name as it was entered. */
function partsOf(name: string): { title: string; extension: string } {
	const title = name
		.normalize('NFC')
		.replace(/(?![\u200C\u200D])[\p{Cf}\p{Cs}]/gu, '')
		.replace(/[\s\p{Cc}]+/gu, ' ')
		.trim();
	const extension = acceptedExtension(title);
	const isKept = extension !== undefined && ['txt', 'md', 'csv'].includes(extension);
	if (!isKept) return { title, extension: 'txt' };
	return { title: title.slice(0, -extension.length - 1).trim(), extension };
}

/** With the longest extension, a name has at most 200 characters. */
const LONGEST_STEM = 196;

/** Cuts a name after a word, or within a word of more than 50 characters. */
function cut(stem: string): string {
	if (stem.length <= LONGEST_STEM) return stem;
	const words = stem.slice(0, LONGEST_STEM + 1).replace(/ [^ ]{0,50}$/, '');
	return words.slice(0, LONGEST_STEM).replace(/[\uD800-\uDBFF]$/, '');
}

function bodyOf(value: unknown, fileName: string): string {
	const found = typeof value === 'number' ? String(value) : value;
	if (isEmpty(found)) throw rejected('empty', fileName, `${TEXT} is empty`, CHECK_TEXT);
	if (typeof found !== 'string')
		throw new UserError(`${TEXT} is ${whatIs(found)}`, USE_FIELD, { fileName });
	const { title, hint } = foundNothing(TEXT, found);
	if (isNothing(found)) throw rejected('empty', fileName, title, hint);
	return found.replace(/^\uFEFF/, '');
}

function rejected(kind: Kind, name: string, title: string, hint: string): NoAcceptedFile {
	return new NoAcceptedFile([{ kind, field: text.name, name }]).with({ title, hint });
}

/** @throws UserError if the text is no text for agents. */
function mimeTypeOf(body: string, fileName: string): string {
	const start = Buffer.from(body.slice(0, START_BYTES));
	const type = decideType({ fileName, mimeType: '' }, start);
	if (!('why' in type)) return type.mimeType;
	throw new UserError(`${TEXT} ${type.why}`, NOT_A_TEXT, { fileName });
}

const HTML_TAG = /<(?:p|div|br|h[1-6]|ul|ol|li|table|tr|td|span)\b[^<>]*>/gi;

function isHtml(body: string): boolean {
	return (body.match(HTML_TAG) ?? []).length > 1;
}

const OBJECT = '[object Object]';

const IDENTIFY =
	'Enter a name with letters or digits that is the same for each version of the text, such as {{ $json.title }}.';

const CHECK_TEXT = 'Enter the text, or check the expression against the data of this item.';

const USE_FIELD =
	'Use one of the fields of the value, for example {{ $json.article.body }} instead of {{ $json.article }}.';

const SPLIT = 'Split the text into several documents, with a different name for each document.';

const TO_MARKDOWN = "Put n8n's Markdown node before this node (HTML to Markdown)";

const NOT_A_TEXT = `Check the output of the previous node. ${TO_MARKDOWN}, or set 'Content From' to 'Input File'.`;
