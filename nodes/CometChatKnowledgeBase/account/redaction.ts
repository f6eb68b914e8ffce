import type { Json } from '../values/json';
import { Secret } from '../values/json';
import type { Account } from './account';

/** What stands where the key stood, and where a signed address did. */
const KEY_PLACEHOLDER = '[API Key]';
const ADDRESS = '[address]';

/** What only a signed address has, as the common storage services write it. */
const SIGNED = /X-(?:Amz|Goog|Ms)-|[?&;](?:[\w-]{0,40}sig(?:nature)?|token|key)=/i;

/** What is between two spaces or quotes; in pieces, since a text may have millions of characters. */
const WORD = /[^\s"'<>]{1,8192}/g;

/** In an answer of the service, what holds an address to upload to: whoever has it may write there. */
const ADDRESS_FIELD = 'presignedUrl';

/** Shorter ones are nobody's key, and would match words that have nothing to do with it. */
const SHORTEST_KEY = 8;

/** Shorter ends of a key would match words that have nothing to do with it. */
const SHORTEST_MASKED_KEY = 16;

/** JSON that is nested very deeply can be read, but not written. */
const DEEPEST = 200;

/** What stands where it is nested more deeply. */
export const TOO_DEEP = 'data that cannot be shown';

/**
 * The one place through which everything foreign goes that may be shown: each answer on its way in,
 * before anything reads it, and what the network says. It takes out the account's key, should the
 * service repeat it (whole, the first half of it, masked in the middle as CometChat does, percent-encoded
 * or in Base64), and every address that opens a door to whoever has it, which is what an upload address
 * is for; the address in the field `presignedUrl` stays as a `Secret`. Other addresses stay.
 */
export class Redaction {
	private readonly keys: RegExp;

	constructor({ apiKey }: Pick<Account, 'apiKey'>) {
		this.keys = new RegExp(patternOf(apiKey), 'gi');
	}

	/** The same text without what must not be shown. */
	text(text: string): string {
		if (this.isClean(text)) return text;
		const redacted = text
			.replace(this.keys, KEY_PLACEHOLDER)
			.replace(WORD, (word) => (SIGNED.test(word) ? ADDRESS : word));
		// A word of more characters than are looked at together.
		return this.isClean(redacted) ? redacted : ADDRESS;
	}

	/** The same JSON without what must not be shown in it, in names as well as in values. */
	json(value: unknown, depth = DEEPEST): Json {
		if (typeof value === 'string') return this.text(value);
		if (typeof value === 'number' || typeof value === 'boolean') return value;
		if (typeof value !== 'object' || value === null) return null;
		if (depth === 0) return TOO_DEEP;
		if (Array.isArray(value)) return value.map((entry) => this.json(entry, depth - 1));
		return Object.fromEntries(
			Object.entries(value).map(([name, inner]): [string, Json] =>
				name === ADDRESS_FIELD && typeof inner === 'string'
					? [name, new Secret(inner, ADDRESS)]
					: [this.text(name), this.json(inner, depth - 1)],
			),
		);
	}

	private isClean(text: string): boolean {
		return !SIGNED.test(text) && text.search(this.keys) < 0;
	}
}

/** Whether nothing was taken out of it: an ID that is not whole would name something else, or nothing. */
export function isWhole(text: string): boolean {
	return !text.includes(KEY_PLACEHOLDER) && !text.includes(ADDRESS);
}

/** What no text holds. */
const NOTHING = '(?!)';

/** In which ways the key may stand in a text, whatever the case of its letters. */
function patternOf(apiKey: string): string {
	if (apiKey.length < SHORTEST_KEY) return NOTHING;
	const whole = [
		apiKey,
		encodeURIComponent(apiKey),
		[...apiKey].map((character) => `%${character.charCodeAt(0).toString(16)}`).join(''),
		JSON.stringify(apiKey).slice(1, -1),
		...base64Of(apiKey),
	].map(escaped);
	if (apiKey.length < SHORTEST_MASKED_KEY) return whole.join('|');
	const firstHalf = startOf(apiKey, Math.ceil(apiKey.length / 2));
	// `…`, `***`, `[hidden]`: an ID has none of it, and may well begin and end like the key.
	const mask = `(?:[^\\w\\s-]|--|__|xx)\\S{0,${apiKey.length}}?`;
	const masked = `${startOf(apiKey, 4)}${mask}${escaped(apiKey.slice(-4))}`;
	return [...whole, firstHalf, masked].join('|');
}

/** As much of the key's start as there is, with so many characters at least. */
function startOf(apiKey: string, least: number): string {
	const count = apiKey.length - least + 1;
	const longestFirst = Array.from({ length: count }, (_, less) =>
		apiKey.slice(0, apiKey.length - less),
	);
	return `(?:${longestFirst.map(escaped).join('|')})`;
}

/** What a text in Base64 has of the key, by how many bytes stand before it. */
function base64Of(apiKey: string): string[] {
	const digits = [0, 1, 2].map((before) => {
		const bits = 8 * (before + apiKey.length);
		// Digits that depend on what stands around the key are left out.
		const encoded = btoa('\0'.repeat(before) + apiKey);
		return encoded.slice(Math.ceil((8 * before) / 6), Math.floor(bits / 6));
	});
	// In addresses, two of the digits are others.
	return [...digits, ...digits.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))];
}

function escaped(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
