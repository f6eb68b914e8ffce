import type { Shown } from '../../values/shown';
import { given } from '../../values/shown';
import { ValidationIssue } from '../../values/validationIssue';

/** What an answer has to contain. */
export interface Expected {
	/** Each has content; none: nothing is checked. */
	texts: Shown[];
	/** How many of them have to be there. */
	mode: 'all' | 'one';
}

/** Reads 'Answer Must Contain': a text with one entry a line, or a list of texts and numbers. */
export function readExpectedTexts(value: unknown): Shown[] | ValidationIssue {
	const entries: unknown[] =
		typeof value === 'string' ? value.split(/[\r\n]/) : Array.isArray(value) ? value : [value];
	const texts: Shown[] = [];
	for (const entry of entries) {
		if (entry === undefined || entry === null) continue;
		if (typeof entry !== 'string' && typeof entry !== 'number') return NO_TEXTS;
		const text = String(entry).trim();
		if (text !== '') texts.push(given(text));
	}
	return texts;
}

const NO_TEXTS = new ValidationIssue(
	"'Answer Must Contain' is not a list of texts",
	'Give one text a line, or let its expression give a list of texts.',
);

/** @returns What the answer lacks, if it does not pass; upper and lower case are one. */
export function lacking({ texts, mode }: Expected, answer: string): Shown[] {
	const said = comparable(answer);
	const missing = texts.filter((text) => !said.includes(comparable(text)));
	return mode === 'one' && missing.length < texts.length ? [] : missing;
}

/** As two texts that a person takes for one are written alike: in one spelling, and on one line. */
function comparable(text: string): string {
	return text.normalize('NFC').toLowerCase().replace(/\s+/g, ' ');
}
