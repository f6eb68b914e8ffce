import type { INodeProperties } from 'n8n-workflow';

import { UserError } from '../text/failure';
import { foldForSearch } from '../text/names';
import { quoted, quotedValue } from '../text/quoting';
import { findSourceType, SOURCE_TYPES } from '../text/sourceTypes';
import { readText } from '../text/text';
import type { Field, FieldGroup, Option } from './field';
import { forExecution, numberField, readSwitch, wholeNumber } from './field';
import { readId, readLocator } from './ids';

/** A field to choose from a list with a search, or to enter an ID. Its value is the ID. */
export interface Picker extends Field<string> {
	read(value: unknown): string;
}

/** A list of the editor, and the noun for an entry: `agent`. */
interface Pickable {
	noun: string;
	searchListMethod: string;
	exampleId?: string;
	/** The name of the ID in the row of a failed item. Left out: the row doesn't contain it. */
	shownAs?: string;
}

export function picker(
	{ noun, searchListMethod, exampleId = '550e8400-e29b-41d4-a716-446655440000', shownAs }: Pickable,
	field: Omit<INodeProperties, 'type' | 'default'>,
): Picker {
	const wanted = {
		label: `'${field.displayName}'`,
		hint: `Choose the ${noun} from the list, or enter the ID.`,
	};
	return {
		property: {
			type: 'resourceLocator',
			required: true,
			default: { mode: 'list', value: '' },
			modes: [
				{
					displayName: 'From List',
					name: 'list',
					type: 'list',
					placeholder: `Choose the ${noun}…`,
					typeOptions: { searchListMethod, searchable: true },
				},
				{ displayName: 'By ID', name: 'id', type: 'string', placeholder: `e.g. ${exampleId}` },
			],
			...field,
		},
		read: (value) => readLocator(value, wanted),
		...(shownAs !== undefined && { asked: (id: string) => ({ [shownAs]: id }) }),
	};
}

/**
 * @param description The description of the field, if the usual text is not enough.
 * @param more Replaces `required: true`.
 */
export function agentPicker(
	description = 'The AI agent',
	more: Pick<INodeProperties, 'required' | 'displayOptions' | 'hint'> = { required: true },
): Picker {
	return picker(
		{ noun: 'agent', searchListMethod: 'searchAgents', shownAs: 'uid' },
		{
			displayName: 'Agent',
			name: 'uid',
			description,
			builderHint: {
				propertyHint: "Enter the agent's UID, not its name. 'Agent: Get Many' returns the UID.",
			},
			...more,
		},
	);
}

export const documentPicker = picker(
	{ noun: 'document', searchListMethod: 'searchDocuments', shownAs: 'uniqueId' },
	{ displayName: 'Document', name: 'document', description: 'The file, text entry or website' },
);

export const websitePicker = picker(
	{ noun: 'website', searchListMethod: 'searchWebsites', shownAs: 'uniqueId' },
	{
		displayName: 'Website',
		name: 'website',
		description: 'A website that was crawled before',
	},
);

/** @param description The use of the text entry in the operation. */
export function textPicker(description: string): Picker {
	return picker(
		{ noun: 'text entry', searchListMethod: 'searchTexts', shownAs: 'uniqueId' },
		{ displayName: 'Text Entry', name: 'textId', description },
	);
}

export const addableTypes = [
	...SOURCE_TYPES.map(({ name, value, description }) => ({ name, value, description })),
	{
		name: 'Knowledge Base',
		value: 'knowledge-base',
		description: 'A special type. Choose it only if CometChat support asks you to.',
	},
];

export const sourceType: Field<string> = {
	property: {
		displayName: 'Source Type',
		name: 'sourceType',
		type: 'options',
		options: addableTypes,
		default: 'uploads',
		displayOptions: { show: { filesBy: ['ids'] } },
		hint: "For uploaded files, keep 'Uploaded Files'",
		description:
			"The source type of these documents, as 'Document: Get Many' shows it. Use an expression for any other type that CometChat supports.",
	},
	read: readSourceType,
};

/** Reads a source type, also from its label or in upper case. */
export function readSourceType(value: unknown): string {
	const hint = 'Choose a type from the list, or enter the name that CometChat uses for the type.';
	const type = readId(value, { label: "'Source Type'", hint });
	const wanted = type.toLowerCase();
	const found = addableTypes.find((one) => [one.name.toLowerCase(), one.value].includes(wanted));
	return found?.value ?? findSourceType(wanted) ?? type;
}

/** The maximum number of entries: Infinity for all. */
export const limit: FieldGroup<number> = {
	properties: [
		{
			displayName: 'Return All',
			name: 'returnAll',
			type: 'boolean',
			default: false,
			description: 'Whether to return all results or only up to a given limit',
		},
		{
			displayName: 'Limit',
			name: 'limit',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 50,
			displayOptions: { show: { returnAll: [false] } },
			description: 'Max number of results to return',
		},
	],
	read: ({ value }) => {
		if (readSwitch(value('returnAll'), 'Return All')) return Infinity;
		const most = wholeNumber(value('limit'));
		if (most !== undefined && most >= 1) return most;
		const hint = "Enter a whole number in 'Limit', or turn on 'Return All'.";
		throw new UserError(
			`'Limit' is ${quotedValue(value('limit'))}, not a whole number from 1`,
			hint,
		);
	},
};

