import type { INodeProperties } from 'n8n-workflow';

import type { Range } from './options';
import {
	MAX_ATTEMPTS,
	MAX_FILE_IDS,
	MAX_INDEXING,
	MAX_REQUESTS,
	MAX_WAIT,
	PARALLEL_REQUESTS,
	TIMEOUT,
} from './options';

export const agentField: INodeProperties = {
	displayName: 'Agent',
	name: 'uid',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description: 'The agent whose knowledge base is changed',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Pick an agent…',
			typeOptions: { searchListMethod: 'searchAgents', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 9f1c2d3e-4b5a-6c7d-8e9f-0a1b2c3d4e5f',
		},
	],
};

/** For operations that can do without an agent. */
export const addToAgentFields: INodeProperties[] = [
	{
		displayName: 'Wait Until Indexed',
		name: 'waitUntilIndexed',
		type: 'boolean',
		default: false,
		description:
			'Whether to wait until CometChat has read the content, so that an agent can answer from it. If it can not be read, the item fails.',
	},
	{
		displayName: 'Add to Agent',
		name: 'addToAgent',
		type: 'boolean',
		default: false,
		description: "Whether to attach it to an agent's knowledge base at once",
	},
	{ ...agentField, displayOptions: { show: { addToAgent: [true] } } },
];

export const binaryField: INodeProperties = {
	displayName: 'Input Data Field Name',
	name: 'binaryPropertyName',
	type: 'string',
	required: true,
	default: 'data',
	placeholder: 'e.g. data',
	hint: 'The name of the input field containing the file data to be uploaded',
	description:
		'The binary field of the input that holds the file: PDF, TXT, DOCX, CSV or MD, up to 50 MB. Several names are separated by commas; a name with * at its end, such as file_*, stands for all that start like it.',
};

export const maxIndexingOption = numberOption(
	'maxIndexingMinutes',
	MAX_INDEXING,
	'How long to wait at most until CometChat has read the content of an item',
);

export const sourceTypeField: INodeProperties = {
	displayName: 'Source Type',
	name: 'sourceType',
	type: 'options',
	options: [
		{
			name: 'Uploads',
			value: 'uploads',
			description:
				'Files that were uploaded, such as PDF or Word. Takes the uploadId of the upload.',
		},
		{
			name: 'Text',
			value: 'text',
			description: 'Texts that were written in CometChat. Takes the uniqueId of the text entry.',
		},
		{
			name: 'Website',
			value: 'website',
			description:
				'Web pages that CometChat has read. Takes the uniqueId of the record, not the crawl ID.',
		},
		{
			name: 'Knowledge Base',
			value: 'knowledge-base',
			description:
				"Records of CometChat's own type 'knowledge-base'. Takes the uniqueId of the record.",
		},
	],
	default: 'uploads',
	description:
		'Where the files came from. Leave it at Uploads for files that an earlier step uploaded. CometChat has no complete public list of types: an expression can give any other, which is sent as it is.',
};

const filesByField: INodeProperties = {
	displayName: 'Files',
	name: 'filesBy',
	type: 'options',
	options: [
		{ name: 'By ID', value: 'ids', description: 'From a step before, or typed in' },
		{ name: 'From List', value: 'list', description: 'Picked from what is in CometChat' },
	],
	default: 'ids',
	description: 'How to say which files',
};

const pickedFilesField: INodeProperties = {
	displayName: 'File Names or IDs',
	name: 'pickedFiles',
	type: 'multiOptions',
	typeOptions: {
		loadOptionsMethod: 'getFiles',
		// Of a resource locator n8n compares the value: 'uid' would be one text for every agent.
		loadOptionsDependsOn: ['sourceType', 'operation', 'uid.value'],
	},
	required: true,
	default: [],
	displayOptions: { show: { filesBy: ['list'] } },
	hint: 'Looks through the newest 1,000 entries of the account',
	description:
		'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
};

const fileIdsField: INodeProperties = {
	displayName: 'File IDs',
	name: 'fileIds',
	displayOptions: { show: { filesBy: ['ids'] } },
	type: 'string',
	typeOptions: { rows: 3 },
	required: true,
	default: '',
	placeholder: 'e.g. 550e8400-e29b-41d4-a716-446655440000',
	hint: 'Drag in a field with the IDs, or type them: separated by commas or new lines',
	description:
		'The IDs of the files to add or remove: one ID, several separated by commas or new lines, a list of IDs, or a list of upload records that hold it as uniqueId or uploadId',
};

/** Which files, by ID or from the list; `filesReader` reads them. */
export const filesFields = [filesByField, pickedFilesField, fileIdsField];

