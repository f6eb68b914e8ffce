/**
 * What is wrong with a value that somebody filled in, in words for that person.
 *
 * A reader of foreign values returns either the value or a `Complaint`; it never throws.
 */
export class Complaint {
	/**
	 * @param what One clause that names the field by its label and says what was found in it.
	 * @param remedy One or two sentences: what to do next.
	 */
	constructor(
		readonly what: string,
		readonly remedy: string,
	) {}
}

/** Longest excerpt of a foreign value in a message, in characters. */
const LONGEST_EXCERPT = 60;

/**
 * A foreign text as it may stand in a message: on one line, quoted, cut, and with every invisible
 * character spelled out, since that character is often the very thing to be found.
 */
export function quoted(text: string): string {
	const isCut = text.length > LONGEST_EXCERPT;
	const excerpt = isCut
		? text.slice(0, LONGEST_EXCERPT).replace(HALF_A_CHARACTER_AT_THE_END, '')
		: text;
	const visible = excerpt.replace(INVISIBLE, (character) => `(${codePoint(character)})`);
	return `"${visible}${isCut ? '…' : ''}"`;
}

const HALF_A_CHARACTER_AT_THE_END = /[\uD800-\uDBFF]$/;

/** Control, format (zero-width, bidi) and line-separating characters, and lone surrogates. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** The first character in `text` that nobody can see, as `U+200B`; undefined if there is none. */
export function invisibleCharacter(text: string): string | undefined {
	const found = text.match(INVISIBLE);
	return found?.[0] === undefined ? undefined : codePoint(found[0]);
}

function codePoint(character: string): string {
	const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
	return `U+${hex.padStart(4, '0')}`;
}

/** True for a plain object or any other non-null object that is no list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
