import { UserError } from '../../values/userError';

/**
 * Reads 'Answer Must Contain': a text a line or between semicolons, or a list of texts and numbers. Each has
 * content, and may have alternatives; none: nothing is checked. A comma stands in many a sentence, and
 * separates nothing.
 *
 * @param isExpression Whether an expression gives it, which is to give something: an empty cell would let any
 *   answer pass.
 */
export function readExpectedTexts(value: unknown, isExpression: boolean): string[] {
	const entries: unknown[] =
		typeof value === 'string' ? value.split(/[\r\n;]/) : Array.isArray(value) ? value : [value];
	const texts: string[] = [];
	for (const entry of entries) {
		if (entry === undefined || entry === null) continue;
		if (typeof entry !== 'string' && typeof entry !== 'number') throw NO_TEXTS;
		const text = alternatives(String(entry)).join('|');
		if (text !== '') texts.push(text);
	}
	const isLeftEmpty = !isExpression && typeof value === 'string' && value.trim() === '';
	if (texts.length === 0 && !isLeftEmpty) throw NOTHING_GIVEN;
	return texts;
}

const NO_TEXTS = new UserError(
	"'Answer Must Contain' is not a list of texts",
	'Give one text a line, or let its expression give a list of texts.',
);

const NOTHING_GIVEN = new UserError(
	"'Answer Must Contain' has no text, so that any answer would pass",
	'Check its expression against the data of this item. To ask without a check, empty the field.',
);

/** Of those in one line, one is enough; what a reader sees nothing of is none. */
function alternatives(text: string): string[] {
	const all = text.split('|').map((one) => one.trim());
	return all.filter((one) => comparable(one) !== '');
}

/** @returns What the answer lacks. */
export function lacking(texts: readonly string[], answer: string): string[] {
	const said = comparable(answer);
	return texts.filter((text) => !alternatives(text).some((one) => said.includes(comparable(one))));
}

/** What is one to a reader, and how it is written here. */
const SAME: Array<[RegExp, string]> = [
	// Soft hyphens, and spaces without a width.
	[/\p{Cf}/gu, ''],
	// Marks of Markdown.
	[/[*_`]/g, ''],
	[/[‘’‚‛′´]/g, "'"],
	[/[“”„‟″]/g, '"'],
	[/[\p{Pd}\u2212]/gu, '-'],
	[/\s+/g, ' '],
];

/** As two texts that a reader takes for one are written alike, on one line. */
function comparable(text: string): string {
	// By way of both cases ß is SS; the dot that İ keeps goes.
	const cased = text
		.normalize('NFC')
		.toLowerCase()
		.toUpperCase()
		.replace(/I\u0307/g, 'I');
	return SAME.reduce((it, [pattern, one]) => it.replace(pattern, one), cased)
		.normalize('NFC')
		.trim();
}
