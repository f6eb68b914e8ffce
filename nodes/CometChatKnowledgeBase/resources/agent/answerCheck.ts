import { UserError } from '../../text/failure';
import { readText } from '../../text/text';

/** The maximum of a question: a check is a few facts, and a much longer text would block n8n. */
const LONGEST = 10_000;

/**
 * Reads 'Answer Must Contain': a text per line or between semicolons, or a list of texts and numbers. An empty field
 * means no check, but an expression must return a text: an empty cell would let any answer pass.
 */
export function readExpectedTexts(value: unknown, isExpression: boolean): string[] {
	if (!isExpression && typeof value === 'string' && value.trim() === '') return [];
	const given: unknown[] = [value].flat().filter((one) => one !== undefined && one !== null);
	const values = given.map((one) => readText(one, "'Answer Must Contain'", ENTER_TEXTS));
	if (values.join('\n').length > LONGEST) throw TOO_LONG;
	const lines = typeof value === 'string' ? value.split(/[\r\n;]/) : values;
	const texts = lines.map((line) => alternatives(line).join('|')).filter((text) => text !== '');
	if (texts.length > 0) return texts;
	throw new UserError(
		"'Answer Must Contain' has no text, so every answer would pass",
		"Check the expression in 'Answer Must Contain' against the data of this item. To ask without a check, clear the field.",
	);
}

const ENTER_TEXTS = 'Enter one text per line, or let an expression return a list of texts.';

/** Splits a text into its alternatives, without invisible ones. One alternative in the answer is enough. */
function alternatives(text: string): string[] {
	const all = text.split('|').map((one) => one.trim());
	return all.filter((one) => normalizeForComparison(one) !== '');
}

const TOO_LONG = new UserError(
	"'Answer Must Contain' is too long",
	`Enter only short facts that the answer must contain, with up to ${LONGEST} characters in total.`,
);

/** Returns the texts that an answer does not contain. */
export function missingTexts(texts: readonly string[], answer: string): string[] {
	const said = normalizeForComparison(answer);
	return texts.filter((text) => !alternatives(text).some((one) => patternOf(one).test(said)));
}

/** The boundaries of a whole number, or of a whole word in Latin script. */
const START = '(?:(?<!\\p{Nd}[.,]?)|(?!\\p{Nd}))(?:(?<!\\p{Script=Latin})|(?!\\p{Script=Latin}))';
const END = '(?:(?![.,]?\\p{Nd})|(?<!\\p{Nd}))(?:(?!\\p{Script=Latin})|(?<!\\p{Script=Latin}))';

function patternOf(text: string): RegExp {
	const literal = normalizeForComparison(text).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
	return new RegExp(`${START}${literal}${END}`, 'u');
}

/** Characters that look the same to a reader, and their normal form. */
const SAME: Array<[RegExp, string]> = [
	// Soft hyphens, and spaces without a width.
	[/\p{Cf}/gu, ''],
	// Markdown characters.
	[/[*_`]/g, ''],
	[/[‘’‚‛′´]/g, "'"],
	[/[“”„‟″]/g, '"'],
	[/[\p{Pd}\u2212]/gu, '-'],
	[/\s+/g, ' '],
];

/** Returns a text in the form for comparisons: on one line, and the same for texts that look the same to a reader. */
function normalizeForComparison(text: string): string {
	// Both conversions turn ß into SS, and the dot of İ is removed.
	const cased = text
		.normalize('NFC')
		.toLowerCase()
		.toUpperCase()
		.replace(/I\u0307/g, 'I');
	return SAME.reduce((it, [pattern, one]) => it.replace(pattern, one), cased)
		.normalize('NFC')
		.trim();
}
