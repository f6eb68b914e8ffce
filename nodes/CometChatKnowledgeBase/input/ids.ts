import { invisibleCharacter, listed, quoted } from '../values/quoting';
import { isRecord, readable, UserError } from '../values/userError';

/** Ours: CometChat's own IDs end at 100 characters; a longer text is a document that slipped into the wrong field. */
const LONGEST_ID = 1000;

/** Ours, too: addresses end at a few thousand. */
const LONGEST_PART = 255;

/** What an ID is read for. */
export interface Wanted {
	/** The field's, in quotes, or where in it the value stands. */
	label: string;
	/** What to give instead of what is no ID. */
	hint: string;
}

/** An ID as it goes into the body of a request. */
export function readId(value: unknown, { label, hint }: Wanted): string {
	return readable(label, () => {
		const id = textOf(value);
		if (id === '') throw new UserError(`${label} is empty`, hint);
		if (id !== undefined && isId(id)) return id;
		throw new UserError(`${label} is ${found(value)}, which is no ID`, hint);
	});
}

/** What is picked from a list or given by its ID: a resource locator, or the ID where an expression takes its place. */
export function readLocator(value: unknown, wanted: Wanted): string {
	return readAddressId(isRecord(value) ? value.value : value, wanted);
}

/** Reads 'Agent'. */
export function readUid(value: unknown): string {
	const hint = 'Pick the agent from the list, or give its ID.';
	return readLocator(value, { label: "'Agent'", hint });
}

/** It is a part of the address. */
export function readSourceType(value: unknown): string {
	const hint = 'Pick one of the types, or give the name that CometChat uses for it.';
	return readAddressId(value, { label: "'Source Type'", hint });
}

/** An ID that becomes one part of an address. */
export function readAddressId(value: unknown, wanted: Wanted): string {
	const id = readId(value, wanted);
	if (isAddressPart(id)) return id;
	throw new UserError(`${wanted.label} is ${quoted(id)}, which is no ID`, wanted.hint);
}

/**
 * Whether a text is one part of an address. What could end the part or climb out of it is refused rather than
 * encoded, because a gateway may decode it before it routes: slashes, percent signs (decoded twice, `%252e` is
 * a dot), dot segments, and what Unicode folds into any of these.
 */
export function isAddressPart(text: string): boolean {
	if (text === '' || text.length > LONGEST_PART || invisibleCharacter(text) !== undefined)
		return false;
	const folded = text.normalize('NFKC');
	return !/[/\\%]/.test(folded) && !/^\.+(?:;.*)?$/.test(folded);
}

/** Undefined for what is no text and no whole number. An expression that found nothing gives an empty text. */
function textOf(value: unknown): string | undefined {
	if (value === undefined || value === null) return '';
	if (typeof value === 'string') return value.trim();
	// Any other number has lost digits, and may have become the ID of something else.
	const isWhole = typeof value === 'bigint' || Number.isSafeInteger(value);
	return isWhole && Number(value) >= 0 ? String(value) : undefined;
}

/** What JavaScript writes for an object that stands inside a text is none. */
function isId(text: string): boolean {
	const isObject = text.startsWith('[object ');
	return !isObject && text.length <= LONGEST_ID && invisibleCharacter(text) === undefined;
}

/** What somebody has given instead of an ID, in words; of a file its name. */
function found(value: unknown): string {
	if (Array.isArray(value)) return 'a list';
	if (!isRecord(value)) return quoted(String(value));
	const name = [value.fileName, value.filename, value.name].find((one) => typeof one === 'string');
	if (typeof name === 'string') return quoted(name);
	return `an object that holds ${listed(Object.keys(value).map(quoted)) || 'nothing'}`;
}

/** What a field with several IDs holds. */
export interface WantedIds extends Wanted {
	/** What an entry that is an object has for its ID. */
	idIn(entry: Record<string, unknown>): unknown;
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
	{ label, hint, idIn }: WantedIds,
	pause: () => Promise<void>,
): Promise<string[]> {
	const ids = new Set<string>();
	let count = 0;
	for (const entry of entriesOf(value, { label, hint })) {
		if (count++ % AT_A_TIME === 0) await pause();
		const id = isRecord(entry) ? (idIn(entry) ?? entry) : entry;
		const place = count === 1 ? label : `Entry ${count} of ${label}`;
		ids.add(readId(id ?? '', { label: place, hint }));
	}
	return [...ids];
}

/** One after another: a text of megabytes is not split at once. */
function* entriesOf(value: unknown, { label, hint }: Wanted): Generator<unknown> {
	if (Array.isArray(value)) return yield* value;
	if (typeof value !== 'string')
		return value === undefined || value === null ? undefined : yield value;
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
