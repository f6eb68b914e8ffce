import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { SOURCE_TYPES } from '../values/sourceTypes';
import type { Range } from './options';
import {
	MAX_ANSWER,
	MAX_ATTEMPTS,
	MAX_CHARACTERS,
	MAX_FILE_IDS,
	MAX_INDEXING,
	MAX_REQUESTS,
	MAX_SHARE,
	MAX_WAIT,
	PARALLEL_REQUESTS,
	TIMEOUT,
	RUNS_MISSING,
} from './options';

/** What is picked from a list that can be searched, or given by its ID. */
export function pickedField(
	field: Pick<INodeProperties, 'displayName' | 'name' | 'description' | 'hint' | 'displayOptions'>,
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
	{ displayName: 'Agent', name: 'uid', description: 'The agent whose knowledge base is changed' },
	{ placeholder: 'Pick an agent…', searchListMethod: 'searchAgents' },
	'9f1c2d3e-4b5a-6c7d-8e9f-0a1b2c3d4e5f',
);

/** For operations that bring content, which no agent knows by itself. */
export const addToAgentFields: INodeProperties[] = [
	{
		displayName: 'Add to Agent',
		name: 'addToAgent',
		type: 'boolean',
		default: true,
		description:
			"Whether to add it to an agent's knowledge base. Without that, no agent answers from it.",
	},
	{ ...agentField, displayOptions: { show: { addToAgent: [true] } } },
	{
		displayName: 'Wait Until Indexed',
		name: 'waitUntilIndexed',
		type: 'boolean',
		default: true,
		description:
			'Whether to wait until CometChat has read the content, so that an agent can answer from it. If CometChat cannot read it, the item fails.',
	},
];

export const binaryField: INodeProperties = {
	displayName: 'Input Data Field Name',
	name: 'binaryPropertyName',
	type: 'string',
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
	default: 'data',
	hint: 'Type the name of the field with the file: it stands in the Binary tab of the input',
	description:
		'Leave it as it is if each item has one file. The file is a PDF, TXT, DOCX, CSV or MD, up to 50 MB.',
};

export const showAgentsOption: INodeProperties = {
	displayName: 'Show Agents',
	name: 'showAgents',
	type: 'boolean',
	default: false,
	description:
		'Whether to name the agents that have each document, and to say where CometChat does not tell',
};

export const maxCharactersOption = numberOption(
	'maxCharacters',
	MAX_CHARACTERS,
	'Set it for an AI agent, or where a long text is too much. How many characters of a document the output has at most; it says so if there are more. Without it, all of them.',
);

export const contentTypeOption: INodeProperties = {
	displayName: 'Source Type',
	name: 'contentType',
	type: 'options',
	options: [
		{
			name: 'As CometChat Lists It',
			value: 'listed',
			description: 'Looked up in the list of the account',
		},
		...SOURCE_TYPES.map(({ name, value, description }) => ({ name, value, description })),
	],
	default: 'listed',
	description:
		'Change it if the document is not in the list yet, or to save looking it up. What kind of document it is.',
};

export const answerModeOption: INodeProperties = {
	displayName: 'How Many Must Be There',
	name: 'answerMode',
	type: 'options',
	options: [
		{ name: 'All of Them', value: 'all', description: 'The answer must contain each text' },
		{ name: 'One of Them', value: 'one', description: 'One of the texts is enough' },
	],
	default: 'all',
	description:
		'Change it if a right answer may be worded in several ways. How many of the texts in Answer Must Contain the answer must contain.',
};

export const ifCheckFailsOption: INodeProperties = {
	displayName: 'If the Check Fails',
	name: 'ifCheckFails',
	type: 'options',
	options: [
		{ name: 'Fail', value: 'fail', description: 'The item fails, and its error has the answer' },
		{
			name: 'Give It as a Result',
			value: 'result',
			description: 'The output says that the answer has not passed, and what it lacks',
		},
	],
	default: 'result',
	description:
		'Change it if a wrong answer is to stop the workflow. What to do if the answer does not contain what it must.',
};

export const keepMessagesOption: INodeProperties = {
	displayName: 'Keep Messages',
	name: 'keepMessages',
	type: 'boolean',
	default: false,
	description:
		'Whether, to look at them later, question and answer stay in the chat of the user. If off, both are deleted for good.',
};

export const maxAnswerOption = numberOption(
	'maxAnswerSeconds',
	MAX_ANSWER,
	'Raise it for an agent that uses tools. How long to wait at most for the answer.',
);

export const maxIndexingOption = numberOption(
	'maxIndexingMinutes',
	MAX_INDEXING,
	'Raise it for very long files. How long to wait at most until CometChat has read the content of an item.',
);

export const maxShareOption = numberOption(
	'maxShareToRemove',
	MAX_SHARE,
	'Raise it for a small folder that changes a lot. If this share of the files or more is missing at once, none is taken out: the folder may not have been read to its end. 100 allows all.',
);

