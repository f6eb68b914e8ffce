import { TOO_DEEP } from '../account/redaction';
import type { Json } from '../values/json';
import { cut } from '../values/quoting';
import { isRecord } from '../values/userError';

/**
 * The service's code and text from a body of any shape. Two envelopes are public:
 * `{ error: { code, message } }` (the gateway) and `{ statusCode, message, error: 'Bad Request' }`
 * (the agents' service), where `message` may be a list. Beside them: HTML, nothing, anything.
 */
export function serviceWords(body: Json | undefined): { code?: string; text: string } {
	if (isRecord(body)) {
		const inner = isRecord(body.error) ? body.error : body;
		const candidates = [inner.message, inner.details, body.error, body.reason].map(foreignText);
		const text = candidates.find((found) => found !== '') ?? written(body);
		const code = isCode(inner.code) ? inner.code : body.code;
		return { text, ...(isCode(code) ? { code } : {}) };
	}
	const text = typeof body === 'string' ? body : written(body);
	if (text.trim() === '') return { text: 'the answer is empty' };
	if (/^\s*</.test(text)) return { text: `a web page, ${titleOf(text)}` };
	return { text };
}

/**
 * Whether a 404 is the service's own, which has words in one of its envelopes. One of a host in between, or
 * of the service's list of addresses, says nothing of any agent or file. (NestJS, on which it is built, says
 * 'Cannot DELETE /v3/…' of an address that it does not have.)
 */
export function isOfService(body: Json | undefined): boolean {
	if (!isRecord(body)) return false;
	const { message, code } = isRecord(body.error) ? body.error : body;
	const words = foreignText(message);
	const isOwn = words !== '' || isCode(code) || typeof body.success === 'boolean';
	return isOwn && !/^Cannot [A-Z]+ \//.test(words);
}

function written(body: Json | undefined): string {
	const text = JSON.stringify(body) ?? '';
	return text.includes(TOO_DEEP) ? TOO_DEEP : text;
}

function isCode(value: unknown): value is string {
	return typeof value === 'string' && /^[\w.-]{1,80}$/.test(value);
}

function foreignText(value: unknown): string {
	if (typeof value === 'string') return value.trim();
	if (Array.isArray(value)) return value.filter((part) => typeof part === 'string').join('; ');
	return '';
}

function titleOf(html: string): string {
	const title = /<title[^>]*>([^<]*)</i.exec(html.slice(0, 10_000))?.[1]?.trim();
	return title ? `titled "${title}"` : 'not data';
}

/** Longest quotation of a foreign text, in characters. */
const LONGEST_QUOTATION = 300;

/** A foreign text on one line, cut, without tags (n8n shows descriptions as HTML), with a full stop. */
export function sentence(text: string): string {
	const start = text.trim().slice(0, 4 * LONGEST_QUOTATION);
	const line = start
		.replace(/[<>]/g, ' ')
		.replace(/[\s\p{Cc}\p{Cf}\p{Cs}]+/gu, ' ')
		.trim();
	const shown = line === '' ? 'nothing that can be shown' : cut(line, LONGEST_QUOTATION);
	return /[.!?…]$/.test(shown) ? shown : `${shown}.`;
}
