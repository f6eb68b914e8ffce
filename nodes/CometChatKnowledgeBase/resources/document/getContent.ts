import type { INodeProperties } from 'n8n-workflow';

import type { ItemRun, Performer, Reader, Ready } from '../../execution/items';
import { itemByItem } from '../../execution/items';
import type { Operation, RunContext } from '../../execution/operation';
import { NOTHING_CHANGED, ItemContext } from '../../execution/itemContext';
import { Inventory } from '../../ingestion/inventory';
import { lookFor, underItsType } from '../../ingestion/lookUp';
import { documentField } from '../../input/fields';
import { readDocumentId } from '../../input/identifiers';
import { numberOption } from '../../input/options';
import { adviceFor } from '../../results/advice';
import { isItemFailure } from '../../results/apiError';
import type { ItemResult } from '../../results/itemResult';
import { sentences } from '../../results/itemResult';
import type { KnowledgeBaseRecord } from '../../service/records';
import type { SourcePages } from '../../service/sourcePages';
import { sourcePages } from '../../service/sourcePages';
import { isReady } from '../../service/statuses';
import { quoted } from '../../values/quoting';
import { readChoice } from '../../values/switches';

interface ContentTask {
	uniqueId: string;
	/** Whether each page is an item of its own. */
	byPage: boolean;
}

/** Ours: about 5,000 tokens, which any language model takes. Whoever does not set it gets all. */
const maxCharactersOption = {
	...numberOption({
		displayName: 'Max Characters',
		name: 'maxCharacters',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 10_000_000 },
		default: 20_000,
		description:
			'Set it for an AI agent, or where a long text is too much. How many characters of a document the output has at most; it says so if there are more. Without it, all of them.',
	}),
	ifNotSet: Infinity,
};

const outputField: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{ name: 'One Item', value: 'document', description: 'The whole text in one item' },
		{ name: 'One Item per Page', value: 'page', description: 'Each page with its number' },
	],
	default: 'document',
	description: 'Pick One Item per Page for long documents, or to see what is on which page',
};

export const getContent: Operation = {
	value: 'getContent',
	name: 'Get Content',
	action: 'Get the text of a file, text or website',
	description:
		'Read the text that CometChat has extracted from a file, text or website: what agents answer from',
	fields: [documentField, outputField],
	options: [maxCharactersOption],
	output: [
		...(['name', 'status', 'uniqueId', 'sourceType', 'reason', 'text', 'characters'] as const),
		...(['page', 'pages', 'isCut'] as const),
	],
	run: itemByItem(contentReader, contentOfItem),
};

/** Reads `documentField` and `outputField`. */
function contentReader(run: RunContext): Reader<ContentTask> {
	const documentOf = run.parameter('document');
	const outputOf = run.parameter('output');
	return (index) => {
		const uniqueId = readDocumentId(documentOf(index));
		const output = readChoice(outputOf(index), 'Output', ['document', 'page']);
		const task = { uniqueId, byPage: output === 'page' };
		return { kind: 'ready', task, requested: { uniqueId } };
	};
}

/** The text that CometChat has of one document for each item. */
function contentOfItem(run: ItemRun): Performer<ContentTask> {
	const inventory = new Inventory(run);
	return { perform: async (item) => await readContent(item, run, inventory) };
}