export const runsMissingOption = numberOption(
	'runsMissing',
	RUNS_MISSING,
	'Raise it if downloads fail now and then. How many runs in a row must have come without a file before the next one takes it out.',
);

export const wholeFolderOption: INodeProperties = {
	displayName: 'Each Call Has the Whole Folder',
	name: 'wholeFolder',
	type: 'boolean',
	default: false,
	description:
		'Whether each call of this node brings all files of the folder. What a call lacks is then gone at once. If n8n calls the node several times, for branches, loops or batches, the files of the other calls count as gone.',
};

export const onlyThisFolderOption: INodeProperties = {
	displayName: 'Only This Folder',
	name: 'onlyThisFolder',
	type: 'boolean',
	default: false,
	description:
		'Whether the agent is to know this folder and nothing else. Any other uploaded file is taken from it at once, wherever it came from, as Files No Longer in the Folder says. Try it with Dry Run first.',
};

/** How much of a list is wanted; read by `readLimit`. */
export const limitFields: INodeProperties[] = [
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
];

/** For operations that pass on what the service gives; read by `readSwitch`. */
export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simple',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

export const LEAVE_AT_UPLOADS = 'Leave it at Uploads for files that were uploaded';

const addableTypes: INodePropertyOptions[] = [
	...SOURCE_TYPES.map(({ name, value, description }) => ({ name, value, description })),
	{
		name: 'Knowledge Base',
		value: 'knowledge-base',
		description: 'A type that CometChat names and does not explain',
	},
];

export const sourceTypeField: INodeProperties = {
	displayName: 'Source Type',
	name: 'sourceType',
	type: 'options',
	options: addableTypes,
	default: 'uploads',
	hint: LEAVE_AT_UPLOADS,
	description:
		'What kind of document the IDs belong to, as Document: Get Many lists them. An expression can give any other type, which is sent as it is.',
};

export const sourceTypesFilter: INodeProperties = {
	displayName: 'Source Type',
	name: 'sourceTypes',
	type: 'multiOptions',
	options: SOURCE_TYPES.map(({ name, value, description }) => ({ name, value, description })),
	default: [],
	description: 'Only documents of one of these types',
};

export const nameFilter: INodeProperties = {
	displayName: 'Name Contains',
	name: 'nameContains',
	type: 'string',
	default: '',
	placeholder: 'e.g. price list',
	description:
		'Only documents with this text in their name; upper and lower case are the same. The name is that of the file, or the title of the text.',
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
	description: 'Pick From List if no earlier step gives the IDs',
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
	hint: 'Shows the newest 1,000 of the account; pick others by ID or by expression',
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
		'The IDs of the files to add or remove: one ID, several separated by commas or new lines, a list of IDs, or a list of objects that have it as uniqueId or uploadId',
};

/** One document; read by `readDocumentId`. */
export const documentField = pickedField(
	{ displayName: 'Document', name: 'document', description: 'The file, text or website' },
	{ placeholder: 'Pick a document…', searchListMethod: 'searchDocuments' },
);

/** One website; read by `readWebsiteId`. */
export const websiteField = pickedField(
	{
		displayName: 'Website',
		name: 'website',
		description: 'The website, as Website: Get Many lists it',
	},
	{ placeholder: 'Pick a website…', searchListMethod: 'searchWebsites' },
);

/** Which files, by ID or from the list; `filesReader` reads them. */
export const filesFields = [filesByField, pickedFilesField, fileIdsField];

const OWN_FILES =
	"Shows the agent's own files where CometChat tells which they are, otherwise the newest 1,000 of the account";

/** Which files of those that an agent has. */
export const ownFilesFields = filesFields.map((field) =>
	field === pickedFilesField ? { ...field, hint: OWN_FILES } : field,
);

export const ifNameExistsOption: INodeProperties = {
	displayName: 'If the Name Is There',
	name: 'ifNameExists',
	type: 'options',
	options: [
		{
			name: 'Add Another',
			value: 'add',
			description: 'Both are there then, and a warning names the older one',
		},
		{
			name: 'Fail',
			value: 'fail',
			description: 'The item fails before anything is sent for it',
		},
		{
			name: 'Replace',
			value: 'replace',
			description:
				'The agent gets the new one once it is indexed. Then the old one is taken from the agent, and deleted if no other agent has it.',
		},
		{
			name: 'Skip',
			value: 'skip',
			description: 'What is there stays as it is, and the new one is not sent',
		},
	],
	default: 'add',
	description:
		'Change it if the same name comes again. What to do if the agent already has a document of this name. If it goes to no agent, those of the account count.',
};

