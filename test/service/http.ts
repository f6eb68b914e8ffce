import { sleep } from 'n8n-workflow';

import type { Exchange } from './log';
import type { IncomingMessage, ServerResponse } from './nodeHttp';
import type { Failure } from './refusal';
import type { Answer } from './routes';
import type { Rule } from './script';

/** How a host answers where a rule says nothing. */
export interface Manner {
	latencyMs: number;
	contentType: string;
	write(body: unknown): string;
	/** The body of a failure. */
	fail(failure: Failure): unknown;
}

/** As Node's server wants it. Whatever goes wrong in the stand-in itself must be noticed. */
export function served(
	handle: (
		request: IncomingMessage,
		response: ServerResponse,
		closed: AbortSignal,
	) => Promise<void>,
) {
	return (request: IncomingMessage, response: ServerResponse): void => {
		const closed = new AbortController();
		// With a reason, because without one an error with its stack is made for every request.
		response.once('close', () => closed.abort('The connection has closed.'));
		handle(request, response, closed.signal).catch((error: unknown) => {
			if (!response.headersSent) response.statusCode = 500;
			response.end(`The stand-in has failed: ${error}`);
		});
	};
}

/** What the log keeps of any request. */
export function lineOf({ method = '', url: path = '', headers }: IncomingMessage) {
	const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
	return { method, path, headers: Object.fromEntries(texts) };
}

/** Gives the answer, or what the rule makes of it. */
export async function give(
	answer: Answer,
	rule: Rule,
	manner: Manner,
	exchange: Exchange,
	response: ServerResponse,
): Promise<void> {
	const { closed } = exchange;
	const apply = () => {
		answer.change?.();
		exchange.applied = answer.change !== undefined;
	};
	if (rule.apply === true) apply();
	await waitUnless(closed, rule.latencyMs ?? answer.ms ?? manner.latencyMs);
	if (closed.aborted) return;
	if (rule.apply === undefined && succeeds(rule)) apply();
	if (rule.drop !== undefined) {
		exchange.cutShort('dropped');
		response.destroy();
		return;
	}
	response.statusCode = rule.status ?? answer.status ?? 200;
	response.setHeaders(new Map(Object.entries({ ...answer.headers, ...rule.headers })));
	if (rule.retryAfter !== undefined) response.setHeader('Retry-After', rule.retryAfter);
	if (rule.dripMs !== undefined) await drip(rule.dripMs, exchange, response);
	else send(textOf(answer, rule, manner), rule, manner.contentType, exchange, response);
}

/** Resolves after the time, or as soon as nobody waits for the answer any more. */
export async function waitUnless(closed: AbortSignal, latencyMs: number): Promise<void> {
	if (latencyMs <= 0) return;
	// It rejects when the connection closes, and for no other reason.
	await sleep(latencyMs, closed).catch(() => undefined);
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

async function drip(everyMs: number, exchange: Exchange, response: ServerResponse): Promise<void> {
	exchange.sentStatus = response.statusCode;
	while (!exchange.closed.aborted) {
		response.write(' ');
		await waitUnless(exchange.closed, everyMs);
	}
}

function send(
	text: string,
	{ stall, truncated, contentType }: Rule,
	usualType: string,
	exchange: Exchange,
	response: ServerResponse,
): void {
	const bytes = new TextEncoder().encode(text);
	const status = response.statusCode;
	// An empty body would be whole with its headers: a byte of it is promised to be withheld.
	const promised = stall || truncated ? Math.max(1, bytes.length) : bytes.length;
	if (status !== 204) response.setHeader('Content-Length', promised);
	if (!response.hasHeader('Content-Type') && (bytes.length > 0 || contentType !== undefined))
		response.setHeader('Content-Type', contentType ?? usualType);
	if (stall) {
		exchange.sentStatus = status;
		response.flushHeaders();
	} else if (truncated) {
		exchange.cutShort('dropped', status);
		response.flushHeaders();
		response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
	} else {
		exchange.end({ kind: 'answered', status });
		response.end(bytes);
	}
}
