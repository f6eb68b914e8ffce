import type { INodeProperties } from 'n8n-workflow';

import { readNeededWords } from '../../input/words';

/** As CometChat calls the kind. */
export const TEXT: string = 'text';

/** In characters (`CreateTextDetailDto` of CometChat's OpenAPI description). */
export const LONGEST_TITLE = 500;
export const LONGEST_TEXT = 5000;

export const titleField: INodeProperties = {
	displayName: 'Title',
	name: 'title',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. Opening hours',
	description: `What the text is about, in up to ${LONGEST_TITLE} characters`,
};

export const textField: INodeProperties = {
	displayName: 'Text',
	name: 'text',
	type: 'string',
	typeOptions: { rows: 6 },
	required: true,
	default: '',
	placeholder: 'e.g. We are open from 9 to 5, Monday to Friday.',
	description: `What the agent can answer from, in up to ${LONGEST_TEXT} characters`,
};

export const TEXT_WITHOUT_AGENT: string =
	"No agent answers from the text yet: switch on 'Add to Agent', or use its ID in Add Files with Source Type 'Text'";

export function readTitle(value: unknown): string {
	return readNeededWords("'Title'", value, LONGEST_TITLE, 'Shorten the title.');
}

export function readTextWords(value: unknown): string {
	return readNeededWords("'Text'", value, LONGEST_TEXT, MAKE_A_FILE);
}

const MAKE_A_FILE = `Give a text of up to ${LONGEST_TEXT} characters. Of a longer one make a file: with the node 'Convert to File' and its operation 'Convert to Text File', then Document: Upload.`;
