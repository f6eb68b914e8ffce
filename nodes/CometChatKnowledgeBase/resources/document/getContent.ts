import { findDocument, Snapshot } from '../../delivery/snapshot';
import { batchOperation } from '../../operations/batchOperation';
import { eachItem } from '../../operations/eachItem';
import type { ItemContext } from '../../operations/itemContext';
import { choiceField, numberField } from '../../fields/field';
import { documentPicker } from '../../fields/fields';
import { remedyIfEmpty } from '../../delivery/remedies';
import type { Fields } from '../../output/itemResult';
import type { Document } from '../../api/documents';
import { isReady } from '../../api/documents';
import type { SourcePages } from '../../api/sourcePages';
import { sourcePages } from '../../api/sourcePages';
import { quoted, sentences } from '../../text/quoting';
import { sourceTypeOf } from '../../text/sourceTypes';
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
			'The maximum number of characters to return per document. If the text is cut off, the output says so. Without this option, the node returns the whole text. Recommended for AI agents.',
	}),
	ifNotSet: Infinity,
};

export const getContent = batchOperation({
	value: 'getContent',
	name: 'Get Content',
	action: 'Get document content',
	description: 'Get the text that CometChat extracted from a document, from which agents answer',
	fields: {
		uniqueId: documentPicker,
		output: choiceField({
			displayName: 'Output',
			name: 'output',
			type: 'options',
			options: [
				{ name: 'One Item', value: 'document', description: 'Return the whole text in one item' },
				{
					name: 'One Item per Page',
					value: 'page',
					description: 'Return each page with its number',
				},
			],
			default: 'document',
			description:
				"How to return the text. Use 'One Item per Page' for long documents, or to see the text of each page.",
		}),
	},
	options: { maxCharacters },
	output: [
		...(['name', 'status', 'uniqueId', 'sourceType', 'reason', 'text', 'characters'] as const),
		...(['page', 'pages', 'isCut'] as const),
	],
	runAll: async (items, run) => {
		const snapshot = new Snapshot(run);
		await snapshot.readDocuments(items.map(({ task }) => task.uniqueId));
		return await eachItem(run, items, async ({ task }, item) => {
			const document = findDocument(snapshot, task.uniqueId);
			const isEnough = (pages: SourcePages['pages']) =>
				pages.reduce((sum, { text }) => sum + text.length, 0) > task.maxCharacters;
			const type = sourceTypeOf(document.type);
			const content = await sourcePages(item, type, task.uniqueId, isEnough);
			return rowsOf(item, document, content, task);
		});
	},
});

function rowsOf(
	item: ItemContext,
	{ uniqueId, sourceName, status, type }: Document,
	{ fileName, pages, total = 0 }: SourcePages,
	task: { output: string; maxCharacters: number },
): Fields[] {
	const sourceType = sourceTypeOf(type);
	const name = sourceName ?? fileName ?? uniqueId;
	// No fewer than have come.
	const count = Math.max(total, pages.length);
	const isRead = status === undefined || isReady(status);
	const isBlank = pages.every(({ text }) => text.trim() === '');
	const isEmpty = isRead && isBlank && pages.length === count;
	const why = remedyIfEmpty(sourceType);
	if (isEmpty) item.warn(`CometChat found no text in ${quoted(name)}. ${why}`);
	const remark = isEmpty
		? `CometChat found no text in the document. ${why}.`
		: adviceFor(status ?? '', sourceType);
	const { pieces, isCut } = piecesOf(pages, task.output === 'page', task.maxCharacters);
	const few = pages.length < count && `CometChat returned ${pages.length} of the ${count} pages.`;
	return pieces.map((piece, at): Fields => {
		const isLast = at === pieces.length - 1;
		const reason = sentences(isLast && (isCut ? CUT_HERE : few), remark);
		return {
			...{ name, status, uniqueId, sourceType, ...piece, pages: count },
			...(reason !== '' && { reason }),
			...(isLast && isCut && { isCut }),
		};
	});
}

/** The text, or page by page, as far as Max Characters goes; never none, so that there is an item. */
function piecesOf(pages: SourcePages['pages'], byPage: boolean, maxCharacters: number) {
	const all: Array<{ page?: number; text: string }> =
		byPage && pages.length > 0
			? pages.map(({ number: page, text }) => ({ page, text }))
			: [{ text: pages.map(({ text }) => text).join('\n\n') }];
	const pieces: Fields[] = [];
	let remaining = maxCharacters;
	for (const { text, ...piece } of all) {
		if (remaining <= 0) break;
		// Never half a character at its end.
		const start = text.slice(0, remaining).replace(/[\uD800-\uDBFF]$/, '');
		const shown = text.length > remaining ? start : text;
		pieces.push({ ...piece, text: shown, characters: shown.length });
		remaining -= text.length;
	}
	return { pieces, isCut: remaining < 0 || pieces.length < all.length };
}

const CUT_HERE = "The text is cut off here: increase 'Max Characters' under Options for more text.";
