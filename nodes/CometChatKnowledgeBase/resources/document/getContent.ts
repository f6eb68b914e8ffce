import { operation } from '../../execution/buildOperation';
import { ItemContext } from '../../execution/itemContext';
import { choiceField, numberField } from '../../input/field';
import { documentPicker } from '../../input/fields';
import { Inventory, lookFor, underItsType } from '../../inventory/inventory';
import type { Fields } from '../../results/itemResult';
import { isReady } from '../../service/documents';
import type { SourcePages } from '../../service/sourcePages';
import { sourcePages } from '../../service/sourcePages';
import { quoted, sentences } from '../../values/quoting';
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
		const { content, sourceType } = await underItsType(inventory, uniqueId, async (type) => {
			return { content: await sourcePages(item, type, uniqueId, isEnough), sourceType: type };
		});
		const { sourceName, status } = inventory.record(uniqueId) ?? {};
		const name = sourceName ?? content.fileName ?? uniqueId;
		const count = countOf(content);
		const isRead = status === undefined || isReady(status);
		const isEmpty = content.pages.every(({ text }) => text.trim() === '');
		let remark = adviceFor(status ?? '', sourceType) ?? '';
		if (isEmpty && isRead && content.pages.length === count) {
			const why = sourceType === 'website' ? EMPTY_SITE : EMPTY;
			item.warn(`There is no text in ${quoted(name)}: ${why}`);
			remark = `There is no text in it: ${why}.`;
		}
		return piecesOf(content, output === 'page', most).map(({ reason = '', ...piece }): Fields => {
			const why = sentences(reason, remark);
			return {
				...{ name, status, uniqueId, sourceType },
				...(why !== '' && { reason: why }),
				...piece,
				pages: count,
			};
		});
	},
});

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
			: [{ text: pages.map(({ text }) => text).join('\n\n') }];
	const pieces: Piece[] = [];
	let remaining = maxCharacters;
	for (const { text, ...piece } of all) {
		if (remaining <= 0) break;
		// Never half a character at its end.
		const start = text.slice(0, remaining).replace(/[\uD800-\uDBFF]$/, '');
		const shown = text.length > remaining ? start : text;
		pieces.push({ ...piece, text: shown, characters: shown.length });
		remaining -= text.length;
	}
	const last = pieces.at(-1);
	const lacks = countOf(content) > pages.length;
	const few = `CometChat gave ${pages.length} of its ${countOf(content)} pages.`;
	if (last && (remaining < 0 || pieces.length < all.length)) {
		Object.assign(last, { isCut: true, reason: CUT_HERE } satisfies Partial<Piece>);
	} else if (last && lacks) last.reason = few;
	return pieces;
}

const CUT_HERE = "There is more: 'Max Characters' under Options ends it here.";

const EMPTY =
	'no agent can answer from pictures. If it is a scan, upload it once more with its text recognised (OCR)';

const EMPTY_SITE = 'CometChat may not have read its pages. Website: Get Pages shows how far it is';
