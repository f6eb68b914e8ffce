import type { Redaction } from '../account/redaction';
import { isRecord } from '../values/userError';
import type { Json } from '../values/json';

/** What became of one attempt: the service's answer, or the reason why there is none. */
export type AttemptResult = ServiceResponse | NetworkFailure;

export interface ServiceResponse {
	kind: 'response';
	/** HTTP status. */
	status: number;
	/** By lower-case name. */
	headers: Record<string, unknown>;
	/** Parsed JSON, or the text itself where it is not JSON; undefined if there was none. */
	body: Json | undefined;
}

export interface NetworkFailure {
	kind: 'network failure';
	/** Node's or axios' code, such as ECONNRESET; empty if there was none. */
	code: string;
	/** The client's own words, as they came. */
	text: string;
}

/** What a reply means for the files: they are attached or detached, they are not, or nobody knows. */
export type Effect = 'applied' | 'not applied' | 'unknown';

/** Reads n8n's full response (`returnFullResponse`). Nothing reads a body before it is redacted. */
export function toServiceResponse(
	response: unknown,
	redaction: Redaction,
): ServiceResponse | NetworkFailure {
	if (isRecord(response) && typeof response.statusCode === 'number') {
		const { statusCode: status, headers, body: given } = response;
		const body = given === undefined ? undefined : redaction.json(given);
		return { kind: 'response', status, headers: lowerCased(headers), body };
	}
	return { kind: 'network failure', code: '', text: 'n8n gave back no response' };
}

function lowerCased(headers: unknown): Record<string, unknown> {
	if (!isRecord(headers)) return {};
	return Object.fromEntries(
		Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
	);
}

/** Reads what the request helper threw: n8n wraps the client's error, whose code says most. */
export function toNetworkFailure(thrown: unknown): NetworkFailure {
	const chain: Array<Record<string, unknown> | Error> = [];
	for (let link: unknown = thrown; isLink(link) && chain.length < 5; link = link.cause) {
		chain.push(link);
	}
	const innermost = chain.at(-1);
	const code = chain.map(codeOf).find((found) => found !== '') ?? '';
	const text = innermost && 'message' in innermost ? String(innermost.message) : String(thrown);
	return { kind: 'network failure', code, text };
}

function isLink(value: unknown): value is (Record<string, unknown> | Error) & { cause?: unknown } {
	return isRecord(value);
}

function codeOf(link: Record<string, unknown> | Error): string {
	return 'code' in link && typeof link.code === 'string' ? link.code : '';
}

/**
 * Connections that never came to be: nothing was sent, so nothing can have been applied.
 * Certificate codes belong here too: the key and the request travel only after the handshake.
 */
const NEVER_CONNECTED =
	/^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENETDOWN|ERR_INVALID_URL|ERR_TLS_\w+|CERT_\w+|\w*_CERT\w*|UNABLE_TO_\w+)$/;

/** True if the host name, address or certificate is wrong, which no repetition heals. */
export function isWrongAddress({ code }: NetworkFailure): boolean {
	return NEVER_CONNECTED.test(code) && !LOST_CONNECTION.has(code);
}

/**
 * Connections that were lost or refused for now, by Node's and axios' codes. ECONNABORTED is
 * axios' timeout, ERR_BAD_RESPONSE its word for a body that broke off.
 */
export const LOST_CONNECTION = new Set([
	'ECONNRESET',
	'ECONNREFUSED',
	'ECONNABORTED',
	'ETIMEDOUT',
	'EPIPE',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'ENETDOWN',
	'ERR_NETWORK',
	'ERR_BAD_RESPONSE',
]);

/**
 * Any 2xx status, since the service's pages give 200 and 201 for the same call; unless the body says
 * otherwise: where there is a `success`, nothing but true is one, whatever stands beside it.
 */
export function isSuccess(reply: AttemptResult): reply is ServiceResponse {
	if (!is2xx(reply)) return false;
	const { body } = reply;
	return !isRecord(body) || !('success' in body) || body.success === true;
}

function is2xx(reply: AttemptResult): reply is ServiceResponse {
	return reply.kind === 'response' && reply.status >= 200 && reply.status < 300;
}

/**
 * The contract (section 4): HTTP 200 with `success`, "reported as true". Nothing else counts as
 * done. Other 2xx statuses are taken the same way; what counts is `success`.
 */
export function effectOf(reply: AttemptResult): Effect {
	if (reply.kind === 'network failure') {
		return NEVER_CONNECTED.test(reply.code) ? 'not applied' : 'unknown';
	}
	const { status, body } = reply;
	if (is2xx(reply)) {
		if (!isRecord(body) || typeof body.success !== 'boolean') return 'unknown';
		return body.success ? 'applied' : 'not applied';
	}
	// A gateway that gave up waiting, or a service that broke, may have done the work before.
	return status === 408 || status >= 500 ? 'unknown' : 'not applied';
}
