import { createHash } from 'node:crypto';
import type { INodeProperties } from 'n8n-workflow';

import { UserError } from '../text/failure';
import { quoted } from '../text/quoting';
import { findNothing, foundNothing, isNothing, whatIs } from '../text/text';
import type { InputItem } from './field';
import { isEmpty, needed, switchField, textField } from './field';
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
 * | any other text with [object Object] in it           | refused                |
 * | a web page, an error object, another file format    | refused                |
 * | more than 50 MB                                     | too large              |
 * | two HTML tags or more                               | a file, with a remark  |
 * | a number, any other text                            | a file                 |
 */

const displayOptions: INodeProperties['displayOptions'] = { show: { contentFrom: ['text'] } };

/** Not `name`, which older versions of n8n refuse for a field of a tool. */
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

/** Reads the text of an item. @throws UserError */
export function readTextFile(item: InputItem) {
	const typed = typedParameter(item.context, documentName.property.name);
	const name = documentName.read(item.value(documentName.property.name), item);
	const isComposed = hasExpression(typed) && plainPath(String(typed)) === undefined;
	// The title of a row may contain such a word, but in a composed name it is a missing value.
	if (isComposed && findNothing(name)) throw foundNothing("'Document Name'", name);
	const startsWithName = startWithName.read(item.value(startWithName.property.name));
	return toTextFile(name, item.value(text.name), startsWithName);
}

/**
 * Makes a file of a text.
 *
 * @throws UserError with `fileName`; without `fileName` if the name doesn't identify the document.
 */
export function toTextFile(name: string, value: unknown, startsWithName: boolean) {
	const { title, extension } = partsOf(name);
	const fileName = withExtension(cut(title.replace(/[/\\]/g, '-')), extension);
	if (!isIdentifying(fileName))
		throw new UserError(`'Document Name' is ${quoted(name)}, without letters or digits`, IDENTIFY);
	const body = bodyOf(value, fileName);
	const type = decideType({ fileName, mimeType: '' }, Buffer.from(body.slice(0, START_BYTES)));
	if ('why' in type) throw new UserError(`'Text' ${type.why}`, NO_TEXT, { fileName });
	if (body.includes('[object Object]'))
		throw new UserError("'Text' contains [object Object]", USE_FIELD, { fileName });
	const heading = `${extension === 'md' ? '# ' : ''}${title}\n\n`;
	const content = startsWithName && extension !== 'csv' ? heading + body : body;
	const { mimeType } = type;
	const fileSize = Buffer.byteLength(content);
	const kind = rejectionOf({ ownName: '', fileName, mimeType, fileSize });
	if (kind) throw rejected(kind, fileName, `'Text' has ${fileSize} bytes, more than 50 MB`);
	const sha256 = createHash('sha256').update(content).digest('base64url');
	const isHtml = (body.match(HTML_TAG) ?? []).length > 1;
	const remarks = isHtml ? [`The text contains HTML tags. ${TO_MARKDOWN}`] : [];
	return { fileName, mimeType, fileSize, content, sha256, remarks };
}

/** Returns the title and the extension of a document, from the entered name. */
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

/** The longest name without its extension, so that a name has at most 200 characters. */
const LONGEST_STEM = 196;

/** Cuts a name after a word, or within a word of more than 50 characters. */
function cut(stem: string): string {
	if (stem.length <= LONGEST_STEM) return stem;
	const words = stem.slice(0, LONGEST_STEM + 1).replace(/ [^ ]{0,50}$/, '');
	return words.slice(0, LONGEST_STEM).replace(/[\uD800-\uDBFF]$/, '');
}

function bodyOf(value: unknown, fileName: string): string {
	const found = typeof value === 'number' ? String(value) : value;
	if (isEmpty(found)) throw rejected('empty', fileName, "'Text' is empty");
	if (typeof found !== 'string')
		throw new UserError(`'Text' is ${whatIs(found)}`, USE_FIELD, { fileName });
	if (isNothing(found)) throw rejected('empty', fileName, foundNothing("'Text'", found).title);
	return found.replace(/^\uFEFF/, '');
}

function rejected(kind: Kind, name: string, title: string): NoAcceptedFile {
	const hint = kind === 'size' ? SPLIT : CHECK_TEXT;
	return new NoAcceptedFile([{ kind, field: text.name, name }]).with({ title, hint });
}

const HTML_TAG = /<(?:p|div|br|h[1-6]|ul|ol|li|table|tr|td|span)\b[^<>]*>/gi;

const IDENTIFY =
	'Enter a name that is the same for each version of the text, such as {{ $json.title }}.';

const CHECK_TEXT = 'Enter the text, or check the expression against the data of this item.';

const USE_FIELD =
	'Use one of the fields of the value, for example {{ $json.article.body }} instead of {{ $json.article }}.';

const SPLIT = 'Split the text into several documents, with a different name for each document.';

const TO_MARKDOWN = "Put n8n's Markdown node (HTML to Markdown) before this node";

const NO_TEXT = `Check the output of the previous node. ${TO_MARKDOWN}, or set 'Content From' to 'Input File'.`;
