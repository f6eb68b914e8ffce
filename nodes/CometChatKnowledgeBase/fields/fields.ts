import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { UserError } from '../text/failure';
import { foldForSearch } from '../text/names';
import { quoted } from '../text/quoting';
import { SOURCE_TYPES } from '../text/sourceTypes';
import { readText } from '../text/text';
import type { Field, FieldGroup, Option } from './field';
import { forExecution, numberField, readSwitch, switchField } from './field';
import { readLocator, readSourceType } from './ids';

/** What is picked from a list that can be searched, or given by its ID; it comes to the ID. */
export interface Picker extends Field<string> {
	read(value: unknown): string;
}

/** A list of the editor, and what one of it is called: `agent`. */
interface Pickable {
	noun: string;
	searchListMethod: string;
	exampleId?: string;
	/** What a failed item calls its ID. Left out: it does not show it. */
	shownAs?: string;
}

export function picker(
	{ noun, searchListMethod, exampleId = '550e8400-e29b-41d4-a716-446655440000', shownAs }: Pickable,
	field: Omit<INodeProperties, 'type' | 'default'>,
): Picker {
	const wanted = {
		label: `'${field.displayName}'`,
		hint: `Pick the ${noun} from the list, or give its ID.`,
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
					placeholder: `Pick the ${noun}…`,
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
 * @param description What the field says of the agent, where there is more to say than that it is one.
 * @param more In the place of a field that is required and always shown.
 */
export function agentPicker(
	description = 'The AI agent in CometChat',
	more: Pick<INodeProperties, 'required' | 'displayOptions' | 'hint'> = { required: true },
): Picker {
	return picker(
		{ noun: 'agent', searchListMethod: 'searchAgents', shownAs: 'uid' },
		{
			displayName: 'Agent',
			name: 'uid',
			description,
			builderHint: {
				propertyHint: "The agent's uid, not its name. Agent: Get Many gives it for a name.",
			},
			...more,
		},
	);
}

export const documentPicker = picker(
	{ noun: 'document', searchListMethod: 'searchDocuments', shownAs: 'uniqueId' },
	{ displayName: 'Document', name: 'document', description: 'The file, text or website' },
);

export const websitePicker = picker(
	{ noun: 'website', searchListMethod: 'searchWebsites', shownAs: 'uniqueId' },
	{
		displayName: 'Website',
		name: 'website',
		description: "The website, as listed by 'Document: Get Many'",
	},
);

/** @param description What the operation does with the text entry. */
export function textPicker(description: string): Picker {
	return picker(
		{ noun: 'text entry', searchListMethod: 'searchTexts', shownAs: 'uniqueId' },
		{ displayName: 'Text Entry', name: 'textId', description },
	);
}

/** For operations that pass on what the service gives: whether an item has what a person looks for only. */
export const simplify = switchField({
	displayName: 'Simplify',
	name: 'simple',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
});

const LEAVE_AT_UPLOADS = 'Leave it at Uploads for files that were uploaded';

const addableTypes: INodePropertyOptions[] = [
	...SOURCE_TYPES.map(({ name, value, description }) => ({ name, value, description })),
	{
		name: 'Knowledge Base',
		value: 'knowledge-base',
		description: 'A type that CometChat names and does not explain',
	},
];

const sourceTypeField: INodeProperties = {
	displayName: 'Source Type',
	name: 'sourceType',
	type: 'options',
	options: addableTypes,
	default: 'uploads',
	hint: LEAVE_AT_UPLOADS,
	description:
		'What kind of document the IDs belong to, as Document: Get Many lists them. An expression can give any other type, which is sent as it is.',
};

export const sourceType: Field<string> = {
	property: sourceTypeField,
	read: readSourceType,
	asked: (type) => ({ sourceType: type }),
};

/** How many entries of a list are wanted at most: Infinity for all. */
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
		const most = value('limit');
		if (typeof most === 'number' && Number.isInteger(most) && most >= 1) return most;
		const hint = 'Correct it, or switch on Return All.';
		throw new UserError("'Limit' is not a whole number from 1", hint);
	},
};

/** What somebody should know whose list ends at the limit, in a clause. */
export function cutWords(limit: number, isSure: boolean): string {
	const those = limit === 1 ? 'the first is' : `the first ${limit} are`;
	return `Only ${those} here, and there ${isSure ? 'are' : 'may be'} more: raise 'Limit', or switch on 'Return All'`;
}

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
		const label = "The filter 'Name Contains'";
		const hint = 'Type a part of the names, or take the filter away.';
		const text = readText(value, label, hint);
		if (text.trim() !== '') return foldForSearch(text);
		throw new UserError(`${label} is empty`, hint);
	},
};

/** Ours: no filter has so many choices, and a text of megabytes is not split at once. */
const MOST_ENTRIES = 1000;

function entriesOf(text: string): string[] {
	const parts = text.split(/[,\r\n]/, MOST_ENTRIES + 1);
	return parts.filter((part) => part.trim() !== '');
}

const IN_SETTINGS = "'Request Options' in the node's Settings";

/**
 * In milliseconds, as n8n has it. Ours is longer than the ten seconds of n8n's, which are for the first byte:
 * CometChat's pages name no time, and a request that is given up early may have been carried out.
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
				'Time in ms to wait for the whole answer to a request before it is ended and sent again. A crawl and an upload have limits of their own.',
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
			// The most that CometChat names for a paid plan: https://www.cometchat.com/docs/rest-api/rate-limits
			typeOptions: { minValue: 0, maxValue: 20_000 },
			default: 0,
			hint: '0 is as fast as CometChat allows',
			description:
				'How many requests this execution starts in a minute at most, evenly spaced. Set it if other programs or executions use the same plan; CometChat names 500 a minute for the free one.',
		},
		{ menu: IN_SETTINGS },
	),
);

/** How requests are sent, whatever the operation. */
export const requestOptions = { timeout: timeoutOption, requestsPerMinute };

/** In the Settings tab, where each of n8n's declarative nodes has it. */
export const requestOptionsField: INodeProperties = {
	displayName: 'Request Options',
	name: 'requestOptions',
	type: 'collection',
	isNodeSetting: true,
	placeholder: 'Add Option',
	default: {},
	options: Object.values(requestOptions).map(({ property }) => property),
};
