import type { ItemContext } from '../../execution/itemContext';
import type { IngestionRun } from '../../ingestion/ingestionRun';
import { recordCreated } from '../../ingestion/inventory';
import type { Field } from '../../input/field';
import { textField } from '../../input/field';
import { success } from '../../service/shape';
import { changeOf, creationOf, readText, readTextId } from '../../service/texts';

/** Of operations that write texts. */

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
	const uniqueId = await item.call(creationOf(name, words), readTextId, { repeat: 'never' });
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
	let said: string | undefined;
	const read = (body: Parameters<typeof readText>[0]) => {
		said = readText(body)?.title;
		return success(body);
	};
	await item.call(changeOf(uniqueId, changes), read, { about: 'text' });
	return changes.title ?? said;
}