const OWN_FILES =
	"Shows the agent's own files where CometChat tells which they are, otherwise the newest 1,000 of the account";

/** The same of what an agent has. */
export const ownFilesFields = filesFields.map((field) =>
	field === pickedFilesField ? { ...field, hint: OWN_FILES } : field,
);

export const ifNoFileIdsOption: INodeProperties = {
	displayName: 'If No File IDs',
	name: 'ifNoFileIds',
	type: 'options',
	options: [
		{
			name: 'Fail',
			value: 'fail',
			description:
				'The item counts as failed, since a list that is empty by accident is lost otherwise',
		},
		{
			name: 'Skip the Item',
			value: 'skip',
			description: 'Nothing is sent for the item, and its output says so',
		},
	],
	default: 'fail',
	description: 'What to do with an item that has no file IDs',
};

export const ifGoneOption: INodeProperties = {
	displayName: 'If Already Gone',
	name: 'ifGone',
	type: 'options',
	options: [
		{
			name: 'Count as Deleted',
			value: 'deleted',
			description:
				'The output names the files that were gone, so that a run that was broken off can be run again',
		},
		{
			name: 'Fail',
			value: 'fail',
			description: 'The item counts as failed, since a wrong ID is not noticed otherwise',
		},
	],
	default: 'fail',
	description: 'What to do with a file that CometChat does not have',
};

export const keepOrderOption: INodeProperties = {
	displayName: 'Keep Order per Agent',
	name: 'keepOrder',
	type: 'boolean',
	default: true,
	description:
		'Whether the items of one agent are sent one after another, in input order. Changes of one agent at the same time could overwrite each other, and a run that stops leaves each agent done up to a clear point. Different agents are always sent side by side.',
};

const combineItems: INodeProperties = {
	displayName: 'Combine Items',
	name: 'combineItems',
	type: 'boolean',
	default: false,
	description:
		'Whether items of the same agent and source type share requests: fewer requests, faster, and one output item for each input item all the same',
};

const maxFileIdsPerRequest = numberOption(
	'maxFileIdsPerRequest',
	MAX_FILE_IDS,
	'How many file IDs one request holds at most. An item with more is sent in several requests. Without this option an item has one request, whatever it holds; combined items share up to 100 IDs.',
);

const splitRefused: INodeProperties = {
	displayName: 'Split Refused Requests',
	name: 'splitRefused',
	type: 'boolean',
	default: true,
	displayOptions: { show: { combineItems: [true] } },
	description:
		'Whether a combined request that CometChat refuses is sent again in halves until the file that it refuses stands alone, so that no other file suffers for it. If off, all items of the request fail.',
};

/** Several items in one request. */
export const combining = [combineItems, maxFileIdsPerRequest, splitRefused];

const maxAttempts = numberOption(
	'maxAttempts',
	MAX_ATTEMPTS,
	'How often an item is sent at most when CometChat is busy or the connection is lost, the first time included. Only the affected item is sent again, or the affected request of combined ones.',
);

const maxRequestsPerMinute = numberOption(
	'maxRequestsPerMinute',
	MAX_REQUESTS,
	'Spaces requests evenly, so that a limited plan is not hit in the first place. The free plan allows 500. Without this option the node slows down once CometChat asks for it.',
);

const maxWaitSeconds = numberOption(
	'maxWaitSeconds',
	MAX_WAIT,
	'The longest pause before an item is sent again. If CometChat asks for a longer one, the item fails and says so.',
);

const parallelRequests = numberOption(
	'parallelRequests',
	PARALLEL_REQUESTS,
	'How many requests may be under way at once',
);

const timeoutSeconds = numberOption(
	'timeoutSeconds',
	TIMEOUT,
	'How long a request may take, its whole answer included, before it is ended and the item is sent again. An upload has a second more for each 64 KB of the file.',
);

/** How requests are sent: the same for every operation. */
const sending = [
	maxAttempts,
	maxRequestsPerMinute,
	maxWaitSeconds,
	parallelRequests,
	timeoutSeconds,
];

/** 'Options' with those of an operation and those that all have, by name. */
export function optionsField(own: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [...own, ...sending].sort((one, other) =>
			one.displayName < other.displayName ? -1 : 1,
		),
	};
}

function numberOption(name: string, range: Range, description: string): INodeProperties {
	// A name of its own: n8n's lint takes `default: range.default` for a missing default.
	const { default: byDefault } = range;
	return {
		displayName: range.label,
		name,
		type: 'number',
		typeOptions: { minValue: range.min, maxValue: range.max },
		default: byDefault,
		description,
	};
}
