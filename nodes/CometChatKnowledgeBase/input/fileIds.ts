import { FIND_IDS } from '../results/advice';
import type { Fields, Skipped } from '../results/itemResult';
import { invisibleCharacter, quoted } from '../values/quoting';
import { readChoice } from '../values/switches';
import { UserError, isRecord, readable } from '../values/userError';
import { hasDocumentEnd } from './document';
import { parsedJson } from './ids';
import { choiceOption } from './options';

/** The IDs of one item, as they go into the request. */
export interface FileIds {
	/** In the order given, each once. Never empty. */
	ids: string[];
	/** How many entries were dropped because their ID stood in the list already. */
	repeated: number;
}

export const ifNoFileIdsOption = choiceOption({
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

/** An item that names no file at all: whether that is a mistake is for the user's option to say. */
export const NO_FILE_IDS = Symbol('no file IDs');

/**
 * Under which field an upload's record carries its ID, best first: `uniqueId` in the list of
 * knowledge base records and on text entries, `uploadId` in the answer to an upload
 * (https://www.cometchat.com/docs/ai-agents/apis/initiate-file-uploads). After them comes `id`, which is
 * what n8n's own nodes call it; those of other services do, too.
 */
const OWN_ID_FIELDS = ['uniqueId', 'uploadId'];

/**
 * Our limit: the service documents none, its examples have 24 and 36 characters, and a text longer
 * than this is a document that slipped into the wrong field.
 */
const LONGEST_ID = 1000;

const ACCEPTED =
	'Give a list of IDs, a list of objects (with uniqueId, uploadId or id), one ID, or IDs separated by commas or new lines.';

/**
 * Reads whatever 'File IDs' evaluated to: a list of texts, whole numbers or records that carry an
 * ID; one of these; IDs as text, separated by commas or new lines; or a list as JSON text.
 */
export function readFileIds(value: unknown): FileIds | typeof NO_FILE_IDS {
	return readable("'File IDs'", () => readList(value));
}

function readList(value: unknown): FileIds | typeof NO_FILE_IDS {
	const entries = idList(value, "'File IDs'");
	if (entries.length === 0) return NO_FILE_IDS;

	const ids = new Set<string>();
	// By index: a hole in a list is passed over by forEach, and must be found.
	for (let index = 0; index < entries.length; index++) {
		const id = readEntry(entries[index], nameOf(index, entries.length));
		ids.add(id);
	}
	return { ids: [...ids], repeated: entries.length - ids.size };
}

/** @param attached The names of the files that the item itself has. */
function empty(attached: string[]): UserError {
	const leaveOut = "To leave such items out, set 'If No File IDs' under Options to Skip the Item.";
	return attached.length === 0
		? new UserError(
				"'File IDs' is empty",
				`Check the expression in File IDs against this item's data. ${leaveOut}`,
			)
		: new UserError(
				`'File IDs' is empty, and the item has ${filesNamed(attached)}`,
				`${UPLOAD_FIRST} ${leaveOut}`,
			);
}

const UPLOAD_FIRST =
	'This operation takes the IDs of files that are in CometChat already. For a file itself, use Document: Upload: it brings the file there, and can add it to an agent at once.';

function filesNamed(names: string[]): string {
	const shown = names.slice(0, 5).map(quoted).join(', ');
	if (names.length === 1) return `a file (${shown})`;
	return `files (${shown}${names.length > 5 ? ', …' : ''})`;
}

/**
 * What to do if the service does not know a file, where something else than an ID may have been given;
 * undefined if nothing says so. Not refused before: an ID of one's own making may look like anything.
 */
export function insteadOfId(ids: string[], attached: string[]): string | undefined {
	const name = ids.find(hasDocumentEnd);
	if (name !== undefined) {
		return `${quoted(name)} looks like the name of a file, not like its ID. ${FIND_IDS}`;
	}
	if (attached.length === 0) return undefined;
	return `The item has ${filesNamed(attached)}: if that is the one, use Document: Upload.`;
}

/**
 * The IDs that CometChat's pages show: UUIDs wherever they are given out, and 24 hexadecimal digits in the
 * example of Add Files.
 */
const SHOWN_ON_PAGES = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{24})$/i;

/** Those that look otherwise, which proves nothing: of the live service nobody here knows more than its pages. */
export function unlikeIds(ids: string[]): string[] {
	return ids.filter((id) => !SHOWN_ON_PAGES.test(id));
}

/** The value of whichever field names the files (`filesFields`); an issue if it is not known which. */
export function filesReader(
	parameter: (name: string) => (index: number) => unknown,
): (index: number) => unknown {
	const byOf = parameter('filesBy');
	const pickedOf = parameter('pickedFiles');
	const idsOf = parameter('fileIds');
	return (index) => {
		// Not just one of the two: the other may still hold what was meant before.
		const by = readChoice(byOf(index), 'Documents', ['ids', 'list']);
		return by === 'list' ? pickedOf(index) : idsOf(index);
	};
}

/**
 * Reads what `filesReader` gives, with what the user chose for an item that names no file.
 *
 * @param requested What else the item asks for.
 * @param attached The names of the files that the item itself has.
 */
export function readFileIdsOrSkip(
	value: unknown,
	ifNoFileIds: 'fail' | 'skip',
	requested: Fields,
	attached: string[] = [],
): FileIds | Skipped {
	const fileIds = readFileIds(value);
	if (fileIds !== NO_FILE_IDS) return fileIds;
	if (ifNoFileIds === 'fail') throw empty(attached);
	const reason: string = "The item has no file IDs, and 'If No File IDs' is set to skip it";
	const json = { action: 'skipped' as const, success: false, ...requested, uniqueIds: [], reason };
	return { kind: 'skipped', json, warnings: ['Skipped, because no file IDs were given'] };
}

/**
 * What a field with IDs holds, entry by entry: a list, a text with commas or new lines, a list as JSON text.
 *
 * @param label The field's, in quotes.
 */
export function idList(value: unknown, label: string): unknown[] {
	if (value === undefined || value === null) return [];
	if (Array.isArray(value)) return value;
	if (typeof value !== 'string') return [value];

	const text = value.trim();
	if (/^[[{]/.test(text) && !isObjectAsText(text)) return parsedList(text, label);
	return text
		.split(/[,\r\n]/)
		.map((part) => part.trim())
		.filter((part) => part !== '');
}

function parsedList(text: string, label: string): unknown[] {
	const value = parsedJson(text);
	if (value === undefined) {
		throw new UserError(
			`${label} starts like JSON but is not complete JSON: ${quoted(text)}`,
			`Correct the brackets and quotes, or drag the field with the IDs into ${label} instead of writing it.`,
		);
	}
	return Array.isArray(value) ? value : [value];
}

/** Where an entry stands, in words: 'The 2nd entry of 'File IDs'', or the field alone if it is one. */
function nameOf(index: number, entries: number): string {
	return entries === 1 ? "'File IDs'" : `The ${ordinal(index + 1)} entry of 'File IDs'`;
}

function readEntry(entry: unknown, name: string): string {
	if (!isRecord(entry)) return readId(entry, name);

	for (const field of OWN_ID_FIELDS) {
		const id = entry[field];
		if (isGiven(id)) return readId(id, `${name} (its ${field})`);
	}
	const { id } = entry;
	const file = fileIn(entry, isGiven(id));
	if (file !== undefined) {
		throw new UserError(`${name} is a file (${quoted(file)}), and not the ID of one`, UPLOAD_FIRST);
	}
	if (isGiven(id)) return readId(id, `${name} (its id)`);
	const keys = Object.keys(entry);
	const found = keys.length === 0 ? 'nothing' : keys.slice(0, 5).map(quoted).join(', ');
	throw new UserError(`${name} is an object without an ID (it holds ${found})`, ACCEPTED);
}

/**
 * The name of a file that n8n or a service other than CometChat describes: n8n's binary data, what a form
 * gives of a file, an entry of a folder. Such an entry may have an `id`, which CometChat does not know.
 */
function fileIn(entry: Record<string, unknown>, hasId: boolean): string | undefined {
	const name = nameOfFile(entry, hasId);
	if (name !== undefined || hasId) return name;
	// All files of an item, by field; or all of its fields.
	const [first] = Object.values(entry);
	return isRecord(first) ? nameOfFile(first, isGiven(first.id)) : undefined;
}

function nameOfFile(entry: Record<string, unknown>, hasId: boolean): string | undefined {
	const name = [entry.fileName, entry.filename, entry.name].find(isText);
	if (name === undefined) return undefined;
	const types = [entry.mimeType, entry.mimetype, entry.type].filter(isText);
	const isTyped = types.some((type) => type.includes('/') || type === 'file');
	return isTyped || (!hasId && hasDocumentEnd(name)) ? name : undefined;
}

function isGiven(value: unknown): boolean {
	return value !== undefined && value !== null;
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value !== '';
}

/** What JavaScript writes for an object that stands inside a text. */
function isObjectAsText(text: string): boolean {
	return text.startsWith('[object ');
}

function readId(value: unknown, name: string): string {
	if (typeof value === 'bigint') {
		if (value < 0) throw new UserError(`${name} is a negative number, which is no ID`, ACCEPTED);
		return readId(value.toString(), name);
	}
	if (typeof value === 'number') return readNumber(value, name);
	if (typeof value !== 'string') throw new UserError(`${name} is ${kindOf(value)}`, ACCEPTED);

	const id = value.trim();
	if (id === '') throw new UserError(`${name} is an empty text`, ACCEPTED);
	if (isObjectAsText(id)) {
		throw new UserError(
			`${name} is ${quoted(id)}, which is what a file or another object turns into when it stands inside a text`,
			'If it is a file and not the ID of one, use Document: Upload. Otherwise let the expression be the only thing in the field: no text, no space and no line break around it.',
		);
	}
	const invisible = invisibleCharacter(id);
	if (invisible !== undefined) {
		throw new UserError(
			`${name} has an invisible character (${invisible}) in it: ${quoted(id)}`,
			'Type or copy the ID again without it. Several IDs in one text are separated by commas or new lines.',
		);
	}
	if (id.length > LONGEST_ID) {
		throw new UserError(
			`${name} has ${id.length} characters, which no ID has: ${quoted(id)}`,
			'Check that the field holds the ID of a file, not its content.',
		);
	}
	return id;
}

function readNumber(value: number, name: string): string {
	if (Number.isSafeInteger(value) && value >= 0) return String(value);
	throw new UserError(
		`${name} is the number ${value}, which is no ID`,
		Number.isInteger(value) && value > 0
			? 'A number this large has lost its last digits before it reached this node. Pass the ID as text.'
			: ACCEPTED,
	);
}

function kindOf(value: unknown): string {
	if (value === null) return 'null';
	if (value === undefined) return 'missing';
	if (Array.isArray(value)) return 'a list inside the list';
	if (typeof value === 'boolean') return `${value}`;
	return `a value of the kind ${typeof value}`;
}

function ordinal(position: number): string {
	const lastTwo = position % 100;
	const suffix =
		lastTwo >= 11 && lastTwo <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][position % 10] ?? 'th');
	return `${position}${suffix}`;
}
