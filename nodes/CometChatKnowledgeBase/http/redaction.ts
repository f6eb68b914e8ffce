import type { Json } from '../text/json';
import type { Account } from './account';

/** Replaces the API key. Users may write "[API Key]" themselves, but hardly this text. */
const KEY_PLACEHOLDER = '[API Key] (removed)';

/** Replaces a signed link. */
const LINK_PLACEHOLDER = '[link removed]';

/** How many characters identify the API key: CometChat's keys have 40 random characters. */
const KEY_START = 8;

/** The query parameters in the signed links of common storage services. */
const SIGNED = /X-(?:Amz|Goog|Ms)-|[?&;#][\w.-]{0,40}(?:sig(?:nature)?|token|key)=/i;

/**
 * Removes the account's API key from every response before anything reads the response, and from network errors.
 * Nothing else is changed: the data belongs to the user.
 */
export class Redaction {
	private readonly key: RegExp;

	constructor({ apiKey }: Pick<Account, 'apiKey'>) {
		this.key = patternOf(apiKey);
	}

	/** The same text without the API key. */
	text(text: string): string {
		return text.replace(this.key, KEY_PLACEHOLDER);
	}

	/** The same JSON without the API key, in names as well as in values. */
	json(value: unknown): Json {
		if (typeof value === 'string') return this.text(value);
		if (typeof value === 'number' || typeof value === 'boolean') return value;
		if (typeof value !== 'object' || value === null) return null;
		if (Array.isArray(value)) return value.map((entry) => this.json(entry));
		return Object.fromEntries(
			Object.entries(value).map(([name, inner]) => [this.text(name), this.json(inner)]),
		);
	}
}

/**
 * Whether a text is CometChat's own. Otherwise, the API key was removed from the text, and it is no ID or title of
 * CometChat.
 */
export function isUnredacted(text: string): boolean {
	return !text.includes(KEY_PLACEHOLDER);
}

/** The message of an error without signed links: with such a link, anybody may read or write its target. */
export function withoutSignedLinks(words: string): string {
	return words.replace(/[^\s"'<>]+/g, (word) => (SIGNED.test(word) ? LINK_PLACEHOLDER : word));
}

/** A pattern that matches no text. */
const NOTHING = /(?!)/g;

/** The API key, complete, shortened or masked: its first eight characters, and the rest of the word. */
function patternOf(apiKey: string): RegExp {
	if (apiKey.length < KEY_START) return NOTHING;
	const cutOff = `${escaped(apiKey.slice(0, KEY_START))}[\\w*•…${escaped(apiKey)}]*`;
	// CometChat's own mask shows five characters at each end.
	const [start, end] = [apiKey.slice(0, 4), apiKey.slice(-4)].map(escaped);
	const masked = `${start}\\w{0,9}[*•….]{1,60}\\w{0,9}${end}`;
	return new RegExp(`${masked}|${cutOff}`, 'g');
}

function escaped(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
