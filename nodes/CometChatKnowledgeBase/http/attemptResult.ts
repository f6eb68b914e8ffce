import type { Redaction } from './redaction';
import type { Effect } from '../text/failure';
import type { Json } from '../text/json';
import { isRecord } from '../text/json';

/** The result of one attempt: the service's response, or the reason why there is none. */
export type AttemptResult = ServiceResponse | NetworkFailure;

export interface ServiceResponse {
	kind: 'response';
	/** HTTP status. */
	status: number;
	/** By lower-case name. */
	headers: Record<string, unknown>;
	/** Parsed JSON, or the text if it is not JSON; undefined without a body. */
	body: Json | undefined;
}

export interface NetworkFailure {
	kind: 'network failure';
	/** The code of Node or axios, such as ECONNRESET; empty without a code. */
	code: string;
	/** The message of the HTTP client. */
	text: string;
}

/**
 * The result of a request that n8n's client has sent. Every response and network error passes here, so that nothing
 * reads them before the API key is removed.
 */
export async function toAttemptResult(
	sent: Promise<unknown>,
	redaction: Redaction,
): Promise<AttemptResult> {
	try {
		const response = await sent;
		if (!isRecord(response) || typeof response.statusCode !== 'number') {
			return { kind: 'network failure', code: '', text: 'n8n returned no response' };
		}
		const { statusCode: status, headers, body } = response;
		return {
			kind: 'response',
			status,
			headers: isRecord(headers) ? headers : {},
			body: body === undefined ? undefined : redaction.json(body),
		};
	} catch (thrown) {
		return networkFailure(thrown, redaction);
	}
}

/** n8n wraps the client's error, which has the most specific code. */
function networkFailure(thrown: unknown, redaction: Redaction): NetworkFailure {
	const chain: Array<Record<string, unknown>> = [];
	for (let link: unknown = thrown; isRecord(link) && chain.length < 5; link = link.cause) {
		chain.push(link);
	}
	const code = chain.map((link) => link.code).find((found) => typeof found === 'string' && found);
	const text = redaction.text(String(chain.at(-1)?.message ?? thrown));
	return { kind: 'network failure', code: typeof code === 'string' ? code : '', text };
}

/** How a connection without a response ended. */
export type Connection = 'no host' | 'not secure' | 'not reached' | 'lost' | 'stopped';

/** By Node's and axios' codes. */
const CONNECTIONS: Array<[Connection, RegExp]> = [
	['no host', /^ENOTFOUND$/],
	// The key and the request are sent only after the handshake.
	['not secure', /^(?:ERR_INVALID_URL|ERR_TLS_\w+|CERT_\w+|\w*_CERT\w*|UNABLE_TO_\w+)$/],
	['not reached', /^(?:ECONNREFUSED|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENETDOWN)$/],
	// ECONNABORTED is the time-out of axios, ERR_BAD_RESPONSE its code for an incomplete body.
	['lost', /^(?:ECONNRESET|ECONNABORTED|ETIMEDOUT|EPIPE|ERR_NETWORK|ERR_BAD_RESPONSE)$/],
	['stopped', /^ERR_CANCELED$/],
];

/** Undefined if the network's code is not known. */
export function connectionOf({ code }: NetworkFailure): Connection | undefined {
	return CONNECTIONS.find(([, codes]) => codes.test(code))?.[0];
}

/** Nothing was sent, so nothing can have been applied. */
const CONNECT_FAILURES: ReadonlySet<Connection | undefined> = new Set<Connection>([
	'no host',
	'not secure',
	'not reached',
]);

/**
 * Whether a response is a success: any 2xx status, since CometChat's pages name 200 and 201 for the same call, unless
 * the body has a `success` that is not true.
 */
export function isSuccess(reply: AttemptResult): reply is ServiceResponse {
	if (!is2xx(reply)) return false;
	const { body } = reply;
	return !isRecord(body) || !('success' in body) || body.success === true;
}

function is2xx(reply: AttemptResult): reply is ServiceResponse {
	return reply.kind === 'response' && reply.status >= 200 && reply.status < 300;
}

/** The effect of a request whose response is not the documented success. */
export function effectOf(reply: AttemptResult): Exclude<Effect, 'applied'> {
	return isRefusal(reply) ? 'not applied' : 'unknown';
}

function isRefusal(reply: AttemptResult): boolean {
	if (reply.kind === 'network failure') return CONNECT_FAILURES.has(connectionOf(reply));
	const { status, body } = reply;
	if (is2xx(reply)) return isRecord(body) && body.success === false;
	// Before a time-out of the gateway or an error of the service, the work may have been done.
	return status !== 408 && status < 500;
}
