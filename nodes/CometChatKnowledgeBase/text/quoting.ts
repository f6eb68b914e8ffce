/** Longest excerpt of a foreign value in a message, in characters. */
const LONGEST_EXCERPT = 60;

/**
 * A foreign text as it may stand in a message: on one line, quoted, cut, and with every invisible
 * character spelled out, since that character is often the very thing to be found. Angle brackets
 * become others that look alike, because n8n shows some messages as HTML.
 */
export function quoted(text: string): string {
	const visible = truncate(text, LONGEST_EXCERPT)
		.replace(INVISIBLES, (character) => `(${codePoint(character)})`)
		.replace(/</g, '‹')
		.replace(/>/g, '›');
	return `"${visible}"`;
}

/** A foreign value of any type, quoted. */
export function quotedValue(value: unknown): string {
	return quoted(typeof value === 'object' ? JSON.stringify(value) : String(value).trim());
}

/** The start of a text, with `…` for what is left off, and never half a character at its end. */
export function truncate(text: string, longest: number): string {
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
export function joinLimited(texts: readonly string[], between = ', ', most = MOST_LISTED): string {
	const more = texts.length - most;
	const shown = texts.slice(0, most).join(between);
	return more > 0 ? `${shown}${between}and ${more} more` : shown;
}

/** More would bury the message. */
const MOST_RANGES = 8;

/** Places among the input items, ascending, as a person counts them. */
export function itemNumbers(indexes: number[]): string {
	return ranges(indexes.map((index) => index + 1));
}

/** Ascending numbers in short: `0–2, 5, and 4 more`. */
export function ranges(indexes: number[]): string {
	const runs: Array<[from: number, to: number]> = [];
	for (const index of indexes) {
		const run = runs.at(-1);
		if (run && index === run[1] + 1) run[1] = index;
		else runs.push([index, index]);
	}
	const shown = runs.slice(0, MOST_RANGES);
	const remaining = runs.slice(MOST_RANGES).reduce((sum, [from, to]) => sum + to - from + 1, 0);
	const words = shown.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`));
	return remaining === 0 ? words.join(', ') : `${words.join(', ')}, and ${remaining} more`;
}

export function sentences(...parts: Array<string | false | undefined>): string {
	return parts.filter(Boolean).join(' ');
}
