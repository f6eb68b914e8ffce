import { give, lineOf, type Manner, served } from './http';
import { Exchange, type ReceivedRequest, type RequestLog } from './log';
import type { IncomingMessage } from './nodeHttp';
import type { RateLimiter } from './rateLimit';
import { badRequest, type Envelope, type Failure, failureBody, Refusal } from './refusal';
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
	/** How the service refuses what the gateway lets through. */
	envelope?: Envelope;
	/** How long every answer takes; 0 if left out. */
	latencyMs?: number;
}

/** The gateway, and behind it whatever the routes lead to. */
export function apiHandler(
	routes: Route[],
	log: RequestLog,
	script: Script,
	limiter: RateLimiter,
	options: ApiOptions,
) {
	const { envelope = 'gateway', latencyMs = 0 } = options;
	const manner: Manner = {
		latencyMs,
		contentType: 'application/json; charset=utf-8',
		write: (body) => JSON.stringify(body),
		fail: (failure) => failureBody(failure, envelope),
	};
	return served(async (request, response, closed) => {
		const body = await readBody(request);
		if (closed.aborted) return;
		const { received, route } = receive(request, body, routes, log.next());
		const limited = limiter.take(Date.now());
		const exchange = new Exchange(log, received, closed, limited !== undefined);
		// The gateway refuses before the service sees the request: no rule is used up by it.
		const rule = (limited === undefined ? script.take(received) : undefined) ?? {};
		const due = answerTo(received, route, limited, options, manner);
		await give(due, rule, manner, exchange, response);
	});
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
		if (route === undefined) throw ofGateway(404, 'ERR_API_NOT_FOUND', 'There is no such API.');
		return route.answer(received);
	} catch (error) {
		const message = `The stand-in has failed: ${error}`;
		const failure = error instanceof Refusal ? error.failure : { status: 500, message };
		return { ...failure, body: () => manner.fail(failure) };
	}
}

function ofGateway(status: number, code: string, message: string): Refusal {
	return new Refusal({ status, code, message, envelope: 'gateway' });
}

function checkHeaders(headers: Record<string, string>, options: ApiOptions): void {
	const { appid: app = '', apikey: key = '' } = headers;
	if (options.appId !== undefined && app !== options.appId) {
		if (app === '') throw ofGateway(400, 'AUTH_ERR_EMPTY_APPID', 'The appid header is missing.');
		const message = `The app ${app} does not exist in this region.`;
		throw ofGateway(400, 'AUTH_ERR_INVALID_APPID', message);
	}
	if (key === options.apiKey) return;
	if (key === '') throw ofGateway(401, 'AUTH_ERR_EMPTY_APIKEY', 'The apikey header is missing.');
	// As the live gateway shows a key; less of a short one.
	const shown = Math.min(5, Math.floor(key.length / 3));
	const masked = `${key.slice(0, shown)}…${key.slice(key.length - shown)}`;
	throw key === options.authKey
		? ofGateway(403, 'AUTH_ERR_NO_ACCESS', `The key ${masked} lacks the required scope.`)
		: ofGateway(401, 'AUTH_ERR_APIKEY_NOT_FOUND', `The key ${masked} does not exist.`);
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
	const match = (route: Route) => route.match(line.method, line.path);
	const route = routes.find(match);
	const address = route && match(route);
	// The poll spells its list so.
	const { uniqueIds, uniqueId } = record(body) ? body : {};
	const named = [uniqueIds, uniqueId].find(list(text()));
	const received: ReceivedRequest = {
		...{ request: count, host: 'api', ...line, body, operation: route?.operation, ...address },
		uniqueIds: address?.uniqueId === undefined ? named : [address.uniqueId, ...(named ?? [])],
		fileNames: route?.namesIn(body),
	};
	return { received, route };
}
