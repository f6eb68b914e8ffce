import type { Response } from 'express';
import { sleep } from 'n8n-workflow';

import type { Exchange } from './exchange';
import type { Rule } from './script';

/** The well-behaved answer to a request. */
export interface Answer {
	status: number;
	/** Makes the body, when the answer is due: after the change. */
	body: () => unknown;
	headers?: Record<string, string>;
	/** Changes what the service holds; undefined if this request changes nothing. */
	change?: () => void;
	/** How long it takes, if not as long as any other. */
	ms?: number;
	/** Breaks openapi.json, as an option asks for. */
	departs?: boolean;
}

/** How a host answers where a rule says nothing. */
export interface Manner {
	latencyMs: number;
	contentType: string;
	write(body: unknown): string;
	/** The text of a refusal that a rule asks for. */
	refuse(status: number, rule: Rule): string;
	/** Whether ordinary answers leave by `response.json`, where openapi.json is held against them. */
	checked: boolean;
}

/** Gives the answer, or what the rule makes of it. */
export async function give(
	answer: Answer,
	rule: Rule,
	manner: Manner,
	exchange: Exchange,
	response: Response,
	closed: AbortSignal,
): Promise<void> {
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
		response.socket?.destroy();
		return;
	}
	const status = rule.status ?? answer.status;
	const headers = { ...answer.headers, ...rule.headers };
	if (rule.retryAfter !== undefined) headers['Retry-After'] = rule.retryAfter;
	response.status(status).set(headers);
	if (rule.dripMs !== undefined) {
		exchange.sentStatus = status;
		await drip(rule.dripMs, response, closed);
		return;
	}
	if (manner.checked && !answer.departs && isOrdinary(rule))
		sendJson(answer.body(), exchange, response);
	else sendRaw(rawBody(answer, rule, manner), rule, manner.contentType, exchange, response);
}

/** Resolves after the time, or as soon as nobody waits for the answer any more. */
export async function waitUnless(closed: AbortSignal, latencyMs: number): Promise<void> {
	if (latencyMs <= 0) return;
	// It rejects when the connection closes, and for no other reason.
	await sleep(latencyMs, closed).catch(() => undefined);
}

async function drip(everyMs: number, response: Response, closed: AbortSignal): Promise<void> {
	while (!closed.aborted) {
		response.write(' ');
		await waitUnless(closed, everyMs);
	}
}

function succeeds({ status = 200, body, drop }: Rule): boolean {
	return status >= 200 && status < 300 && body === undefined && drop !== 'beforeApplying';
}

function isOrdinary({ status, body, transform, truncated, stall }: Rule): boolean {
	const isWhole = !truncated && !stall;
	return status === undefined && body === undefined && transform === undefined && isWhole;
}

function rawBody(answer: Answer, rule: Rule, manner: Manner): string {
	const { status = answer.status } = rule;
	if (rule.body !== undefined) return rule.body;
	if (rule.transform !== undefined) {
		const transformed = rule.transform(answer.body());
		return typeof transformed === 'string' ? transformed : manner.write(transformed);
	}
	if (status === 204 || (status >= 300 && status < 400)) return '';
	if (rule.status === undefined || status < 400) return manner.write(answer.body());
	return manner.refuse(status, rule);
}

function sendJson(body: unknown, exchange: Exchange, response: Response): void {
	exchange.answered(response.statusCode);
	response.json(body);
	if (response.headersSent) return;
	// The validator kept it back. A stand-in that breaks its own description must be noticed.
	const message = 'The stand-in was about to break openapi.json.';
	response.status(500).type('text').send(message);
}

function sendRaw(
	text: string,
	rule: Rule,
	usualType: string,
	exchange: Exchange,
	response: Response,
): void {
	const bytes = new TextEncoder().encode(text);
	const status = response.statusCode;
	// An empty body would be whole with its headers: a byte of it is promised to be withheld.
	const promised = rule.stall || rule.truncated ? Math.max(1, bytes.length) : bytes.length;
	if (status !== 204) response.setHeader('Content-Length', promised);
	if (!response.hasHeader('Content-Type') && (bytes.length > 0 || rule.contentType !== undefined)) {
		response.setHeader('Content-Type', rule.contentType ?? usualType);
	}
	if (rule.stall) {
		exchange.sentStatus = status;
		response.flushHeaders();
		return;
	}
	if (rule.truncated) {
		exchange.cutShort('dropped', status);
		response.flushHeaders();
		response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => {
			response.socket?.destroy();
		});
		return;
	}
	exchange.answered(status);
	response.end(bytes);
}