export const ifNoFileIdsOption: INodeProperties = {
	displayName: 'If No File IDs',
	name: 'ifNoFileIds',
	type: 'options',
	options: [
		{
			name: 'Fail',
			value: 'fail',
			description: 'The item fails: an empty list is often an accident',
		},
		{
			name: 'Skip the Item',
			value: 'skip',
			description: 'Nothing is sent for the item, and its output says so',
		},
	],
	default: 'fail',
	description:
		'Change it if some items name no file on purpose. What to do with an item that has no file IDs.',
};

export const checkIdsOption: INodeProperties = {
	displayName: 'Check IDs First',
	name: 'checkIds',
	type: 'boolean',
	default: false,
	description:
		'Whether to ask CometChat for the status of all IDs before anything is sent, up to 100 in one request. An item with an ID that CometChat does not seem to know fails; in a workflow that stops on errors, nothing is sent then. It does not check Source Type.',
};

export const ifAgentsHaveItOption: INodeProperties = {
	displayName: 'If Agents Have It',
	name: 'ifAgentsHaveIt',
	type: 'options',
	options: [
		{ name: 'Delete', value: 'delete', description: 'They lose it' },
		{
			name: 'Fail',
			value: 'fail',
			description:
				'It is not deleted, and the error names the agents. It fails, too, where CometChat does not tell which agents have it.',
		},
	],
	default: 'delete',
	description:
		'Change it to delete only what no agent answers from. What to do with a document that agents have.',
};

export const ifGoneOption: INodeProperties = {
	displayName: 'If Already Gone',
	name: 'ifGone',
	type: 'options',
	options: [
		{
			name: 'Count as Deleted',
			value: 'deleted',
			description: 'The output names what was gone. A run that was broken off can so be run again.',
		},
		{
			name: 'Fail',
			value: 'fail',
			description: 'The item fails: otherwise nobody would notice a wrong ID',
		},
	],
	default: 'fail',
	description:
		'Change it to repeat a run that was broken off. What to do with a document that CometChat does not have.',
};

const keepOrder: INodeProperties = {
	displayName: 'Keep Order per Agent',
	name: 'keepOrder',
	type: 'boolean',
	default: true,
	description:
		'Whether to send the items of one agent one after another, in input order. Switch it off only if order does not matter: changes of one agent at the same time could overwrite each other. Different agents are always sent side by side.',
};

const combineItems: INodeProperties = {
	displayName: 'Send in Bundles',
	name: 'combineItems',
	type: 'boolean',
	default: false,
	description:
		'Whether items of the same agent and source type share requests. Switch it on for hundreds of items: it is faster, and each input item still has its output item.',
};

const maxFileIdsPerRequest = numberOption(
	'maxFileIdsPerRequest',
	MAX_FILE_IDS,
	'Lower it if CometChat refuses long lists. How many file IDs one request holds at most; an item with more is sent in several. Without this option an item has one request, whatever it holds; a bundle has up to 100 IDs.',
);

const splitRefused: INodeProperties = {
	displayName: 'Split Refused Bundles',
	name: 'splitRefused',
	type: 'boolean',
	default: true,
	displayOptions: { show: { combineItems: [true] } },
	description:
		'Whether to send a bundle that CometChat refuses again in halves, until the refused file stands alone. If off, all items of the bundle fail.',
};

/** Where items can share requests. */
export const bundlingOptions = [keepOrder, combineItems, maxFileIdsPerRequest, splitRefused];

/** How requests are sent: the same for every operation. */
const sending = [
	numberOption(
		'maxAttempts',
		MAX_ATTEMPTS,
		'Raise it if CometChat is often busy. How often a request is sent at most when CometChat is busy or the connection is lost, the first time included; only what is affected is sent again.',
	),
	numberOption(
		'maxRequestsPerMinute',
		MAX_REQUESTS,
		'Set it if other programs use the same plan. Spaces requests evenly, so that the limit is not hit in the first place; the free plan allows 500. Without it the node slows down once CometChat asks for it.',
	),
	numberOption(
		'maxWaitSeconds',
		MAX_WAIT,
		'Raise it if items fail because CometChat asks for a longer pause. The longest pause before a request is sent again.',
	),
	numberOption(
		'parallelRequests',
		PARALLEL_REQUESTS,
		'Lower it if CometChat often asks to slow down. How many requests may be under way at once. Files on their way to the upload host count apart: five times as many, at most 50; with 1, one thing after another.',
	),
	numberOption(
		'timeoutSeconds',
		TIMEOUT,
		'Raise it on a slow connection. How long a request may take, its whole answer included, before it is ended and the item is sent again. A file has a second more for each of its 64 KB.',
	),
];

/** How requests are sent, and what only this operation or a few have: one list, to find by name. */
export function optionsField(...own: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [...sending, ...own].sort((one, other) =>
			one.displayName < other.displayName ? -1 : 1,
		),
	};
}

export function numberOption(name: string, range: Range, description: string): INodeProperties {
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
