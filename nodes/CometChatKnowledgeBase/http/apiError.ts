import { withoutSignedLinks } from './redaction';
import type { NetworkFailure, ServiceResponse } from './attemptResult';
import { connectionOf } from './attemptResult';
import type { SendResult } from './sendRequest';
import type { ErrorDetails } from '../text/failure';
import { Failure } from '../text/failure';
import type { Json } from '../text/json';
import { isRecord } from '../text/json';
import { truncate, sentences } from '../text/quoting';
import type { About, Meaning, RefusedFor } from './meanings';
import { BUSY, MEANINGS, UNKNOWN_SUBJECT } from './meanings';

/** A request that ended without success. Its reply, which may be large, is not kept. */
export class ApiError extends Failure<
	ErrorDetails & RefusedFor & Omit<SendResult, 'lastResult' | 'value'>
> {}

/** The parts of a request that decide the words for its response. */
export interface RequestSubject {
	about?: About;
	/** Whether a response may contain an upload URL: no text of a success is quoted, and no URL of a refusal. */
	isSecret?: boolean;
}

/** The parts of an unsuccessful response that messages use. */
interface Reply {
	meaning: Meaning;
	/** HTTP status; undefined without a response. */
	status?: number;
	/** The service's own code, or the network's code without a response. */
	code?: string;
	/** The words of the service or of the network, as a sentence. */
	detail?: string;
	/** The service's own message, as a sentence. */
	said?: string;
}

/** Makes the failure of an unsuccessful request. No other place does. */
export function toApiError(sent: SendResult, asked: RequestSubject = {}): ApiError {
	const { attempts, effect, stopReason, retryAfterMs = 0 } = sent;
	const { meaning, detail, ...reply } = readReply(sent, asked);
	const { title, hint, ...subject } = meaning;
	const isOver = stopReason === 'cancelled';
	const seconds = Math.ceil(retryAfterMs / 1000);
	return new ApiError(title, hint, {
		...subject,
		...reply,
		...{ attempts, effect, stopReason, retryAfterMs: sent.retryAfterMs },
		detail: sentences(
			detail,
			attempts > 1 && `The request was sent ${attempts} times.`,
			isOver && attempts > 0 && 'It was not sent again, because the execution had ended.',
			stopReason === 'wait too long' && `CometChat asked for a pause of ${seconds} seconds.`,
		),
		// A request that was not repeated because of another item is no cause of the stop.
		...(isOver && { isCancelled: true }),
	});
}

function readReply({ lastResult, stopReason }: SendResult, asked: RequestSubject): Reply {
	if (lastResult === undefined) return { meaning: meaningOf([`unsent ${stopReason}`]) };
	return lastResult.kind === 'response'
		? describedAnswer(lastResult, asked)
		: describedFailure(lastResult);
}

/** The meaning of the first key that has one. A code may be a property of every object, such as `constructor`. */
function meaningOf(keys: Array<string | undefined>): Meaning {
	const known = keys.find((key) => key !== undefined && Object.hasOwn(MEANINGS, key));
	return MEANINGS[known ?? ''] ?? BUSY;
}

function describedAnswer(
	{ status, body }: ServiceResponse,
	{ about, isSecret }: RequestSubject,
): Reply {
	const isHidden = isSecret && status < 300;
	const words = isHidden ? { text: NOT_DOCUMENTED, code: undefined } : serviceWords(body);
	const { code } = words;
	const text = isSecret ? words.text.replace(/\b[a-z][\w+.-]*:\/\/\S+/gi, 'a URL') : words.text;
	const said = ownWords(body) === undefined ? undefined : sentence(text);
	const page = isWebPage(body) ? 'page' : undefined;
	const named = code === undefined ? '' : ` (${code})`;
	const detail = `CometChat answered with status ${status}${named}: ${sentence(text)}`;
	const isNotDone = status < 300 && isRecord(body) && body.success === false;
	const found = meaningOf([
		code,
		status === 404 && !isRecord(body) ? 'nothing there' : undefined,
		isNotDone ? 'not done' : undefined,
		page && `page ${status}`,
		`status ${status}`,
		page && `page ${String(status).charAt(0)}xx`,
		`status ${String(status).charAt(0)}xx`,
	]);
	const isUnnamed = status === 404 && code === undefined && isRecord(body);
	const isAbout = isUnnamed || found.unknown === 'document';
	const meaning = about && isAbout ? UNKNOWN_SUBJECT[about] : found;
	return { meaning, status, code, detail, said };
}

const NOT_DOCUMENTED = 'an answer that its documentation does not show';

function describedFailure(failure: NetworkFailure): Reply {
	const { code, text } = failure;
	const named = code === '' ? '' : ` (${code})`;
	const connection = connectionOf(failure) ?? 'lost';
	const isLate = connection === 'lost' && /timeout/i.test(text);
	return {
		meaning: meaningOf([`connection ${isLate ? 'too late' : connection}`]),
		code,
		detail: `CometChat didn't answer${named}: ${sentence(text)}`,
	};
}

/**
 * The service's code and text from a body of any shape. Two are public: `{ error: { code, message } }` (the gateway),
 * and `{ statusCode, message, error: 'Bad Request' }` (the agents' service), where `message` may be a list.
 */
export function serviceWords(body: Json | undefined): { code?: string; text: string } {
	const text = ownWords(body);
	if (isRecord(body)) {
		const inner = isRecord(body.error) ? body.error : body;
		const code = isCode(inner.code) ? inner.code : body.code;
		return { text: text ?? JSON.stringify(body), ...(isCode(code) ? { code } : {}) };
	}
	if (isWebPage(body)) return { text: `a web page, ${titleOf(body)}` };
	const isEmpty = body === undefined || typeof body === 'string';
	return { text: text ?? (isEmpty ? 'the answer is empty' : JSON.stringify(body)) };
}

/** The service's own message; undefined if the body has none, for example a web page. */
function ownWords(body: Json | undefined): string | undefined {
	const inner = isRecord(body) && isRecord(body.error) ? body.error : body;
	const candidates =
		isRecord(body) && isRecord(inner)
			? [inner.message, inner.details, body.error, body.reason]
			: [isWebPage(body) || typeof body !== 'string' ? '' : body];
	return candidates.map(foreignText).find((found) => found !== '');
}

/** CometChat responds with JSON: a web page is the response of another server, for example a proxy. */
function isWebPage(body: Json | undefined): body is string {
	return typeof body === 'string' && /^\s*</.test(body);
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

/** The longest quotation of a response, in characters. */
const LONGEST_QUOTATION = 300;

/**
 * A text of the service on one line, shortened, without signed links and tags (n8n shows descriptions as HTML), with
 * a full stop.
 */
export function sentence(text: string): string {
	const start = text.trim().slice(0, 4 * LONGEST_QUOTATION);
	const line = withoutSignedLinks(start)
		.replace(/[<>]/g, ' ')
		.replace(/[\s\p{Cc}\p{Cf}\p{Cs}]+/gu, ' ')
		.trim();
	const shown = line === '' ? 'nothing that can be shown' : truncate(line, LONGEST_QUOTATION);
	return /[.!?…]$/.test(shown) ? shown : `${shown}.`;
}
