/** Longest excerpt of a foreign value in a message, in characters. */
const LONGEST_EXCERPT = 60;

/**
 * A foreign text as it may stand in a message: on one line, quoted, cut, and with every invisible
 * character spelled out, since that character is often the very thing to be found. Angle brackets
 * become others that look alike, because n8n shows some messages as HTML.
 */
export function quoted(text: string): string {
	const visible = cut(text, LONGEST_EXCERPT)
		.replace(INVISIBLES, (character) => `(${codePoint(character)})`)
		.replace(/</g, '‹')
		.replace(/>/g, '›');
	return `"${visible}"`;
}

/** The start of a text, with `…` for what is left off, and never half a character at its end. */
export function cut(text: string, longest: number): string {
	if (text.length <= longest) return text;
	return `${text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Control, format (zero-width, bidi) and line-separating characters, and lone surrogates. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const INVISIBLES = new RegExp(INVISIBLE, 'gu');

/** The first character in `text` that nobody can see, as `U+200B`; undefined if there is none. */
export function invisibleCharacter(text: string): string | undefined {
	// The first one only: a text may have millions.
	const found = INVISIBLE.exec(text);
	return found === null ? undefined : codePoint(found[0]);
}

function codePoint(character: string): string {
	const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
	return `U+${hex.padStart(4, '0')}`;
}

/** More would bury a message. */
const MOST_LISTED = 5;

/** What a message lists: the first of them, and how many more there are. */
export function listed(texts: readonly string[], between = ', '): string {
	const more = texts.length - MOST_LISTED;
	const shown = texts.slice(0, MOST_LISTED).join(between);
	return more > 0 ? `${shown}${between}and ${more} more` : shown;
}