/** Returns the note on a list that ends at the limit, without a full stop. */
export function cutWords(limit: number): string {
	const results = limit === 1 ? 'result' : `${limit} results`;
	return `The output contains only the first ${results}. For more, increase 'Limit', or turn on 'Return All'`;
}

/**
 * Reads a filter: a list of texts, or one text with commas or line breaks between them. Any text that is no label or
 * value of a choice is refused: the account would seem to be empty.
 */
export function readFilter(
	value: unknown,
	label: string,
	choices: Array<{ name: string; value: string; recordType?: string }>,
): string[] {
	const names = choices.map(({ name }) => name).join(', ');
	const hint = `Choose from the list, or use an expression that returns some of these values: ${names}.`;
	const isText = typeof value === 'string';
	const texts = isText ? value.split(/[,\r\n]/).filter((part) => part.trim() !== '') : value;
	// An empty text may come from an expression that found nothing. An empty list is a valid filter.
	if (!Array.isArray(texts) || (isText && texts.length === 0)) {
		throw new UserError(`${label} is empty, or its expression doesn't return a list`, hint);
	}
	return texts.map((text: unknown) => {
		const meant = typeof text === 'string' ? text.trim().toLowerCase() : undefined;
		const choice = choices.find(({ name, value: word, recordType }) =>
			[name, word, recordType].some((spelling) => spelling && spelling.toLowerCase() === meant),
		);
		if (choice !== undefined) return choice.value;
		const found = typeof text === 'string' ? quoted(text) : 'a value that is not text';
		throw new UserError(`${label} contains ${found}, which is not in its list`, hint);
	});
}

/** Makes a filter with several choices; empty for any. */
export function choicesFilter(
	words: Pick<INodeProperties, 'displayName' | 'name' | 'description'>,
	choices: Array<{ name: string; value: string; recordType?: string; description?: string }>,
): Option<string[]> {
	const label = `The filter '${words.displayName}'`;
	const options = choices.map(({ name, value, description }) => ({ name, value, description }));
	return {
		property: { ...words, type: 'multiOptions', options, default: [] },
		ifNotSet: [],
		read: (value) => readFilter(value, label, choices),
	};
}

export const sourceTypes = choicesFilter(
	{
		displayName: 'Source Type',
		name: 'sourceTypes',
		description: 'Return only documents of these types',
	},
	SOURCE_TYPES,
);

/** A text in the form of `foldForSearch`; empty for any. */
export const nameContains: Option<string> = {
	property: {
		displayName: 'Name Contains',
		name: 'nameContains',
		type: 'string',
		default: '',
		placeholder: 'e.g. price list',
		description:
			'Return only documents whose name contains this text, in upper or lower case. The name of a text entry is its title.',
	},
	ifNotSet: '',
	read: (value) => {
		const label = "The filter 'Name Contains'";
		const hint = 'Enter a part of the names, or remove the filter.';
		const text = readText(value, label, hint);
		if (text.trim() !== '') return foldForSearch(text);
		throw new UserError(`${label} is empty`, hint);
	},
};

const IN_SETTINGS = "'Request Options' in the node's Settings";

/**
 * In milliseconds, like n8n's own option. Longer than n8n's ten seconds, which are for the first byte: CometChat's
 * pages name no time, and a request that times out may have had an effect.
 */
export const timeoutOption = forExecution(
	numberField(
		{
			displayName: 'Timeout',
			name: 'timeout',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 3_600_000 },
			default: 60_000,
			description:
				'Time in ms to wait for the complete response to a request. After this time, the node sends the request again, unless that could create a duplicate. Crawls and uploads have their own limits.',
		},
		{ menu: IN_SETTINGS },
	),
);

const requestsPerMinute = forExecution(
	numberField(
		{
			displayName: 'Requests per Minute',
			name: 'requestsPerMinute',
			type: 'number',
			// CometChat's maximum for a paid plan: https://www.cometchat.com/docs/rest-api/rate-limits
			typeOptions: { minValue: 0, maxValue: 20_000 },
			default: 0,
			hint: '0 = as fast as CometChat allows',
			description:
				'The maximum number of requests that this execution starts per minute, evenly spaced. Use this limit if other programs or executions use the same CometChat plan. The free plan allows 500 requests per minute.',
		},
		{ menu: IN_SETTINGS },
	),
);

/** The settings of all requests, in each operation. */
export const requestOptions = { timeout: timeoutOption, requestsPerMinute };

/** In the Settings tab, like in n8n's declarative nodes. */
export const requestOptionsField: INodeProperties = {
	displayName: 'Request Options',
	name: 'requestOptions',
	type: 'collection',
	isNodeSetting: true,
	placeholder: 'Add Option',
	default: {},
	options: Object.values(requestOptions).map(({ property }) => property),
};
