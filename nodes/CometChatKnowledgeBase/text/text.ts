import { UserError } from './failure';
import { quoted } from './quoting';

/** Reads the text of a field. A number is text, too, because spreadsheets turn texts such as "12" into numbers. */
export function readText(value: unknown, label: string, hint: string): string {
	if (typeof value === 'string') return value;
	if (typeof value === 'number' && Number.isFinite(value)) return String(value);
	throw new UserError(`${label} is ${whatIs(value)}`, hint);
}

/** Returns a URL; undefined for a text that is none. */
export function toUrl(text: string, base?: string): URL | undefined {
	// Not `URL.canParse`: once Node.js 20 has optimized it, it refuses letters such as ü.
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}

/** Describes a value that is no text. */
export function whatIs(value: unknown): string {
	if (value === undefined || value === null) return 'empty';
	if (Array.isArray(value)) return 'a list, not text';
	if (typeof value === 'object') return 'an object, not text';
	const isNamed = typeof value === 'boolean' || typeof value === 'number';
	return `${isNamed ? String(value) : `a ${typeof value}`}, not text`;
}

/** The words that JavaScript and n8n write for an expression without a value. */
const NOTHING = String.raw`undefined|null|NaN|\[object Object\]|Invalid [Dd]ate(?:Time)?`;

const ALL_NOTHING = new RegExp(`^(?:${NOTHING})$`);

const NOTHING_WITHIN = new RegExp(`(?<![\\p{L}\\p{N}])(?:${NOTHING})(?![\\p{L}\\p{N}])`, 'u');

/** Whether the whole text is such a word, because an expression found nothing. */
export function isNothing(text: string): boolean {
	return ALL_NOTHING.test(text.trim());
}

/** Returns the first such word in a text; undefined without one. */
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
