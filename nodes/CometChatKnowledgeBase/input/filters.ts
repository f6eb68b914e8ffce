import type { INodeProperties } from 'n8n-workflow';

import { composed } from './document';
import type { Option } from './field';
import { quoted } from '../values/quoting';
import { SOURCE_TYPES } from '../values/sourceTypes';
import { UserError } from '../values/userError';

/**
 * A list of texts, or one text with commas or new lines between them; each a choice of the filter, as it
 * is shown or as the service calls it. Anything else is refused: a filter that can't be read is no reason
 * to return everything, and one that no file can meet would look like an empty account.
 */
export function readFilter(
	value: unknown,
	label: string,
	choices: Array<{ name: string; value: string; recordType?: string }>,
): string[] {
	const names = choices.map(({ name }) => name).join(', ');
	const hint = `Pick from its list, or let its expression give any of these: ${names}.`;
	const texts = typeof value === 'string' ? entriesOf(value) : value;
	// An expression that gives an empty text may have missed its field; an empty list is one.
	if (!Array.isArray(texts) || texts.length > MOST_ENTRIES || (value !== texts && !texts.length)) {
		throw new UserError(`${label} is empty or not a list of texts`, hint);
	}
	return texts.map((text: unknown) => {
		const meant = typeof text === 'string' ? text.trim().toLowerCase() : undefined;
		const choice = choices.find(({ name, value: word, recordType }) =>
			[name, word, recordType].some((spelling) => spelling && spelling.toLowerCase() === meant),
		);
		if (choice !== undefined) return choice.value;
		const found = typeof text === 'string' ? quoted(text) : 'what is no text';
		throw new UserError(`${label} has ${found}, which is none of its choices`, hint);
	});
}

/** A filter with several of these choices; empty for any. */
export function choicesFilter(
	property: INodeProperties,
	choices: Array<{ name: string; value: string; recordType?: string }>,
): Option<string[]> {
	const label = `The filter '${property.displayName}'`;
	return { property, ifNotSet: [], read: (value) => readFilter(value, label, choices) };
}

export const sourceTypes = choicesFilter(
	{
		displayName: 'Source Type',
		name: 'sourceTypes',
		type: 'multiOptions',
		options: SOURCE_TYPES.map(({ name, value, description }) => ({ name, value, description })),
		default: [],
		description: 'Only documents of one of these types',
	},
	SOURCE_TYPES,
);

/** As `searchable` writes it; empty for any. */
export const nameContains: Option<string> = {
	property: {
		displayName: 'Name Contains',
		name: 'nameContains',
		type: 'string',
		default: '',
		placeholder: 'e.g. price list',
		description:
			'Only documents with this text in their name; upper and lower case are the same. The name is that of the file, or the title of the text.',
	},
	ifNotSet: '',
	read: (value) => {
		if (typeof value === 'string' && value.trim() !== '') return searchable(value);
		throw new UserError(
			"The filter 'Name Contains' is empty or not a text",
			'Type a part of the names, or take the filter away.',
		);
	},
};

/** As two texts that a person takes for one are written alike. */
export function searchable(text: string): string {
	return composed(text).toLowerCase();
}

/** Ours: no filter has so many choices, and a text of megabytes is not split at once. */
const MOST_ENTRIES = 1000;

function entriesOf(text: string): string[] {
	const parts = text.split(/[,\r\n]/, MOST_ENTRIES + 1);
	return parts.filter((part) => part.trim() !== '');
}
