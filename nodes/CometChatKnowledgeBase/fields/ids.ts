import type { INodeProperties } from 'n8n-workflow';

import { UserError } from '../text/failure';
import { isRecord } from '../text/json';
import { invisibleCharacter, quotedValue } from '../text/quoting';
import type { InputItem } from './field';
import { choiceField } from './field';

/** Our choice: CometChat's IDs have 100 characters at most, and a longer text is a document in the wrong field. */
const LONGEST_ID = 255;

/** The texts about an ID. */
export interface IdLabel {
	/** The label of the field in quotes, or the place of the value in the field. */
	label: string;
	/** The advice for a value that is no ID. */
	hint: string;
}

/** Reads an ID that is valid as a part of a URL. */
export function readId(value: unknown, { label, hint }: IdLabel): string {
	const id = textOf(value);
	if (id === '') throw new UserError(`${label} is empty`, hint);
	// An ID that begins with a bracket is broken JSON, or `[object Object]`.
	if (id !== undefined && isAddressPart(id) && !/^[[{]/.test(id)) return id;
	throw new UserError(`${label} is ${quotedValue(value)}, which is not an ID`, hint);
}

/** Returns a text or a whole number as text; undefined for other values. */
function textOf(value: unknown): string | undefined {
	if (value === undefined || value === null) return '';
	if (typeof value === 'string') return value.trim();
	// Any other number has lost digits, and could be the ID of something else.
	return Number.isSafeInteger(value) && Number(value) >= 0 ? String(value) : undefined;
}

/** Whether a percent-encoded text is valid as a part of a URL. */
export function isAddressPart(text: string): boolean {
	const isStep = text === '' || text === '.' || text === '..';
	return !isStep && text.length <= LONGEST_ID && invisibleCharacter(text) === undefined;
}

/** Reads a resource locator, or an ID if the whole field is an expression. */
export function readLocator(value: unknown, wanted: IdLabel): string {
	return readId(isRecord(value) ? value.value : value, wanted);
}

/** The texts about a field with several IDs. */
export interface IdsLabel extends IdLabel {
	/** The keys of an object that may contain its ID, in order of preference. */
	keys: string[];
}

/**
 * Reads the IDs of a field in their order, without repetitions: a list of texts, whole numbers or objects that contain
 * IDs; one of these; a text with commas, semicolons or line breaks between the IDs; or a list as JSON text.
 */
export function readIds(value: unknown, { label, hint, keys }: IdsLabel): string[] {
	const ids = new Set<string>();
	for (const [at, entry] of entriesOf(value, keys).entries()) {
		const of = { label: at === 0 ? label : `Value ${at + 1} of ${label}`, hint };
		const id = readId(entry, of);
		if (NO_ID.test(id))
			throw new UserError(`${of.label} is ${quotedValue(id)}, which is not an ID`, hint);
		ids.add(id);
	}
	return [...ids];
}

/** Characters of sentences and of code that no ID contains. */
const NO_ID = /[\s"'`<>{}]/;

/** The bullet of a list, and quotation marks around an ID. */
const AROUND_ID = /^(?:[-*•]\s+)?["'`“”„]?|["'`“”]$/g;

function entriesOf(value: unknown, keys: string[]): unknown[] {
	if (value === undefined || value === null) return [];
	if (Array.isArray(value)) {
		return Array.from<unknown>(value).flatMap((one) =>
			isRecord(one) ? entriesOf(one, keys) : [unwrapped(one)],
		);
	}
	if (isRecord(value)) {
		const key = keys.find((one) => value[one] !== undefined && value[one] !== null);
		const found = key === undefined ? value : value[key];
		return Array.isArray(found) ? entriesOf(found, keys) : [unwrapped(found)];
	}
	if (typeof value !== 'string') return [value];
	const text = value.trim();
	const json = /^[[{]/.test(text) ? parsedJson(text) : text;
	if (json !== text) return entriesOf(json, keys);
	return text
		.split(/[,;，；\r\n]/)
		.filter((part) => part.trim() !== '')
		.map(unwrapped);
}

function unwrapped(entry: unknown): unknown {
	return typeof entry === 'string' ? entry.trim().replace(AROUND_ID, '') : entry;
}

/** Parses JSON; other texts stay, and are refused as IDs. */
function parsedJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

const by = choiceField({
	displayName: 'Choose Documents',
	name: 'filesBy',
	type: 'options',
	options: [
		{ name: 'From List', value: 'list', description: 'Choose from the documents in CometChat' },
		{ name: 'By ID', value: 'ids', description: 'Enter IDs, or use IDs from a previous node' },
	],
	default: 'ids',
	description: 'How to choose the documents',
});

const picked: INodeProperties = {
	displayName: 'Document Names or IDs',
	name: 'pickedFiles',
	type: 'multiOptions',
	typeOptions: {
		loadOptionsMethod: 'getFiles',
		// n8n compares the value of a resource locator: `uid` alone would be the same text for each agent.
		loadOptionsDependsOn: ['operation', 'uid.value'],
	},
	required: true,
	default: [],
	displayOptions: { show: { filesBy: ['list'] } },
	hint: "Lists up to 1,000 documents. For all other documents, use 'By ID'.",
	description:
		'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
};

const typed: INodeProperties = {
	displayName: 'File IDs',
	name: 'fileIds',
	displayOptions: { show: { filesBy: ['ids'] } },
	type: 'string',
	typeOptions: { rows: 3 },
	required: true,
	default: '',
	placeholder: 'e.g. 550e8400-e29b-41d4-a716-446655440000',
	hint: "To choose by name, set 'Choose Documents' to 'From List'",
	description:
		"The IDs of the documents: files, text entries or websites. Separate several IDs with commas or line breaks. An expression can also return a list of IDs, or items of 'Document: Upload' or 'Document: Get Many'.",
};

/**
 * `uniqueId` is the ID in CometChat's lists and text entries, and `uploadId` in the response to an upload
 * (https://www.cometchat.com/docs/ai-agents/apis/initiate-file-uploads). Not `id`, which is the ID of other services.
 */
export const FILE_IDS: IdsLabel = {
	label: "'File IDs'",
	hint: "Enter IDs of documents in CometChat, as 'Document: Upload' and 'Document: Get Many' return them. Use a list, or separate the IDs with commas or line breaks. To upload a file and add it to an agent, use 'Document: Upload'.",
	keys: ['uniqueId', 'uploadId', 'uniqueIds'],
};

const LEAVE_OUT = 'If some items have no IDs, remove them with a Filter node.';

/** Whether the documents are chosen from the list. */
export function isFromList({ value }: Pick<InputItem, 'value'>): boolean {
	return by.read(value(by.property.name)) === 'list';
}

/** Makes the fields for documents, by ID or from the list. Their value is a list of at least one ID. */
export function documentIds({
	hint,
	beforeIds = [],
}: { hint?: string; beforeIds?: INodeProperties[] } = {}) {
	return {
		properties: [{ ...by.property, ...(hint && { hint }) }, picked, ...beforeIds, typed],
		read: (item: InputItem): string[] => {
			// Only the shown field is read: the other field may still contain an old value.
			const chosen = isFromList(item) ? picked : typed;
			const label = `'${chosen.displayName}'`;
			const ids = readIds(item.value(chosen.name), { ...FILE_IDS, label });
			if (ids.length > 0) return ids;
			throw new UserError(`${label} is empty`, `${FILE_IDS.hint} ${LEAVE_OUT}`);
		},
		asked: (uniqueIds: string[]) => ({ uniqueIds }),
	};
}
