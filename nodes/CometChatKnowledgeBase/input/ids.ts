import type { INodeProperties } from 'n8n-workflow';

import { readable, UserError } from '../values/failure';
import { isRecord } from '../values/json';
import { invisibleCharacter, quoted } from '../values/quoting';
import type { FieldGroup } from './field';
import { choiceField, SkippedItem } from './field';

/** Ours: CometChat's own IDs end at 100 characters; a longer text is a document that slipped into the wrong field. */
const LONGEST_ID = 255;

/** What an ID is read for. */
export interface IdLabel {
	/** The field's, in quotes, or where in it the value stands. */
	label: string;
	/** What to give instead of what is no ID. */
	hint: string;
}

/** An ID: one part of an address. */
export function readId(value: unknown, { label, hint }: IdLabel): string {
	return readable(label, () => {
		const id = textOf(value);
		if (id === '') throw new UserError(`${label} is empty`, hint);
		// What JavaScript writes for an object that stands inside a text is none.
		if (id !== undefined && isAddressPart(id) && !id.startsWith('[object ')) return id;
		const found = typeof value === 'object' ? JSON.stringify(value) : String(value).trim();
		throw new UserError(`${label} is ${quoted(found)}, which is no ID`, hint);
	});
}

/** Undefined for what is no text and no whole number. An expression that found nothing gives an empty text. */
function textOf(value: unknown): string | undefined {
	if (value === undefined || value === null) return '';
	if (typeof value === 'string') return value.trim();
	// Any other number has lost digits, and may have become the ID of something else.
	return Number.isSafeInteger(value) && Number(value) >= 0 ? String(value) : undefined;
}

/** Whether a text can be one part of a URL, once it is percent-encoded. */
export function isAddressPart(text: string): boolean {
	const isStep = text === '' || text === '.' || text === '..';
	return !isStep && text.length <= LONGEST_ID && invisibleCharacter(text) === undefined;
}

/** What is picked from a list or given by its ID: a resource locator, or the ID where an expression takes its place. */
export function readLocator(value: unknown, wanted: IdLabel): string {
	return readId(isRecord(value) ? value.value : value, wanted);
}

/** Reads 'Agent'. */
export function readUid(value: unknown): string {
	const hint = 'Pick the agent from the list, or give its ID.';
	return readLocator(value, { label: "'Agent'", hint });
}

/** It is a part of the address. */
export function readSourceType(value: unknown): string {
	const hint = 'Pick one of the types, or give the name that CometChat uses for it.';
	return readId(value, { label: "'Source Type'", hint });
}

/** What a field with several IDs holds. */
export interface IdsLabel extends IdLabel {
	/** Where an entry that is an object has its ID, best first. */
	keys: string[];
}

/** So many entries take a few milliseconds. */
const AT_A_TIME = 1000;

/**
 * The IDs of a field, each once, in the order given: a list of texts, whole numbers or objects that carry an ID; one of
 * these; a text with commas or new lines between them; or a list as JSON text.
 *
 * @param pause Lets n8n do something else if it has waited for long: a list may have a hundred thousand entries.
 */
export async function readIds(
	value: unknown,
	{ label, hint, keys }: IdsLabel,
	pause: () => Promise<void>,
): Promise<string[]> {
	const ids = new Set<string>();
	let count = 0;
	for (const entry of entriesOf(value, { label, hint })) {
		if (count++ % AT_A_TIME === 0) await pause();
		const inEntry = isRecord(entry) ? keys.map((key) => entry[key] ?? undefined) : [];
		const id = inEntry.find((one) => one !== undefined) ?? entry;
		ids.add(readId(id, { label: count === 1 ? label : `Entry ${count} of ${label}`, hint }));
	}
	return [...ids];
}