async function readContent(
	{ task: { uniqueId, byPage }, requested }: Ready<ContentTask>,
	run: RunContext,
	inventory: Inventory,
): Promise<ItemResult> {
	const steps = new ItemContext(run);
	const maxCharacters = run.option(maxCharactersOption);
	await lookFor(new ItemContext(run), inventory, [uniqueId]);
	const isEnough = (pages: SourcePages['pages']) =>
		pages.reduce((sum, { text }) => sum + text.length, 0) > maxCharacters;
	const { answer: content, sourceType } = await underItsType(
		inventory,
		uniqueId,
		async (type) => await sourcePages(steps, type, uniqueId, isEnough),
	);
	if (isItemFailure(content)) return steps.failed(content, requested, NOTHING_CHANGED);
	const record = inventory.record(uniqueId);
	const name = record?.sourceName ?? content.fileName ?? uniqueId;
	const isScant = hasNextToNoText(name, { record, sourceType }, content);
	const scant = sourceType === 'website' ? SCANT_SITE : SCANT;
	if (isScant) steps.warn(`There is next to no text in ${quoted(name)}: ${scant}`);
	const remarks = sentences(
		adviceFor(record?.status ?? '', sourceType) ?? false,
		isScant && `There is next to no text in it: ${scant}.`,
	);
	return steps.done(
		piecesOf(content, byPage, maxCharacters).map(({ reason, ...piece }) => {
			const why = sentences(reason ?? '', remarks);
			return {
				name,
				status: record?.status,
				uniqueId,
				sourceType: sourceType,
				...(why === '' ? {} : { reason: why }),
				...piece,
				pages: countOf(content),
			};
		}),
	);
}

/** What is known of the document. */
interface Source {
	sourceType: string;
	/** Undefined if the list does not have it. */
	record?: KnowledgeBaseRecord;
}

function textOf(pages: SourcePages['pages']): string {
	return pages.map(({ text }) => text).join('\n\n');
}

/** How many pages there are: no fewer than have come. */
function countOf({ total = 0, pages }: SourcePages): number {
	return Math.max(total, pages.length);
}

/** A part of the text, as an item shows it. */
interface Piece {
	/** Its number. Left out: it is all of them. */
	page?: number;
	text: string;
	characters: number;
	/** Whether there is more than Max Characters allows. */
	isCut?: true;
	/** Why there is more than this. */
	reason?: string;
}

/** The text, or page by page, as far as Max Characters goes; never none, so that there is an item. */
function piecesOf(content: SourcePages, byPage: boolean, maxCharacters: number): Piece[] {
	const { pages } = content;
	const all =
		byPage && pages.length > 0
			? pages.map(({ number: page, text }) => ({ page, text }))
			: [{ text: textOf(pages) }];
	const pieces: Piece[] = [];
	let left = maxCharacters;
	for (const { text, ...piece } of all) {
		if (left <= 0) break;
		// Never half a character at its end.
		const start = text.slice(0, left).replace(/[\uD800-\uDBFF]$/, '');
		const shown = text.length > left ? start : text;
		pieces.push({ ...piece, text: shown, characters: shown.length });
		left -= text.length;
	}
	const last = pieces.at(-1);
	const isCut = left < 0 || pieces.length < all.length;
	const lacks = countOf(content) > pages.length;
	const few = `CometChat gave ${pages.length} of its ${countOf(content)} pages.`;
	if (last && isCut) last.isCut = true;
	if (last && (isCut || lacks)) last.reason = isCut ? CUT_HERE : few;
	return pieces;
}

const CUT_HERE = "There is more: 'Max Characters' under Options ends it here.";

/** Of a file with pages, such as a PDF: fewer are no text of it, but what a scanner has written beside it. */
const LEAST_ON_A_PAGE = 10;

const SCANT =
	'no agent can answer from pictures. If it is a scan, upload it once more with its text recognised (OCR)';

const SCANT_SITE = 'CometChat may not have read its pages. Website: Get Status says how far it is';

/** Whether an agent has next to nothing to answer from, although all is read and nothing else explains it. */
function hasNextToNoText(
	name: string,
	{ record, sourceType }: Source,
	content: SourcePages,
): boolean {
	if (!content.isWhole || (record?.status !== undefined && !isReady(record.status))) return false;
	const isPlain = sourceType !== 'uploads' || /\.(?:txt|md|csv)$/i.test(name);
	const least = isPlain ? 1 : LEAST_ON_A_PAGE * Math.max(1, content.pages.length);
	return textOf(content.pages).replace(/\s/g, '').length < least;
}
