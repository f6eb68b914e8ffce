import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { quoted } from '../values/quoting';
import { SOURCE_TYPES } from '../values/sourceTypes';
import { UserError } from '../values/userError';
import { composed } from './document';
import type { Field, FieldGroup, Option } from './field';
import { numberField, readOptions, readSwitch, switchField } from './field';
import { readLocator, readSourceType } from './ids';

/** What is picked from a list that can be searched, or given by its ID. */
export function pickedField(
	field: Pick<
		INodeProperties,
		'displayName' | 'name' | 'description' | 'hint' | 'displayOptions' | 'builderHint'
	>,
	list: { placeholder: string; searchListMethod: string },
	exampleId = '550e8400-e29b-41d4-a716-446655440000',
): INodeProperties {
	const { placeholder, searchListMethod } = list;
	return {
		...field,
		type: 'resourceLocator',
		required: true,
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder,
				typeOptions: { searchListMethod, searchable: true },
			},
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder: `e.g. ${exampleId}` },
		],
	};
}

export const agentField = pickedField(
	{
		displayName: 'Agent',
		name: 'uid',
		description: 'The agent whose knowledge base is changed',
		builderHint: {
			propertyHint: "The agent's uid, not its name. Agent: Get Many gives it for a name.",
		},
	},
	{ placeholder: 'Pick an agent…', searchListMethod: 'searchAgents' },
	'9f1c2d3e-4b5a-6c7d-8e9f-0a1b2c3d4e5f',
);

/** For operations that bring content, which no agent knows by itself. */
export const toAgentFields: INodeProperties[] = [
	{
		displayName: 'Add to Agent',
		name: 'addToAgent',
		type: 'boolean',
		default: true,
		description:
			"Whether to add it to an agent's knowledge base. Without that, no agent answers from it.",
	},
	{ ...agentField, displayOptions: { show: { addToAgent: [true] } } },
];

export const waitUntilIndexedField: INodeProperties = {
	displayName: 'Wait Until Indexed',
	name: 'waitUntilIndexed',
	type: 'boolean',
	default: true,
	description:
		'Whether to wait until CometChat has read the content, so that an agent can answer from it. If CometChat cannot read it, the item fails.',
};

export const binaryField: INodeProperties = {
	displayName: 'Input Data Field Name',
	name: 'binaryPropertyName',
	type: 'string',
	builderHint: {
		propertyHint:
			"The name of the input's binary field, such as data. Never the content of a file.",
	},
	required: true,
	default: '*',
	placeholder: 'e.g. data',
	hint: '* takes all files of an item. To take only some, type the names of their fields, as the Binary tab shows them.',
	description:
		'Leave it at * unless only some of the files are meant. Each file is a PDF, TXT, DOCX, CSV or MD, up to 50 MB. Several names are separated by commas; a name with * at its end, such as file_*, stands for all that start like it.',
};

/** For operations that take one file of an item. */
export const oneFileField: INodeProperties = {
	...binaryField,
	hint: '* takes the file of the item. If it has several, type the name of the right field, as the Binary tab shows it.',
	description:
		'Leave it at * if each item has one file. The file is a PDF, TXT, DOCX, CSV or MD, up to 50 MB.',
};

/** Read with the files themselves. */
export const nameOption: Option<unknown> = {
	property: {
		displayName: 'Name in CometChat',
		name: 'nameInCometChat',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.folder }}/{{ $json.fileName }}',
		description:
			'Add it if files of one name come from several folders: with the folder before it, Prices/list.pdf becomes "Prices - list.pdf". Empty, it is the file\'s own name. A missing ending, such as .pdf, is added. Each item may have its own.',
	},
	ifNotSet: '',
	read: (value) => value,
};

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

/**
 * One thing that is picked from a list or given by its ID, and comes to the ID.
 *
 * @param shows What a failed item calls it.
 */
function picker(property: INodeProperties, hint: string, shows: string): Field<string> {
	const wanted = { label: `'${property.displayName}'`, hint };
	return {
		property,
		read: (value) => readLocator(value, wanted),
		asked: (id) => ({ [shows]: id }),
	};
}

/** @param description What the agent is there for. */
export function agentPicker(description: string): Field<string> {
	const hint = 'Pick the agent from the list, or give its ID.';
	return picker({ ...agentField, description }, hint, 'uid');
}

export const documentPicker = picker(
	pickedField(
		{ displayName: 'Document', name: 'document', description: 'The file, text or website' },
		{ placeholder: 'Pick a document…', searchListMethod: 'searchDocuments' },
	),
	'Pick the document from the list, or give its ID.',
	'uniqueId',
);

export const websitePicker = picker(
	pickedField(
		{
			displayName: 'Website',
			name: 'website',
			description: 'The website, as Document: Get Many lists it',
		},
		{ placeholder: 'Pick a website…', searchListMethod: 'searchWebsites' },
	),
	'Pick the website from the list, or give its ID, which is not its address.',
	'uniqueId',
);

/** @param description What the text is there for. */
export function textPicker(description: string): Field<string> {
	const property = pickedField(
		{ displayName: 'Text', name: 'textId', description },
		{ placeholder: 'Pick a text…', searchListMethod: 'searchTexts' },
	);
	return picker(property, 'Pick the text from the list, or give its ID.', 'uniqueId');
}

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

/**
 * In milliseconds, as n8n has it. Ours is longer than the ten seconds of n8n's, which are for the first byte:
 * CometChat's pages name no time, and a request that is given up early may have been carried out.
 */
export const timeoutOption = numberField(
	{
		displayName: 'Timeout',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 3_600_000 },
		default: 60_000,
		description:
			'Time in ms to wait for the whole answer to a request before it is ended and sent again. A crawl and an upload have limits of their own.',
	},
	{ menu: "'Request Options' in the node's Settings" },
);

/** In the Settings tab, where each of n8n's declarative nodes has it. */
export const requestOptionsField: INodeProperties = {
	displayName: 'Request Options',
	name: 'requestOptions',
	type: 'collection',
	isNodeSetting: true,
	placeholder: 'Add Option',
	default: {},
	options: [timeoutOption.property],
};

/** How long an attempt may take. */
export function readTimeoutMs(collection: unknown): number {
	const option = readOptions([timeoutOption], collection);
	return option(timeoutOption);
}
