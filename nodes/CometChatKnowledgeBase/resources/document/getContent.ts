import { operation } from '../../execution/buildOperation';
import { ItemContext } from '../../execution/itemContext';
import { Inventory, lookFor, underItsType } from '../../ingestion/inventory';
import { choiceField, numberField } from '../../input/field';
import { documentPicker } from '../../input/fields';
import { caught, isItemFailure } from '../../results/apiError';
import type { Fields } from '../../results/itemResult';
import { sentences } from '../../results/itemResult';
import type { Document } from '../../service/documents';
import type { SourcePages } from '../../service/sourcePages';
import { sourcePages } from '../../service/sourcePages';
import { isReady } from '../../service/statuses';
import { quoted } from '../../values/quoting';
import { adviceFor } from './getStatus';

/** Ours: about 5,000 tokens, which any language model takes. Whoever does not set it gets all. */
const maxCharacters = {
	...numberField({
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

export const getContent = operation({
	value: 'getContent',
	name: 'Get Content',
	action: 'Get the text of a file, text or website',
	description:
		'Read the text that CometChat has extracted from a file, text or website: what agents answer from',
	fields: {
		uniqueId: documentPicker,
		output: choiceField({
			displayName: 'Output',
			name: 'output',
			type: 'options',
			options: [
				{ name: 'One Item', value: 'document', description: 'The whole text in one item' },
				{ name: 'One Item per Page', value: 'page', description: 'Each page with its number' },
			],
			default: 'document',
			description: 'Pick One Item per Page for long documents, or to see what is on which page',
		}),
	},
	options: { maxCharacters },
	output: [
		...(['name', 'status', 'uniqueId', 'sourceType', 'reason', 'text', 'characters'] as const),
		...(['page', 'pages', 'isCut'] as const),
	],
	shared: (run) => ({ run, inventory: new Inventory(run) }),
	run: async ({ uniqueId, output, maxCharacters: most }, item, { run, inventory }) => {
		// Of its own: that it cannot be looked up says nothing of the item.
		await lookFor(new ItemContext(run), inventory, [uniqueId]);
		const isEnough = (pages: SourcePages['pages']) =>
			pages.reduce((sum, { text }) => sum + text.length, 0) > most;
		const { answer: content, sourceType } = await underItsType(
			inventory,
			uniqueId,
			async (type) => await caught(sourcePages(item, type, uniqueId, isEnough)),
		);
		if (isItemFailure(content)) throw content;
		const record = inventory.record(uniqueId);
		const name = record?.sourceName ?? content.fileName ?? uniqueId;
		const remarks = remarksOn(item, { name, sourceType, record }, content);
		return piecesOf(content, output === 'page', most).map(({ reason = '', ...piece }): Fields => {
			const why = sentences(reason, remarks);
			return {
				...{ name, status: record?.status, uniqueId, sourceType },
				...(why !== '' && { reason: why }),
				...piece,
				pages: countOf(content),
			};
		});
	},
});

/** What is known of the document. */
interface Source {
	name: string;
	sourceType: string;
	/** Undefined if the list does not have it. */
	record?: Document;
}

/** What is to be said of it; of one with next to no text the item warns, too. */
function remarksOn(item: ItemContext, source: Source, content: SourcePages): string {
	const { name, sourceType, record } = source;
	const isScant = hasNextToNoText(source, content);
	const scant = sourceType === 'website' ? SCANT_SITE : SCANT;
	if (isScant) item.warn(`There is next to no text in ${quoted(name)}: ${scant}`);
	return sentences(
		adviceFor(record?.status ?? '', sourceType) ?? false,
		isScant && `There is next to no text in it: ${scant}.`,
	);
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
function hasNextToNoText({ name, record, sourceType }: Source, content: SourcePages): boolean {
	const isWhole = content.pages.length >= countOf(content);
	if (!isWhole || (record?.status !== undefined && !isReady(record.status))) return false;
	const isPlain = sourceType !== 'uploads' || /\.(?:txt|md|csv)$/i.test(name);
	const least = isPlain ? 1 : LEAST_ON_A_PAGE * Math.max(1, content.pages.length);
	return textOf(content.pages).replace(/\s/g, '').length < least;
}
