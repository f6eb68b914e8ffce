import { sleep } from 'n8n-workflow';

import type { Exchange } from './log';
import { createServer, type IncomingMessage, type ServerResponse } from './nodeHttp';
import { type Answer, type Failure, Refusal } from './routes';
import type { Rule } from './script';

/** @param closed Aborts when the connection closes. */
type Handler = (
	request: IncomingMessage,
	response: ServerResponse,
	closed: AbortSignal,
) => Promise<void>;

/** A server on 127.0.0.1; its origin is `http://127.0.0.1:PORT`. */
export type Host = Awaited<ReturnType<typeof listen>>;

/** @param wantedPort 0 is any free port. */
export async function listen(handle: Handler, wantedPort = 0) {
	const server = createServer((request, response) => {
		const closed = new AbortController();
		// With a reason, because otherwise each request would make an error with its stack.
		response.once('close', () => closed.abort('The connection has closed.'));
		// A failure of the simulation itself must be noticed.
		handle(request, response, closed.signal).catch((error: unknown) => {
			if (!response.headersSent) response.statusCode = 500;
			response.end(`The stand-in has failed: ${error}`);
		});
	});
	// No time-outs: a connection that closes while the client uses it again would look like a fault of the service, and
	// so would one of ten thousand connections that the client uses minutes later.
	Object.assign(server, { keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0 });
	await new Promise<void>((resolve, reject) => {
		const at = { port: wantedPort, host: '127.0.0.1', backlog: 10_000 };
		server.once('error', reject).listen(at, resolve);
	});
	const address = server.address();
	if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
	const stopped = new Promise<void>((resolve) => server.once('close', resolve));
	return {
		origin: `http://127.0.0.1:${address.port}`,
		port: address.port,
		stop: async () => {
			server.close();
			server.closeAllConnections();
			await stopped;
		},
	};
}

export function lineOf({ method = '', url: path = '', headers }: IncomingMessage) {
	const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
	return { method, path, headers: Object.fromEntries(texts) };
}

/** The behaviour of a host without a rule. */
export interface Manner {
	latencyMs?: number;
	contentType: string;
	write(body: unknown): string;
	fail(failure: Failure): unknown;
}

/** Sends the response, as changed by the rule. @param make May throw a refusal. */
export async function give(
	make: () => Answer,
	rule: Rule,
	manner: Manner,
	exchange: Exchange,
	response: ServerResponse,
): Promise<void> {
	const { closed } = exchange;
	const answer = answerOf(make, manner);
	const apply = () => {
		answer.change?.();
		exchange.applied = answer.change !== undefined;
	};
	if (rule.apply === true) apply();
	await waitUnless(closed, rule.latencyMs ?? answer.ms ?? manner.latencyMs ?? 0);
	if (closed.aborted) return;
	if (rule.apply === undefined && succeeds(rule)) apply();
	if (rule.drop !== undefined) {
		exchange.end('dropped');
		response.destroy();
		return;
	}
	response.statusCode = rule.status ?? answer.status ?? 200;
	response.setHeaders(new Map(Object.entries({ ...answer.headers, ...rule.headers })));
	if (rule.retryAfter !== undefined) response.setHeader('Retry-After', rule.retryAfter);
	if (rule.stall || rule.dripMs !== undefined) return await stall(rule.dripMs, exchange, response);
	if (!response.hasHeader('Content-Type'))
		response.setHeader('Content-Type', rule.contentType ?? manner.contentType);
	send(textOf(answer, rule, manner), rule.truncated, exchange, response);
}

/** Resolves after the time, or when the client closes the connection. */
export async function waitUnless(closed: AbortSignal, latencyMs: number): Promise<void> {
	if (latencyMs <= 0) return;
	// `sleep` only rejects when the connection closes.
	await sleep(latencyMs, closed).catch(() => undefined);
}

function answerOf(make: () => Answer, manner: Manner): Answer {
	try {
		return make();
	} catch (error) {
		const message = `The stand-in has failed: ${error}`;
		const failure = error instanceof Refusal ? error.failure : { status: 500, message };
		return { ...failure, body: () => manner.fail(failure) };
	}
}

function succeeds({ status = 200, body, drop }: Rule): boolean {
	return status >= 200 && status < 300 && body === undefined && drop !== 'beforeApplying';
}

function textOf(answer: Answer, rule: Rule, manner: Manner): string {
	const { status = 200, body, transform } = rule;
	if (body !== undefined) return body;
	if (transform !== undefined) {
		const transformed = transform(answer.body());
		return typeof transformed === 'string' ? transformed : manner.write(transformed);
	}
	if (status === 204 || (status >= 300 && status < 400)) return '';
	return manner.write(status < 400 ? answer.body() : manner.fail({ ...rule, status }));
}

/** Sends the headers, and then only white space. */
async function stall(dripMs: number | undefined, exchange: Exchange, response: ServerResponse) {
	exchange.sentStatus = response.statusCode;
	response.flushHeaders();
	while (dripMs !== undefined && !exchange.closed.aborted) {
		response.write(' ');
		await waitUnless(exchange.closed, dripMs);
	}
}

function send(text: string, truncated = false, exchange: Exchange, response: ServerResponse): void {
	const bytes = new TextEncoder().encode(text);
	const status = response.statusCode;
	// Announces a byte for an empty body, too, because it would be complete with its headers.
	response.setHeader('Content-Length', truncated ? Math.max(1, bytes.length) : bytes.length);
	exchange.end(truncated ? 'dropped' : 'answered', status);
	if (!truncated) {
		response.end(bytes);
		return;
	}
	response.flushHeaders();
	response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
}
