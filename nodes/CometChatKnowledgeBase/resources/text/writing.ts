import { isUnredacted } from '../../http/redaction';
import { success } from '../../api/shape';
import type { Batch } from '../../delivery/delivery';
import type { ItemContext } from '../../operations/itemContext';
import type { Field } from '../../fields/field';
import { textField } from '../../fields/field';
import { Documents } from '../../delivery/documents';
import type { Text } from '../../api/texts';
import { changeOf, creationOf, readText, readTextList, textsRequest } from '../../api/texts';
import type { Json } from '../../text/json';
import { normalizeName } from '../../text/names';
import { TEXT } from '../../text/sourceTypes';

/** In characters (`CreateTextDetailDto` in CometChat's OpenAPI description). */
const LONGEST_TITLE = 500;
const LONGEST_TEXT = 5000;

export const title: Field<string> = {
	...textField(
		{
			displayName: 'Title',
			name: 'title',
			type: 'string',
			default: '',
			placeholder: 'e.g. Opening hours',
			description: `The title of the text entry, up to ${LONGEST_TITLE} characters`,
		},
		{ longest: LONGEST_TITLE, ifLonger: 'Shorten the title.' },
	),
	asked: (name) => ({ name }),
};

export const text = textField(
	{
		displayName: 'Text',
		name: 'text',
		type: 'string',
		typeOptions: { rows: 6 },
		default: '',
		placeholder: 'e.g. We are open from 9 to 5, Monday to Friday.',
		hint: 'Include the question or heading: agents may not search the title',
		description: `The content that agents can answer from, up to ${LONGEST_TEXT} characters`,
	},
	{
		longest: LONGEST_TEXT,
		ifLonger: `Enter up to ${LONGEST_TEXT} characters. For a longer text, use 'Document: Upload' with 'Content From' set to 'Text'.`,
	},
);

export const TEXT_WITHOUT_AGENT: string =
	"No agent uses the text entry yet. Turn on 'Add to Agent', or use the ID in 'Add Files' with the source type 'Text Entries'";

/** The new content of a text entry. */
export interface Written {
	title: string;
	text: string;
}

/** Creates a text entry. Not repeated after a lost response: there could be two text entries. @returns Its ID. */
export async function createText(
	item: ItemContext,
	{ title: name, text: words }: Written,
): Promise<string> {
	const { uniqueId } = await item.call(creationOf(name, words), readText, { repeat: 'never' });
	item.log.created.push({ uniqueId, name });
	return uniqueId;
}

/** Updates a text entry. @returns Its title, if known. */
export async function changeText(
	item: ItemContext,
	uniqueId: string,
	changes: Partial<Written>,
): Promise<string | undefined> {
	const read = (body: Json | undefined) => success(body) && { title: readText(body)?.title };
	const { title: said } = await item.call(changeOf(uniqueId, changes), read, { about: 'text' });
	return changes.title ?? said;
}

/** Reads the account's text entries with their texts. @throws ApiError */
export async function readTexts(run: Batch): Promise<Documents> {
	const documents = new Documents();
	for (const entry of await run.starting.call(textsRequest(), readTitled)) {
		const { title: sourceName = '' } = entry;
		// A title from which the API key was removed equals no item's title.
		if (isUnredacted(sourceName)) documents.add({ ...entry, type: TEXT, sourceName });
	}
	run.snapshot.documents.addAll(documents.all());
	run.snapshot.isListed = true;
	return documents;
}

/** Reads the text entries; undefined if an entry has no title, because it could have any title. */
function readTitled(body: Json | undefined): Text[] | undefined {
	const texts = readTextList(body);
	return texts?.every(({ title }) => title !== undefined) ? texts : undefined;
}

/** Longer than CometChat's maximum, so the text can't be the same, and to compare it would block n8n. */
const LONGEST_COMPARED = 10 * LONGEST_TEXT;

/** Returns a text in the form for comparisons: like a name, and without byte order marks. */
export function normalizeText(content: unknown): string | undefined {
	if (typeof content !== 'string' || content.length > LONGEST_COMPARED) return undefined;
	// A text from which the API key was removed may be another text.
	return isUnredacted(content) ? normalizeName(content.replace(/\uFEFF/g, '')) : undefined;
}
