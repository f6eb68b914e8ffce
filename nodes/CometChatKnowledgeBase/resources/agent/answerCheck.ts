import type { Shown } from '../../values/shown';
import { given } from '../../values/shown';
import { ValidationIssue } from '../../values/validationIssue';

/**
 * Reads 'Answer Must Contain': a text a line or between semicolons, or a list of texts and numbers. Each has
 * content, and may have alternatives; none: nothing is checked. A comma stands in many a sentence, and
 * separates nothing.
 *
 * @param isExpression Whether an expression gives it, which is to give something: an empty cell would let any
 *   answer pass.
 */
export function readExpectedTexts(
	value: unknown,
	isExpression: boolean,
): Shown[] | ValidationIssue {
	const entries: unknown[] =
		typeof value === 'string' ? value.split(/[\r\n;]/) : Array.isArray(value) ? value : [value];
	const texts: Shown[] = [];
	for (const entry of entries) {
		if (entry === undefined || entry === null) continue;
		if (typeof entry !== 'string' && typeof entry !== 'number') return NO_TEXTS;
		const text = alternatives(String(entry)).join('|');
		if (text !== '') texts.push(given(text));
	}
	const isLeftEmpty = !isExpression && typeof value === 'string' && value.trim() === '';
	return texts.length === 0 && !isLeftEmpty ? NOTHING_GIVEN : texts;
}

const NO_TEXTS = new ValidationIssue(
	"'Answer Must Contain' is not a list of texts",
	'Give one text a line, or let its expression give a list of texts.',
);

const NOTHING_GIVEN = new ValidationIssue(
	"'Answer Must Contain' has no text, so that any answer would pass",
	'Check its expression against the data of this item. To ask without a check, empty the field.',
);

/** Of those in one line, one is enough. */
function alternatives(text: string): string[] {
	return text
		.split('|')
		.map((one) => one.trim())
		.filter((one) => one !== '');
}

/** @returns What the answer lacks; upper and lower case are one. */
export function lacking(texts: readonly Shown[], answer: string): Shown[] {
	const said = comparable(answer);
	return texts.filter((text) => !alternatives(text).some((one) => said.includes(comparable(one))));
}

/** As two texts that a person takes for one are written alike: in one spelling, and on one line. */
function comparable(text: string): string {
	return text.normalize('NFC').toLowerCase().replace(/\s+/g, ' ');
}
