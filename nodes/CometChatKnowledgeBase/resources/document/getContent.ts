import { findDocument, Snapshot } from '../../delivery/snapshot';
import { batchOperation } from '../../operations/batchOperation';
import { eachItem } from '../../operations/eachItem';
import type { ItemContext } from '../../operations/itemContext';
import { numberField } from '../../fields/field';
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

/** The option's default: about 5,000 tokens, which any language model accepts. Left out: the whole text. */
const maxCharacters = {
	...numberField({
		displayName: 'Max Characters',
		name: 'maxCharacters',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 10_000_000 },
		default: 20_000,
		description:
			'The maximum number of characters to return per document. If the text is cut off, the output says so. Without this option, the node returns the whole text. Set this option if an AI agent reads the text.',
	}),
	ifNotSet: Infinity,
};

export const getContent = batchOperation({
	value: 'getContent',
	name: 'Get Content',
	action: 'Get document content',
	description:
		'Get the text that CometChat extracted from a document. Agents answer from this text.',
	fields: {
		uniqueId: documentPicker,
	},
	options: { maxCharacters },
	output: [
		...(['name', 'status', 'uniqueId', 'sourceType', 'reason', 'text', 'characters'] as const),
		...(['pages', 'isCut'] as const),
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
			return [rowOf(item, document, content, task.maxCharacters)];
		});
	},
});

function rowOf(
	item: ItemContext,
	{ uniqueId, sourceName, status, type }: Document,
	{ fileName, pages, total = 0 }: SourcePages,
	maxCharacters: number,
): Fields {
	const sourceType = sourceTypeOf(type);
	const name = sourceName ?? fileName ?? uniqueId;
	// CometChat may report fewer pages than it returned.
	const count = Math.max(total, pages.length);
	const isRead = status === undefined || isReady(status);
	const isBlank = pages.every(({ text }) => text.trim() === '');
	const isEmpty = isRead && isBlank && pages.length === count;
	const why = remedyIfEmpty(sourceType);
	if (isEmpty) item.warn(`CometChat found no text in ${quoted(name)}. ${why}`);
	const remark = isEmpty
		? `CometChat found no text in the document. ${why}.`
		: adviceFor(status ?? '', sourceType);
	const whole = pages.map(({ text: words }) => words).join('\n\n');
	const isCut = whole.length > maxCharacters;
	// Without half a character at the end.
	const start = whole.slice(0, maxCharacters).replace(/[\uD800-\uDBFF]$/, '');
	const text = isCut ? start : whole;
	const few = pages.length < count && `CometChat returned ${pages.length} of the ${count} pages.`;
	const reason = sentences(isCut ? CUT_HERE : few, remark);
	return {
		...{ name, status, uniqueId, sourceType, text, characters: text.length, pages: count },
		...(reason !== '' && { reason }),
		...(isCut && { isCut }),
	};
}

const CUT_HERE = "The text is cut off here: increase 'Max Characters' under Options for more text.";
