import type { Account } from '../../nodes/CometChatKnowledgeBase/account/account';
import { isRecord } from '../../nodes/CometChatKnowledgeBase/values/validationIssue';

/** A gateway that masks a key shows five characters of either end: `11111…11111`. */
const SHORTEST_FRAGMENT = 5;

/** Shorter values of an address, such as how long it holds, open nothing. */
const SHORTEST_SECRET = 12;

/**
 * Takes out of a foreign text the key, every piece of it that could be told from chance, and what
 * opens an upload address.
 *
 * @param uploadAddresses Those that are known; may grow.
 */
export function redactor(
	{ apiKey }: Account,
	uploadAddresses: readonly string[] = [],
): (text: string) => string {
	const key = apiKey.toLowerCase();
	return (text) => withoutKeyPieces(key, withoutAddresses(uploadAddresses, text));
}

function withoutAddresses(addresses: readonly string[], text: string): string {
	const secrets = addresses.flatMap(secretsOf).sort((one, other) => other.length - one.length);
	const without = secrets.reduce(
		(rest, secret) => rest.split(secret).join('[Upload Address]'),
		text,
	);
	// An address with a query may be one that has not been recognised.
	return without
		.replace(/https?:\/\/[^\s?"<>]+\?[^\s"<>]+/gi, '[Address]')
		.replace(/(?:x-amz-[\w-]+|signature)=[^&\s"<>]+/gi, '[Address]');
}

/** The texts of an answer that open an upload, whatever their form: by their names, or by what is in them. */
export function signedTextsIn(value: unknown, name = ''): string[] {
	if (typeof value === 'string') {
		return /presigned|upload_?url/i.test(name) || /signature=/i.test(value) ? [value] : [];
	}
	if (Array.isArray(value)) return value.flatMap((entry) => signedTextsIn(entry, name));
	if (!isRecord(value)) return [];
	return Object.entries(value).flatMap(([key, inner]) => signedTextsIn(inner, key));
}

/** Redacts every text and every name in a value that is to become JSON. */
export function redactedValue(redact: (text: string) => string, value: unknown): unknown {
	if (typeof value === 'string') return redact(value);
	if (Array.isArray(value)) return value.map((entry) => redactedValue(redact, entry));
	if (!isRecord(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, inner]) => [redact(name), redactedValue(redact, inner)]),
	);
}

/** The address, its query, and the query's values: the storage host repeats them one by one. */
function secretsOf(address: string): string[] {
	const query = address.split('?').slice(1).join('?');
	const values = [...new URLSearchParams(query).values()];
	const raw = query.split('&').map((pair) => pair.slice(pair.indexOf('=') + 1));
	const pieces = [...values, ...raw].flatMap((value) => [value, ...value.split('/')]);
	return [address, query, ...pieces].filter(({ length }) => length >= SHORTEST_SECRET);
}

function withoutKeyPieces(key: string, text: string): string {
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
