import type { Handler, Manner } from './http';
import { give, lineOf } from './http';
import type { ReceivedRequest, RequestLog } from './log';
import type { IncomingMessage } from './nodeHttp';
import type { RateLimiter } from './rateLimit';
import type { Envelope, Failure } from './refusal';
import { badRequest, failureBody, Refusal } from './refusal';
import type { Answer, Route } from './routes';
import type { Script } from './script';
import { list, record, text } from './shapes';

export interface ApiOptions {
	/** The REST API Key (scope fullAccess): everything is allowed. */
	apiKey: string;
	/** The Auth Key (scope authOnly): known, but not enough for any of the operations. */
	authKey: string;
	/** Of a deployment that asks for the ID of the app in a header; left out: it asks for none. */
	appId?: string;
	/** How the service refuses what the gateway lets through; 'gateway' if left out. */
	envelope?: Envelope;
	/** How long every answer takes, in milliseconds; 0 if left out. */
	latencyMs?: number;
}

/** The gateway, and behind it whatever the routes lead to. */
export function apiHandler(
	routes: Route[],
	log: RequestLog,
	script: Script,
	limiter: RateLimiter,
	options: ApiOptions,
): Handler {
	const { envelope = 'gateway', latencyMs = 0 } = options;
	const manner: Manner = {
		latencyMs,
		contentType: 'application/json; charset=utf-8',
		write: (body) => JSON.stringify(body),
		fail: (failure) => failureBody(failure, envelope),
	};
	return async (request, response, closed) => {
		const body = await readBody(request);
		if (closed.aborted) return;
		const { received, route } = receive(request, body, routes, log.next());
		const limited = limiter.take(Date.now());
		const exchange = log.begin(received, closed, limited !== undefined);
		// The gateway refuses before the service sees the request: no rule is used up by it.
		const rule = (limited === undefined ? script.take(received) : undefined) ?? {};
		const due = answerTo(received, route, limited, options, manner);
		await give(due, rule, manner, exchange, response);
	};
}

function answerTo(
	received: ReceivedRequest,
	route: Route | undefined,
	limited: Failure | undefined,
	options: ApiOptions,
	manner: Manner,
): Answer {
	try {
		if (limited !== undefined) throw new Refusal(limited);
		checkHeaders(received.headers, options);
		if (typeof received.body === 'string') throw badRequest('The body is no JSON.');
		if (route === undefined) throw NO_SUCH_API;
		return route.answer(received);
	} catch (error) {
		if (!(error instanceof Refusal)) throw error;
		const { failure } = error;
		const { status, headers } = failure;
		return { status, headers, body: () => manner.fail(failure) };
	}
}

const NO_SUCH_API = new Refusal({
	status: 404,
	code: 'ERR_API_NOT_FOUND',
	message: 'The requested API does not exist.',
	envelope: 'gateway',
});

function checkHeaders(headers: Record<string, string>, options: ApiOptions): void {
	const { appid: app = '', apikey: key = '' } = headers;
	const refuse = (status: number, code: string, message: string) => {
		throw new Refusal({ status, code, message, envelope: 'gateway' });
	};
	if (options.appId !== undefined && app !== options.appId) {
		if (app === '') refuse(400, 'AUTH_ERR_EMPTY_APPID', 'The appid header is missing.');
		refuse(400, 'AUTH_ERR_INVALID_APPID', `The app ${app} does not exist in this region.`);
	}
	if (key === options.apiKey) return;
	if (key === '') refuse(401, 'AUTH_ERR_EMPTY_APIKEY', 'The apikey header is missing.');
	// As the live gateway shows a key; less of a short one.
	const shown = Math.min(5, Math.floor(key.length / 3));
	const masked = `${key.slice(0, shown)}…${key.slice(key.length - shown)}`;
	if (key === options.authKey) {
		const message = `The key ${masked} does not have the required scope.`;
		refuse(403, 'AUTH_ERR_NO_ACCESS', message);
	}
	refuse(401, 'AUTH_ERR_APIKEY_NOT_FOUND', `The key ${masked} does not exist.`);
}

/** The parsed JSON, or the text if it is none. */
async function readBody(request: IncomingMessage): Promise<unknown> {
	let read = '';
	request.setEncoding('utf8');
	try {
		for await (const chunk of request) read += chunk;
		// A client may announce a body of no length: that is none.
		return read === '' ? undefined : JSON.parse(read);
	} catch {
		return read;
	}
}

/** What the log keeps of a request, and where it leads to. */
function receive(request: IncomingMessage, body: unknown, routes: Route[], count: number) {
	const line = lineOf(request);
	const { method, path } = line;
	const route = routes.find((one) => one.match(method, path));
	const address = route?.match(method, path);
	const named = idsIn(body);
	const received: ReceivedRequest = {
		...{ request: count, host: 'api', ...line, body, operation: route?.operation },
		...address,
		uniqueIds: address?.uniqueId === undefined ? named : [address.uniqueId, ...(named ?? [])],
		fileNames: route?.namesIn(body),
	};
	return { received, route };
}

/** `uniqueIds`, or `uniqueId` as the poll spells its list. */
function idsIn(body: unknown): string[] | undefined {
	const { uniqueIds, uniqueId } = record(body) ? body : {};
	return [uniqueIds, uniqueId].find(list(text()));
}
