import { UserError } from './failure';

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
