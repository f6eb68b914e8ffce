import type { INodeProperties } from 'n8n-workflow';

import { readable, UserError } from '../values/failure';
import { isRecord } from '../values/json';
import { invisibleCharacter, quoted } from '../values/quoting';
import type { FieldGroup } from './field';
import { choiceField } from './field';

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

/**
 * Whether a text is one part of an address. What could end the part or climb out of it is refused rather than
 * encoded, because a gateway may decode it before it routes: slashes, percent signs (decoded twice, `%252e` is
 * a dot), dot segments, and what Unicode folds into any of these.
 */
export function isAddressPart(text: string): boolean {
	if (text === '' || text.length > LONGEST_ID) return false;
	// Most are no more than this, and a run may have a hundred thousand.
	if (/^[\w-]+$/.test(text)) return true;
	const folded = text.normalize('NFKC');
	return (
		invisibleCharacter(text) === undefined &&
		!/[/\\%]/.test(folded) &&
		!/^\.+(?:;.*)?$/.test(folded)
	);
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

/**
 * The IDs of a field, each once, in the order given: a list of texts, whole numbers or objects that carry an ID; one of
 * these; a text with commas or new lines between them; or a list as JSON text.
 *
 * @param pause Is called for each entry, so that n8n gets its turns: a list may have a hundred thousand entries.
 */
export async function readIds(
	value: unknown,
	{ label, hint, keys }: IdsLabel,
	pause: () => Promise<void>,
): Promise<string[]> {
	const ids = new Set<string>();
	let count = 0;
	for (const entry of entriesOf(value, { label, hint })) {
		await pause();
		count += 1;
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
	read: async ({ value, pause }) => {
		// Not just one of the two: the other may still hold what was meant before.
		const isPicked = by.read(value('filesBy')) === 'list';
		const ids = await readIds(value(isPicked ? 'pickedFiles' : 'fileIds'), FILE_IDS, pause);
		if (ids.length > 0) return ids;
		const items = 'Leave out items without IDs before this node, for example with a Filter node.';
		throw new UserError("'File IDs' is empty", `${FILE_IDS.hint} ${items}`);
	},
	asked: (uniqueIds) => ({ uniqueIds }),
};