/** One after another: a text of megabytes is not split at once. */
function* entriesOf(value: unknown, { label, hint }: IdLabel): Generator<unknown> {
	if (value === undefined || value === null) return;
	if (Array.isArray(value)) return yield* value;
	if (typeof value !== 'string') return yield value;
	const text = value.trim();
	if (/^[[{]/.test(text)) {
		const parsed = parsedJson(text);
		if (parsed === undefined)
			throw new UserError(`${label} is ${quoted(text)}, which is no ID`, hint);
		return yield* Array.isArray(parsed) ? parsed : [parsed];
	}
	for (const [part] of text.matchAll(/[^,\r\n]+/g)) if (part.trim() !== '') yield part;
}

/** Undefined for what is no JSON. */
function parsedJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

const by = choiceField({
	displayName: 'Documents',
	name: 'filesBy',
	type: 'options',
	options: [
		{ name: 'By ID', value: 'ids', description: 'From a step before, or typed in' },
		{ name: 'From List', value: 'list', description: 'Picked from what is in CometChat' },
	],
	default: 'ids',
	description: 'Pick From List if no earlier step gives the IDs',
});

const picked: INodeProperties = {
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
	hint: "Shows the newest 1,000, or the agent's own among them if it is to lose some; pick others by ID or by expression",
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
	hint: 'Drag in a field with the IDs, or type them: separated by commas or new lines',
	description:
		'The IDs of files, texts or websites: one ID, several separated by commas or new lines, a list of IDs, or a list of objects that have it as uniqueId or uploadId',
};

const ifNone = choiceField({
	displayName: 'If No File IDs',
	name: 'ifNoFileIds',
	type: 'options',
	options: [
		{
			name: 'Fail',
			value: 'fail',
			description: 'The item fails, because an empty list is often an accident',
		},
		{
			name: 'Skip the Item',
			value: 'skip',
			description: 'Nothing is sent for it, and the item says so',
		},
	],
	default: 'fail',
	description:
		'Change it if some items name no file on purpose. What to do with an item that has no file IDs.',
});

/**
 * `uniqueId` is the ID in the list of knowledge base records and on text entries, `uploadId` in the answer to an upload
 * (https://www.cometchat.com/docs/ai-agents/apis/initiate-file-uploads). No `id`: that is what other services call theirs.
 */
export const FILE_IDS: IdsLabel = {
	label: "'File IDs'",
	hint: 'Give the IDs of files that are in CometChat, as Document: Upload and Document: Get Many give them: a list, or a text with commas or new lines between them. For a file itself, use Document: Upload: it brings the file there, and can add it to an agent at once.',
	keys: ['uniqueId', 'uploadId'],
};

/** Which files, by ID or from the list: IDs, each once, never none. */
export const fileIds: FieldGroup<string[]> = {
	properties: [by.property, picked, typed],
	options: [ifNone],
	read: async ({ value, option, pause }) => {
		// Not just one of the two: the other may still hold what was meant before.
		const isPicked = by.read(value('filesBy')) === 'list';
		const ids = await readIds(value(isPicked ? 'pickedFiles' : 'fileIds'), FILE_IDS, pause);
		if (ids.length > 0) return ids;
		if (option(ifNone) === 'skip') {
			const reason = "The item has no file IDs, and 'If No File IDs' is set to skip it";
			throw new SkippedItem(reason, { uniqueIds: [] });
		}
		const leaveOut =
			"To leave such items out, set 'If No File IDs' under Options to Skip the Item.";
		throw new UserError("'File IDs' is empty", `${FILE_IDS.hint} ${leaveOut}`);
	},
	asked: (uniqueIds) => ({ uniqueIds }),
};

/** The IDs that CometChat's pages show: UUIDs, and 24 hexadecimal digits in the example of Add Files. */
const SHOWN_ON_PAGES = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{24})$/i;

/** Those that look otherwise, which proves nothing: of the live service nobody here knows more than its pages. */
export function unlikeIds(ids: string[]): string[] {
	return ids.filter((id) => !SHOWN_ON_PAGES.test(id));
}
