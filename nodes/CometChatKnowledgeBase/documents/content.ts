import type { INodeProperties } from 'n8n-workflow';

import type { Reader, Ready } from '../execution/items';
import { itemByItem } from '../execution/items';
import type { Operation, RunContext } from '../execution/operation';
import { NOTHING_CHANGED, Steps } from '../execution/steps';
import { RecordList } from '../ingestion/records';
import { numberOption } from '../input/options';
import { adviceFor } from '../results/advice';
import type { ItemFailure } from '../results/itemFailure';
import { explainedBy, isItemFailure, RequestFailure, StepFailure } from '../results/itemFailure';
import type { ItemResult } from '../results/itemResult';
import { sentences } from '../results/itemResult';
import type { Explanation } from '../results/messages';
import type { KnowledgeBaseRecord } from '../service/records';
import type { SourcePages } from '../service/sourcePages';
import { sourcePages } from '../service/sourcePages';
import { isReady } from '../service/statuses';
import { quoted } from '../values/quoting';
import type { Shown, ShownText } from '../values/shown';
import { given, worded } from '../values/shown';
import { sourceTypeOf } from '../values/sourceTypes';
import { readChoice } from '../values/switches';
import { ValidationIssue } from '../values/validationIssue';

interface ContentTask {
	uniqueId: Shown;
	/** Whether each page is an item of its own. */
	byPage: boolean;
}

/** How a document is picked of which the text is wanted. */
interface Picked {
	/** The name of the field. */
	field: string;
	readId(value: unknown): Shown | ValidationIssue;
	/** What it is; 'listed' if the account's list is to tell. */
	sourceTypeIn(run: RunContext): string;
	/** The words for an answer that is about the document alone. Left out: as they are. */
	words?(explanation: Explanation): Explanation | undefined;
}

/** Ours: about 5,000 tokens, which any language model takes. Whoever does not set it gets all. */
export const maxCharactersOption = {
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

export const outputField: INodeProperties = {
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

/** The text that CometChat has of one document for each item. */
export function contentOf(picked: Picked): Operation['run'] {
	return itemByItem(
		(run) => contentReader(run, picked),
		(run) => {
			const list = new RecordList(run);
			return { perform: async (item) => await readContent(item, run, list, picked) };
		},
	);
}

function contentReader(run: RunContext, { field, readId }: Picked): Reader<ContentTask> {
	const documentOf = run.parameter(field);
	const outputOf = run.parameter('output');
	return (index) => {
		const uniqueId = readId(documentOf(index));
		if (uniqueId instanceof ValidationIssue) return uniqueId;
		const output = readChoice(outputOf(index), 'Output', ['document', 'page']);
		if (output instanceof ValidationIssue) return output;
		return {
			kind: 'ready',
			task: { uniqueId, byPage: output === 'page' },
			requested: { uniqueId },
		};
	};
}

async function readContent(
	{ task: { uniqueId, byPage }, requested }: Ready<ContentTask>,
	run: RunContext,
	list: RecordList,
	{ sourceTypeIn, words = () => undefined }: Picked,
): Promise<ItemResult> {
	const steps = new Steps(run);
	const source = await sourceOf(steps, uniqueId, sourceTypeIn(run), list);
	if (isItemFailure(source)) return steps.failed(source, requested, NOTHING_CHANGED);
	const maxCharacters = run.option(maxCharactersOption);
	const content = await sourcePages(steps, source.sourceType, uniqueId, (pages) => {
		return pages.reduce((sum, { text }) => sum + text.length, 0) > maxCharacters;
	});
	if (content instanceof RequestFailure) {
		return steps.failed(explainedBy(words, content), requested, NOTHING_CHANGED);
	}
	const { record, sourceType } = source;
	const name = record?.sourceName ?? content.fileName ?? uniqueId;
	const isScant = hasNextToNoText(name, source, content);
	const scant = sourceType === 'website' ? SCANT_SITE : SCANT;
	if (isScant) steps.warn(worded`There is next to no text in ${quoted(name)}: ${scant}`);
	const remarks = sentences(
		adviceFor(record?.status ?? '', sourceType) ?? false,
		isScant && worded`There is next to no text in it: ${scant}.`,
	);
	return steps.done(
		piecesOf(content, byPage, maxCharacters).map(({ reason, ...piece }) => {
			const why = sentences(reason ?? '', remarks);
			return {
				name,
				...(record?.status === undefined ? {} : { status: record.status }),
				...piece,
				pages: countOf(content),
				...(why === '' ? {} : { reason: why }),
				sourceType: given(sourceType),
				uniqueId,
			};
		}),
	);
}

/** What is known of the document. */
interface Source {
	sourceType: string;
	/** Undefined if the list was not looked at. */
	record?: KnowledgeBaseRecord;
}

async function sourceOf(
	steps: Steps,
	uniqueId: string,
	sourceType: string,
	list: RecordList,
): Promise<Source | ItemFailure> {
	if (sourceType !== 'listed') return { sourceType };
	const { value, steps: shared } = await list.until((read) => read.withId(uniqueId) !== undefined);
	steps.include(shared);
	if (isItemFailure(value)) return value;
	const record = value.withId(uniqueId);
	return record ? { sourceType: sourceTypeOf(record.type ?? 'uploads'), record } : NOT_LISTED_HERE;
}

const NOT_LISTED_HERE = new StepFailure(
	'CometChat lists no document with this ID',
	"Check 'Document': pick it from the list, or copy its ID from Document: Get Many. If it was added a moment ago, run it again later.",
	{
		said: "Its type is looked up in the list, unless 'Source Type' under Options names it.",
		cause: 'configuration-invalid',
	},
);

function textOf(pages: SourcePages['pages']): ShownText {
	return given(pages.map(({ text }) => text).join('\n\n'));
}

/** How many pages there are: no fewer than have come. */
function countOf({ total = 0, pages }: SourcePages): number {
	return Math.max(total, pages.length);
}

/** A part of the text, as an item shows it. */
interface Piece {
	/** Its number. Left out: it is all of them. */
	page?: number;
	text: ShownText;
	characters: number;
	/** Whether there is more than Max Characters allows. */
	isCut?: true;
	/** Why there is more than this. */
	reason?: ShownText;
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
		const start = given(text.slice(0, left).replace(/[\uD800-\uDBFF]$/, ''));
		const shown = text.length > left ? start : text;
		pieces.push({ ...piece, text: shown, characters: shown.length });
		left -= text.length;
	}
	const last = pieces.at(-1);
	const isCut = left < 0 || pieces.length < all.length;
	const lacks = countOf(content) > pages.length;
	const few = worded`CometChat gave ${pages.length} of its ${countOf(content)} pages.`;
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
