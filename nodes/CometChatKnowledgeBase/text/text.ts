import { UserError } from './failure';
import { quoted } from './quoting';

/**
 * The text of a field. A number is text wherever text is expected, because spreadsheets and forms make a number of what
 * was typed as a text.
 *
 * @param label The field's, in quotes.
 * @param hint What to give instead.
 * @throws UserError that says what the value is.
 */
export function readText(value: unknown, label: string, hint: string): string {
	if (typeof value === 'string') return value;
	if (typeof value === 'number' && Number.isFinite(value)) return String(value);
	throw new UserError(`${label} is ${whatIs(value)}`, hint);
}

/** A value that is no text, in words. */
export function whatIs(value: unknown): string {
	if (value === undefined || value === null) return 'empty';
	if (Array.isArray(value)) return 'a list, not text';
	if (typeof value === 'object') return 'an object, not text';
	const isNamed = typeof value === 'boolean' || typeof value === 'number';
	return `${isNamed ? String(value) : `a ${typeof value}`}, not text`;
}

/** The words that JavaScript and n8n write where an expression found nothing. */
const NOTHING = String.raw`undefined|null|NaN|\[object Object\]|Invalid [Dd]ate(?:Time)?`;

const ALL_NOTHING = new RegExp(`^(?:${NOTHING})$`);

const NOTHING_WITHIN = new RegExp(`(?<![\\p{L}\\p{N}])(?:${NOTHING})(?![\\p{L}\\p{N}])`, 'u');

/** Whether an expression found nothing, and wrote such a word as the whole text. */
export function isNothing(text: string): boolean {
	return ALL_NOTHING.test(text.trim());
}

/** The first such word in a text; undefined if there is none. */
export function findNothing(text: string): string | undefined {
	return NOTHING_WITHIN.exec(text)?.[0];
}

/** The failure of a field whose expression found nothing. */
export function foundNothing(label: string, text: string): UserError {
	return new UserError(
		`${label} is ${quoted(text)}: the expression found nothing`,
		'Check the expression against the data of this item.',
	);
}
