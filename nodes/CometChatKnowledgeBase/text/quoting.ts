/** The longest excerpt of a value in a message, in characters. */
const LONGEST_EXCERPT = 60;

/** Quotes a text from outside on one line, shortened, and with the code of each invisible character. */
export function quoted(text: string): string {
	const start = truncate(text, LONGEST_EXCERPT);
	const visible = start.replace(INVISIBLES, (character) => `(${codePoint(character)})`);
	return `"${withoutTags(visible)}"`;
}

/** Replaces angle brackets by similar characters, because n8n shows messages as HTML. */
export function withoutTags(message: string): string {
	return message.replace(/</g, '‹').replace(/>/g, '›');
}

/** Quotes a value of any type. */
export function quotedValue(value: unknown): string {
	return quoted(typeof value === 'object' ? JSON.stringify(value) : String(value).trim());
}

/** Returns the start of a text, with `…` for the rest, and without half a character at its end. */
export function truncate(text: string, longest: number): string {
	if (text.length <= longest) return text;
	return `${text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Control, format (zero-width, bidi) and line-separating characters, and lone surrogates. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const INVISIBLES = new RegExp(INVISIBLE, 'gu');

/** Returns the first invisible character of a text, as `U+200B`; undefined without one. */
export function invisibleCharacter(text: string): string | undefined {
	// Only the first character: a text may contain millions.
	const found = INVISIBLE.exec(text);
	return found === null ? undefined : codePoint(found[0]);
}

function codePoint(character: string): string {
	const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
	return `U+${hex.padStart(4, '0')}`;
}

/** More texts would hide the message. */
const MOST_LISTED = 5;

/** Returns the first texts, and the number of the others. */
export function firstOf(texts: readonly string[], most: number): string[] {
	const more = texts.length - most;
	return more > 0 ? [...texts.slice(0, most), `and ${more} more`] : [...texts];
}

export function joinLimited(texts: readonly string[], most = MOST_LISTED): string {
	return firstOf(texts, most).join(', ');
}

/** Returns the numbers of items, which users count from 1. */
export function itemNumbers(indexes: number[]): string {
	return joinLimited(indexes.map((index) => `${index + 1}`));
}

export function sentences(...parts: Array<string | false | undefined>): string {
	return parts.filter(Boolean).join(' ');
}
