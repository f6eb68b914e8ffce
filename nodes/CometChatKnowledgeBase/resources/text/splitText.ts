import { composed } from '../../input/document';
import { LONGEST_TEXT } from './textFields';

const BETWEEN = '\n\n';

/**
 * A text in parts of up to so many characters: as many whole paragraphs in each as there is room for. A
 * paragraph that is longer is cut at the end of a line, of a sentence or of a word, whatever there is.
 */
export function splitText(text: string, longest = LONGEST_TEXT): string[] {
	const whole = text.replace(/\r\n?/g, '\n').trim();
	if (whole.length <= longest) return [whole];
	const pieces = whole.split(/\n\s*\n/).flatMap((paragraph) => cutUp(paragraph.trim(), longest));
	const parts: string[] = [];
	for (const piece of pieces) {
		const last = parts.at(-1);
		const isRoom = last !== undefined && last.length + BETWEEN.length + piece.length <= longest;
		if (isRoom) parts[parts.length - 1] = `${last}${BETWEEN}${piece}`;
		else parts.push(piece);
	}
	return parts;
}

function cutUp(paragraph: string, longest: number): string[] {
	const pieces: string[] = [];
	let rest = paragraph;
	while (rest.length > longest) {
		const at = placeToCut(rest, longest);
		pieces.push(rest.slice(0, at).trim());
		rest = rest.slice(at).trim();
	}
	return [...pieces, rest].filter((piece) => piece !== '');
}

function placeToCut(text: string, longest: number): number {
	const start = text.slice(0, longest + 1);
	const places = [/\n(?!.*\n)/s, /[.!?\u3002]\s(?!.*[.!?\u3002]\s)/s, /\s(?!.*\s)/s];
	for (const place of places) {
		const found = place.exec(start);
		// A part of a few words would be of no use.
		if (found && found.index > longest / 2) return Math.min(found.index + 1, longest);
	}
	// Not in the middle of a character.
	return /[\uD800-\uDBFF]/.test(text.charAt(longest - 1)) ? longest - 1 : longest;
}

/** A text without what may be the service's own in it: the kind of line breaks, and white space around it. */
export function plain(text: string): string {
	return composed(text.replace(/\r\n?/g, '\n'));
}
