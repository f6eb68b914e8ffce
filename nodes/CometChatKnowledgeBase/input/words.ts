import { UserError } from '../values/userError';

const GIVE_TEXT = 'Give a text, or let its expression give one.';

/**
 * What somebody writes into a field, as it was given; empty if it has no content.
 *
 * @param longest In characters.
 * @param ifLonger What to do with a longer one.
 */
export function readWords(
	label: string,
	value: unknown,
	longest: number,
	ifLonger = `Give a text of up to ${longest} characters.`,
): string | '' {
	if (value === undefined || value === null) return '';
	if (typeof value !== 'string') throw new UserError(`${label} is not a text`, GIVE_TEXT);
	if (value.length > longest) {
		const what = `${label} has ${value.length} characters, more than CometChat takes`;
		throw new UserError(what, ifLonger);
	}
	// What nobody can see is no content, such as a zero-width space alone.
	return /^[\s\p{Cf}]*$/u.test(value) ? '' : value;
}

/** The same of a field that has to have content. */
export function readNeededWords(
	label: string,
	value: unknown,
	longest: number,
	ifLonger?: string,
): string {
	const words = readWords(label, value, longest, ifLonger);
	if (words === '') throw new UserError(`${label} is empty`, GIVE_TEXT);
	return words;
}
