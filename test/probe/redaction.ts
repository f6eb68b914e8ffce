import type { Account } from '../../nodes/CometChatKnowledgeBase/account/account';
import { withoutKey } from '../../nodes/CometChatKnowledgeBase/account/account';
import { withoutSignedAddresses } from '../../nodes/CometChatKnowledgeBase/results/messages';
import { isRecord } from '../../nodes/CometChatKnowledgeBase/values/validationIssue';
import type { Answer } from './answer';

/** What a piece of the key must have at least, to be told from chance. */
const SHORTEST_PIECE = 5;

/** Shorter values of an address, such as how long it holds, open nothing. */
const SHORTEST_SECRET = 12;

/** Takes the key, in pieces, too, and what opens an upload address out of a foreign text. */
export function redactor(account: Account, uploadAddresses: readonly string[]) {
	return (text: string): string => {
		// One with a query may be such an address without being known.
		const shown = text.replace(/https?:\/\/[^\s?"<>]+\?[^\s"<>]+/gi, '[Address]');
		const secrets = uploadAddresses.flatMap(secretsOf);
		const without = secrets.reduce((rest, secret) => rest.split(secret).join('[Address]'), shown);
		return withoutPieces(withoutKey(withoutSignedAddresses(without), account), account);
	};
}

/** The address, and what its query holds: the storage host repeats that bit by bit. */
function secretsOf(address: string): string[] {
	const [, query = ''] = address.split('?');
	return [address, ...query.split(/[&=/]|%2F/i)].filter(({ length }) => length >= SHORTEST_SECRET);
}

function withoutPieces(text: string, { apiKey }: Account): string {
	const key = apiKey.toLowerCase();
	const length = Math.min(SHORTEST_PIECE, key.length);
	let shown = '';
	let hiddenUntil = 0;
	for (let at = 0; at < text.length; at++) {
		const piece = text.slice(at, at + length).toLowerCase();
		if (piece.length >= length && key.includes(piece)) hiddenUntil = at + length;
		shown += at < hiddenUntil ? '\0' : text.charAt(at);
	}
	return shown.replace(/\0+/g, '[API Key]');
}

/** Changes every text and every name in a value that is to become JSON. */
export function redacted(redact: (text: string) => string, value: unknown): unknown {
	if (typeof value === 'string') return redact(value);
	if (Array.isArray(value)) return value.map((entry) => redacted(redact, entry));
	if (!isRecord(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, inner]) => [redact(name), redacted(redact, inner)]),
	);
}

/** Headers that say how the service works; others may hold cookies and traces of the account. */
const KEPT_HEADERS = /^(?:content-type|retry-after|.*rate-?limit.*)$/;

/** Words of the service's own, which say nothing about the account. */
const KEPT_FIELDS = /^(?:type|status|vectorizationStatus|affix|message|ragVersion)$/;

/** They open an upload or name the app, also where the probe has made what they belong to. */
const PRIVATE_FIELDS = /presigned|url$|^appId$|^s3Key$/i;

/** A web page or the like; more of it tells nothing more. */
const LONGEST_TEXT = 2000;

/**
 * An answer as it may be handed on, but for the key. Of what the probe has not made itself only the
 * kind of each text is left.
 *
 * @param isOwn Whether the probe has made something that this text names.
 */
export function savedAnswer({ request, result }: Answer, isOwn: (text: string) => boolean): object {
	const { method, url, qs, body } = request;
	const asked = { request: { method, path: url, query: qs, body } };
	if (result.kind === 'network failure') return { ...asked, noAnswer: result.code };
	const { status, headers } = result;
	const isKept = ([name]: [string, unknown]) => KEPT_HEADERS.test(name);
	const isRefusal = status >= 400;
	const { body: given } = result;
	const shown = isRefusal && typeof given === 'string' ? given.slice(0, LONGEST_TEXT) : given;
	return {
		...asked,
		answer: {
			status,
			headers: Object.fromEntries(Object.entries(headers).filter(isKept)),
			body: isRefusal ? shown : masked(shown, isOwn),
		},
	};
}

/** What holds nothing that the probe has made is the account's own business. */
function masked(value: unknown, isOwn: (text: string) => boolean): unknown {
	if (typeof value === 'string') return isOwn(value) ? value : kindOf(value);
	if (Array.isArray(value)) return value.map((entry) => masked(entry, isOwn));
	if (!isRecord(value)) return value;
	const isAllOwn = isOwn(JSON.stringify(value));
	const fields = Object.entries(value).map(([name, inner]) => {
		if (typeof inner !== 'string') return [name, masked(inner, isOwn)];
		const isKept = isAllOwn ? !PRIVATE_FIELDS.test(name) : KEPT_FIELDS.test(name);
		return [name, isKept ? inner : kindOf(inner)];
	});
	return Object.fromEntries(fields);
}

/** Of a text that is nobody's business. */
export function kindOf(text: string): string {
	if (text === '') return text;
	if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)) return '[UUID]';
	return /^[\da-f]{24}$/i.test(text) ? '[24-hex]' : `[${text.length} characters]`;
}
