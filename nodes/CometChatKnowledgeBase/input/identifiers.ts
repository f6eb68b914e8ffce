import { UserError, isRecord, readable } from '../values/userError';
import { invisibleCharacter, quoted } from '../values/quoting';

/** Reads 'Agent'. */
export function readUid(value: unknown): string {
	return readLocator(value, "'Agent'", 'Pick the agent from the list, or give its ID.');
}

/** Reads 'Document' in the same way. */
export function readDocumentId(value: unknown): string {
	return readLocator(value, "'Document'", 'Pick the document from the list, or give its ID.');
}

/** Reads 'Website' in the same way. */
export function readWebsiteId(value: unknown): string {
	return readLocator(
		value,
		"'Website'",
		'Pick the website from the list, or give its ID, which is not its address.',
	);
}

/** Reads the picker of a text. */
export function readTextLocator(value: unknown): string {
	return readLocator(value, "'Text'", 'Pick the text from the list, or give its ID.');
}

/** A resource locator, or the ID itself where an expression replaced the locator. */
export function readLocator(value: unknown, label: string, remedy: string): string {
	return readable(label, () => readPathValue(isRecord(value) ? value.value : value, label, remedy));
}

export function readSourceType(value: unknown): string {
	return readPathValue(
		value,
		"'Source Type'",
		'Pick one of the types, or give the name that CometChat uses for it.',
	);
}

/** Our limit: CometChat's own IDs end at 100 characters, and addresses at a few thousand. */
const LONGEST_PATH_VALUE = 255;

/**
 * A value that becomes one segment of the path. What could end the segment or climb out of it is
 * refused rather than encoded, because a gateway may decode it before it routes: slashes, percent
 * signs (decoded twice, `%252e` is a dot), dot segments, and what Unicode folds into any of these.
 */
export function readPathValue(value: unknown, label: string, remedy: string): string {
	const text = readIdText(value, label, remedy);

	const trimmed = text.trim();
	if (trimmed === '') throw new UserError(`${label} is empty`, remedy);
	const invisible = invisibleCharacter(trimmed);
	if (invisible !== undefined) {
		throw new UserError(
			`${label} has an invisible character (${invisible}) in it: ${quoted(trimmed)}`,
			remedy,
		);
	}
	if (trimmed.length > LONGEST_PATH_VALUE) {
		throw new UserError(
			`${label} has ${trimmed.length} characters, more than an ID can have: ${quoted(trimmed)}`,
			remedy,
		);
	}
	const folded = trimmed.normalize('NFKC');
	if (/[/\\%]/.test(folded) || /^\.+(?:;.*)?$/.test(folded)) {
		throw new UserError(
			`${label} is ${quoted(trimmed)}, and an address can't hold that as one ID`,
			`${remedy} Slashes, backslashes, percent signs and lone dots are not sent.`,
		);
	}
	return trimmed;
}

function readIdText(value: unknown, label: string, remedy: string): string {
	// Any other number is no ID, or has lost digits and may have become the ID of something else.
	if (typeof value === 'number' && !(Number.isSafeInteger(value) && value >= 0)) {
		throw new UserError(
			`${label} is the number ${value}, which is no ID`,
			`${remedy} Pass an ID with that many digits as text.`,
		);
	}
	const text = typeof value === 'number' ? String(value) : value;
	if (text === undefined || text === null) {
		throw new UserError(`${label} is empty`, remedy);
	}
	if (!(typeof text === 'string')) throw new UserError(`${label} is not a text`, remedy);
	return text;
}
