import { give, lineOf, listen, type Manner } from './http';
import { Exchange, type ReceivedRequest, type RequestLog } from './log';
import { type IncomingMessage, STATUS_CODES } from './nodeHttp';
import { type Answer, badRequest, type Failure, Refusal, refused, type Route } from './routes';
import type { Script } from './script';
import { list, record, text } from './shapes';

export interface ApiOptions {
	/** The REST API Key (scope fullAccess), which allows everything. */
	apiKey: string;
	/** The Auth Key (scope authOnly), which is known, but allows none of the operations. */
	authKey: string;
	/** The App ID that a deployment requires in a header; left out: none. */
	appId?: string;
	/** The time that each response takes; 0 if left out. */
	latencyMs?: number;
	/** Left out: any free port. */
	port?: number;
}

export interface RateLimit {
	/** The number of requests of any kind in a window. */
	requests: number;
	/** The length of a window, which opens with the first request after the end of the previous window. */
	windowMs: number;
	/** The form of `Retry-After`; 'seconds' if left out. */
	header?: 'seconds' | 'date' | 'none';
}

export class RateLimiter {
	private endsAtMs = 0;
	private taken = 0;

	constructor(private readonly limit: RateLimit | undefined) {}

	reset(): void {
		this.endsAtMs = 0;
	}

	/** @returns The refusal if the request is above the limit. */
	take(nowMs: number): Refusal | undefined {
		if (this.limit === undefined) return undefined;
		const { requests, windowMs, header = 'seconds' } = this.limit;
		if (nowMs >= this.endsAtMs) [this.endsAtMs, this.taken] = [nowMs + windowMs, 0];
		this.taken += 1;
		if (this.taken <= requests) return undefined;
		// Rounded up, because a date only has whole seconds, and an earlier second would be inside the window.
		const endsAt = Math.ceil(this.endsAtMs / 1000);
		const seconds = String(Math.ceil((this.endsAtMs - nowMs) / 1000));
		const date = new Date(endsAt * 1000).toUTCString();
		const headers = {
			'X-RateLimit-Reset': String(endsAt),
			...(header !== 'none' && { 'Retry-After': { seconds, date }[header] }),
		};
		return new Refusal({ status: 429, message: 'Too many requests. Please slow down.', headers });
	}
}

export async function startApi(
	routes: Route[],
	log: RequestLog,
	script: Script,
	limiter: RateLimiter,
	options: ApiOptions,
) {
	const manner: Manner = {
		// Read for each response, because the bench sets it after warming up.
		get latencyMs() {
			return options.latencyMs;
		},
		contentType: 'application/json; charset=utf-8',
		write: (body) => JSON.stringify(body),
		fail: failureBody,
	};
	return await listen(async (request, response, closed) => {
		const body = await readBody(request);
		if (closed.aborted) return;
		const refusal = limiter.take(Date.now());
		const { received, route } = receive(request, body, routes, log.next());
		const exchange = new Exchange(log, received, closed);
		// The gateway refuses a request before the service reads it, so no rule is used up.
		const rule = (refusal === undefined ? script.take(received) : undefined) ?? {};
		const make = () => {
			if (refusal !== undefined) throw refusal;
			return answerTo(received, route, options);
		};
		await give(make, rule, manner, exchange, response);
	}, options.port);
}

async function readBody(request: IncomingMessage): Promise<unknown> {
	let read = '';
	request.setEncoding('utf8');
	try {
		for await (const chunk of request) read += chunk;
		// A client may announce an empty body, which means no body.
		return read === '' ? undefined : JSON.parse(read);
	} catch {
		return read;
	}
}

function receive(request: IncomingMessage, body: unknown, routes: Route[], count: number) {
	const line = lineOf(request);
	const match = (route: Route) => route.match(line.method, line.path);
	const route = routes.find(match);
	const address = route && match(route);
	// The spelling of the list in a poll.
	const { uniqueIds, uniqueId } = record(body) ? body : {};
	const named = [uniqueIds, uniqueId].find(list(text()));
	const received: ReceivedRequest = {
		...{ request: count, host: 'api', ...line, body, operation: route?.operation, ...address },
		uniqueIds: address?.uniqueId === undefined ? named : [address.uniqueId, ...(named ?? [])],
		fileNames: route?.namesIn(body),
	};
	return { received, route };
}

function answerTo(
	received: ReceivedRequest,
	route: Route | undefined,
	options: ApiOptions,
): Answer {
	const { appid: app = '', apikey: key = '' } = received.headers;
	if (options.appId !== undefined && app !== options.appId)
		throw app === ''
			? refused(400, 'AUTH_ERR_EMPTY_APPID', 'The appid header is missing.')
			: refused(400, 'AUTH_ERR_INVALID_APPID', `There is no app ${app} in this region.`);
	if (key === '') throw refused(401, 'AUTH_ERR_EMPTY_APIKEY', 'The apikey header is missing.');
	// The form in which the live gateway returns a key.
	const masked = `${key.slice(0, 5)}…${key.slice(-5)}`;
	if (key === options.authKey)
		throw refused(403, 'AUTH_ERR_NO_ACCESS', `The key ${masked} lacks the required scope.`);
	if (key !== options.apiKey)
		throw refused(401, 'AUTH_ERR_APIKEY_NOT_FOUND', `The key ${masked} does not exist.`);
	if (typeof received.body === 'string') throw badRequest('The body is no JSON.');
	if (route === undefined) throw refused(404, 'ERR_API_NOT_FOUND', 'There is no such API.');
	return route.answer(received);
}

/** The codes of failures without their own code. */
const CODES: Record<number, string> = {
	401: 'AUTH_ERR_APIKEY_NOT_FOUND',
	403: 'AUTH_ERR_NO_ACCESS',
	404: 'ERR_AGENT_NOT_FOUND',
	429: 'ERR_TOO_MANY_REQUESTS',
};

function failureBody({ status, envelope, ...given }: Failure): object {
	const {
		code = CODES[status] ?? (status < 500 ? 'ERR_BAD_REQUEST' : 'ERR_EXCEPTION'),
		message = `The stand-in was told to answer ${status}.`,
	} = given;
	return envelope === 'agentService'
		? { statusCode: status, message, error: STATUS_CODES[status] }
		: { error: { message, devMessage: message, source: 'chat-api', code } };
}
