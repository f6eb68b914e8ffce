import type { Account } from '../../credentials/account';

/** A gateway that masks a key shows five characters of either end: `11111…11111`. */
const SHORTEST_FRAGMENT = 5;

/** Takes the key, and every piece of it that could be told from chance, out of a foreign text. */
export function redactor({ apiKey }: Account): (text: string) => string {
	const key = apiKey.toLowerCase();
	return (text) => {
		// Not `text.toLowerCase()` as a whole: some characters grow by it, and indexes would shift.
		const lower = Array.from({ length: text.length }, (_, index) => {
			const small = text.charAt(index).toLowerCase();
			return small.length === 1 ? small : text.charAt(index);
		}).join('');
		let redacted = '';
		for (let index = 0; index < text.length; ) {
			const length = longestPiece(key, lower, index);
			redacted += length === 0 ? text.charAt(index) : '[API Key]';
			index += Math.max(1, length);
		}
		return redacted.replace(/(?:\[API Key\])+/g, '[API Key]');
	};
}

/** How many characters of `text` from `start` on are a piece of the key; 0 if too few. */
function longestPiece(key: string, text: string, start: number): number {
	const shortest = Math.min(SHORTEST_FRAGMENT, key.length);
	let length = 0;
	for (let end = start + shortest; end <= text.length; end++) {
		if (!key.includes(text.slice(start, end))) break;
		length = end - start;
	}
	return length;
}
