import { UserError } from '../../text/failure';
import { readText } from '../../text/text';

/** As long as a question may be: a check is a few facts, and what is much longer would keep n8n from all else. */
const LONGEST = 10_000;

/**
 * Reads 'Answer Must Contain': a text a line or between semicolons, or a list of texts and numbers. Each has
 * content, and may have alternatives; none: nothing is checked. A comma stands in many a sentence, and
 * separates nothing.
 *
 * @param isExpression Whether an expression gives it, which is to give something: an empty cell would let any
 *   answer pass.
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

/** Of those in one line, one is enough; what a reader sees nothing of is none. */
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

/** A number is found whole, and so is a word in Latin script, which other letters would continue. */
const START = '(?:(?<!\\p{Nd}[.,]?)|(?!\\p{Nd}))(?:(?<!\\p{Script=Latin})|(?!\\p{Script=Latin}))';
const END = '(?:(?![.,]?\\p{Nd})|(?<!\\p{Nd}))(?:(?!\\p{Script=Latin})|(?<!\\p{Script=Latin}))';

function patternOf(text: string): RegExp {
	const literal = normalizeForComparison(text).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
	return new RegExp(`${START}${literal}${END}`, 'u');
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
function normalizeForComparison(text: string): string {
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
