import type { Response } from 'express';
import { sleep } from 'n8n-workflow';

import type { Exchange } from './exchange';
import type { Envelope } from './refusal';
import { refusal, refusalBody } from './refusal';
import type { Rule } from './script';

/** The well-behaved answer to a request. */
export interface Answer {
	status: number;
	/** Makes the JSON body, when the answer is due. */
	body: () => unknown;
	headers?: Record<string, string>;
	/** Changes the files; undefined if this request changes none. */
	change?: () => void;
}

/** What goes where a rule says nothing. */
export interface Usual {
	latencyMs: number;
	envelope: Envelope;
}

/** Gives the answer, or what the rule makes of it. */
export async function give(
	answer: Answer,
	rule: Rule,
	usual: Usual,
	exchange: Exchange,
	response: Response,
	closed: AbortSignal,
): Promise<void> {
	const apply = () => {
		answer.change?.();
		exchange.applied = answer.change !== undefined;
	};
	if (rule.apply === true) apply();
	await waitUnless(closed, rule.latencyMs ?? usual.latencyMs);
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
	if (isOrdinary(rule)) sendJson(answer.body(), exchange, response);
	else sendRaw(rawBody(answer, rule, usual.envelope), rule, exchange, response);
}

/** Resolves after the time, or as soon as nobody waits for the answer any more. */
async function waitUnless(closed: AbortSignal, latencyMs: number): Promise<void> {
	if (latencyMs <= 0) return;
	// It rejects when the connection closes, and for no other reason.
	await sleep(latencyMs, closed).catch(() => undefined);
}

function succeeds({ status = 200, body, drop }: Rule): boolean {
	return status >= 200 && status < 300 && body === undefined && drop !== 'beforeApplying';
}

function isOrdinary({ status, body, truncated, stall }: Rule): boolean {
	return status === undefined && body === undefined && !truncated && !stall;
}

function rawBody(answer: Answer, rule: Rule, envelope: Envelope): string {
	const { status = answer.status } = rule;
	if (rule.body !== undefined) return rule.body;
	if (status === 204 || (status >= 300 && status < 400)) return '';
	if (rule.status === undefined || status < 400) return JSON.stringify(answer.body());
	return JSON.stringify(refusalBody(refusal(status, rule, envelope)));
}

function sendJson(body: unknown, exchange: Exchange, response: Response): void {
	exchange.answered(response.statusCode);
	response.json(body);
	if (response.headersSent) return;
	// The validator kept it back. A stand-in that breaks its own description must be noticed.
	const message = 'The stand-in was about to break openapi.json.';
	response.status(500).type('text').send(message);
}

function sendRaw(text: string, rule: Rule, exchange: Exchange, response: Response): void {
	const bytes = new TextEncoder().encode(text);
	const status = response.statusCode;
	if (status !== 204) response.setHeader('Content-Length', bytes.length);
	if (!response.hasHeader('Content-Type') && (bytes.length > 0 || rule.contentType !== undefined)) {
		response.setHeader('Content-Type', rule.contentType ?? 'application/json; charset=utf-8');
	}
	if (rule.stall) {
		exchange.sentStatus = status;
		response.flushHeaders();
		return;
	}
	if (rule.truncated) {
		exchange.cutShort('dropped', status);
		response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => {
			response.socket?.destroy();
		});
		return;
	}
	exchange.answered(status);
	response.end(bytes);
}
