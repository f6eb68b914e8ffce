import type { Request, RequestHandler, Response } from 'express';

import type { Answer, Manner } from './answer';
import { give } from './answer';
import { pass, readBody } from './body';
import { describedRequests, refuseUndescribed } from './description';
import { connectionClosed } from './exchange';
import type { Keys } from './key';
import { refuseApp, refuseKey } from './key';
import type { ReceivedRequest } from './log';
import type { RateLimiter } from './rateLimit';
import type { Envelope, Refusal } from './refusal';
import { refusal, refusalBody, refuse } from './refusal';
import { receive } from './receive';
import type { Traffic } from './traffic';

/** How the API answers: JSON, and for a no one of two envelopes. */
export function apiManner(latencyMs: number, envelope: Envelope, checked: boolean): Manner {
	return {
		latencyMs,
		contentType: 'application/json; charset=utf-8',
		write: (body) => JSON.stringify(body),
		refuse: (status, rule) => JSON.stringify(refusalBody(refusal(status, rule, envelope))),
		checked,
	};
}

/** Refuses what gateway and description refuse, and lets `answer` see to the rest. */
export function apiHandler(
	answer: (received: ReceivedRequest) => Answer,
	traffic: Traffic,
	limiter: RateLimiter,
	keys: Keys,
	manner: Manner,
): RequestHandler {
	const described = manner.checked ? describedRequests() : undefined;

	async function refuseDescription(
		request: Request,
		response: Response,
	): Promise<Refusal | undefined> {
		if (described === undefined) return undefined;
		const error = await pass(described, request, response);
		const refused = refuseUndescribed(error);
		if (error !== undefined && refused === undefined) {
			throw new Error('The check against openapi.json failed.', { cause: error });
		}
		return refused;
	}

	return async function handle(request: Request, response: Response): Promise<void> {
		const closed = connectionClosed(response);
		const bodyRefusal = await readBody(request, response);
		if (closed.aborted) return;
		const received = receive(request, traffic.next());
		const rateRefusal = limiter.take(Date.now());
		const exchange = traffic.begin(received, rateRefusal !== undefined, closed);
		// The gateway refuses before the service sees the request: no rule is used up by it.
		const rule = rateRefusal === undefined ? traffic.script.take(received) : undefined;
		const refused =
			rateRefusal ??
			refuseApp(received.headers.appid, keys) ??
			refuseKey(received.headers.apikey, keys) ??
			bodyRefusal ??
			(await refuseDescription(request, response));
		const due = refused === undefined ? answer(received) : refuse(refused);
		await give(due, rule ?? {}, manner, exchange, response, closed);
	};
}
