import { isWhole, Redaction } from '../../account/redaction';
import { success } from '../../api/shape';
import type { ItemContext } from '../../execution/itemContext';
import type { RunContext } from '../../execution/operation';
import type { Field } from '../../input/field';
import { textField } from '../../input/field';
import { recordCreated } from '../../inventory/inventory';
import { Records } from '../../inventory/records';
import type { IngestionRun } from '../../pipeline/ingestionRun';
import type { Document } from '../../service/documents';
import { FAILED } from '../../service/documents';
import type { Text } from '../../service/texts';
import { changeOf, creationOf, readText, readTextList, textsRequest } from '../../service/texts';
import { UserError } from '../../values/failure';
import type { Json } from '../../values/json';
import { composed } from '../../values/names';

/** As CometChat calls the kind. */
export const TEXT: string = 'text';

/** In characters (`CreateTextDetailDto` of CometChat's OpenAPI description). */
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
			description: `What the text is about, in up to ${LONGEST_TITLE} characters`,
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
		description: `What the agent can answer from, in up to ${LONGEST_TEXT} characters`,
	},
	{
		longest: LONGEST_TEXT,
		ifLonger: `Give a text of up to ${LONGEST_TEXT} characters. Of a longer one make a file: with the node 'Convert to File' and its operation 'Convert to Text File', then Document: Upload.`,
	},
);

export const TEXT_WITHOUT_AGENT: string =
	"No agent answers from the text yet: switch on 'Add to Agent', or use its ID in Add Files with Source Type 'Text'";

/** A text as it is to be written. */
export interface Written {
	title: string;
	text: string;
}

/** Sent again after a lost answer, it could be there twice. @returns Its ID. */
export async function create(
	run: IngestionRun,
	item: ItemContext,
	{ title: name, text: words }: Written,
): Promise<string> {
	const { uniqueId } = await item.call(creationOf(name, words), readText, { repeat: 'never' });
	item.log.created.push({ uniqueId, name });
	recordCreated(run.inventory, { uniqueId, sourceName: name, type: TEXT });
	return uniqueId;
}

/** Changes a text where it is: once more after a lost answer does no harm. @returns Its title, where that is known. */
export async function change(
	item: ItemContext,
	uniqueId: string,
	changes: Partial<Written>,
): Promise<string | undefined> {
	const read = (body: Json | undefined) => success(body) && { title: readText(body)?.title };
	const { title: said } = await item.call(changeOf(uniqueId, changes), read, { about: 'text' });
	return changes.title ?? said;
}

/** The texts of the account by title: asked for once in a run. */
export class TextList {
	private asked?: Promise<Records>;

	/** @returns Always the same; whoever writes a text puts it there. */
	async texts(item: ItemContext): Promise<Records> {
		this.asked ??= allTexts(item);
		return await this.asked;
	}
}

async function allTexts(item: ItemContext): Promise<Records> {
	const records = new Records();
	for (const text of await item.call(textsRequest(), readTitled)) {
		records.add({ ...text, type: TEXT, sourceName: text.title });
	}
	return records;
}

/** Undefined if a text has no title: it may have any title that the list does not show. */
function readTitled(body: Json | undefined): Text[] | undefined {
	const texts = readTextList(body);
	return texts?.every(({ title }) => title !== undefined) ? texts : undefined;
}

/** @throws UserError for a title with the API key in it: the list shows that title without the key, so each execution would create the text. */
export function checkTitle({ account }: RunContext, title: string): void {
	if (isWhole(new Redaction(account).text(title))) return;
	throw new UserError(
		"'Title' contains the API key of the credential, or the beginning of the key",
		'Remove the key from the title: the agents would show it, and the node could not find the text by its title again.',
	);
}

/** What is so much longer than one that can be written is another, and to compare it would keep n8n from all else. */
const LONGEST_COMPARED = 10 * LONGEST_TEXT;

/**
 * Whether a text says this already. White space around it and the kind of line breaks may be the service's
 * own. One that CometChat was not able to read says nothing.
 */
export function says({ text, status }: Document, words: string): boolean {
	if (typeof text !== 'string' || status === FAILED || text.length > LONGEST_COMPARED) return false;
	// A text from which the API key was removed may be the same, or not.
	return isWhole(text) && plain(text) === plain(words);
}

/** A text without what may be the service's own in it: the kind of line breaks, and white space around it. */
function plain(text: string): string {
	return composed(text.replace(/\r\n?/g, '\n'));
}
