import type { Effect } from '../values/failure';
import type { Json } from '../values/json';
import type { AttemptResult } from './attemptResult';
import { effectOf, isSuccess } from './attemptResult';
import type { RateLimiter } from './rateLimiter';
import type { RetryPolicy } from './retryPolicy';
import { backoffMs, isRateLimited, isRetryable, PATIENCE, retryAfterMs } from './retryPolicy';
import type { Clock } from './time';
import type { Send, ServiceRequest } from './transport';

/** What says when a request may start. */
export interface Pace {
	rateLimiter: RateLimiter;
	/** Is cancelled when the user stops the run, or when an item fails that ends it. */
	clock: Clock;
}

/** How long and how often a request is tried. */
export interface Limits extends RetryPolicy {
	/** How long one attempt may take. */
	timeoutMs: number;
}

/** What talking to CometChat takes. */
export interface ApiContext extends Pace {
	send: Send;
	limits: Limits;
}

/** How one request is sent. Limits that are left out are those of the run. */
export interface RequestOptions extends Partial<Limits> {
	/** It is not sent again when nobody knows whether it was carried out: that would make a second thing of the same kind. */
	repeat?: 'never';
}

/** How one request went. */
export interface SendResult<Value = unknown> {
	/** What the answer gives; undefined if there is none, or not as the service documents it, which is no success. */
	value?: Value;
	/** The last reply; undefined if the request was never sent. */
	lastResult?: AttemptResult;
	attempts: number;
	effect: Effect;
	/** Why it ended: */
	stopReason:
		| 'answered' // the last reply decides
		| 'out of attempts'
		| 'wait too long' // the service named a wait above the allowed maximum
		| 'cancelled'; // another item or the user ended the run
	/** The wait that the service named last, in milliseconds. */
	retryAfterMs?: number;
}

/**
 * Sends a request to CometChat until it is answered for good. The only place that does.
 *
 * @param read The answer's value; undefined if it is not the answer that the service documents.
 */
export async function sendRequest<Value>(
	{ send, limits, rateLimiter, clock }: ApiContext,
	request: ServiceRequest,
	read: (body: Json | undefined) => Value | undefined,
	options: RequestOptions = {},
): Promise<SendResult<Value>> {
	const { timeoutMs, ...policy } = { ...limits, ...options };
	const sendOnce = async () => await send(request, timeoutMs);
	return await sendWithRetries(sendOnce, read, policy, { rateLimiter, clock });
}

/**
 * Sends one request until it is answered for good, the attempts are used up, the service asks for
 * a wait that is too long, or the run is over.
 *
 * @param read The value of an answer that is a success; undefined if it is none all the same.
 */
export async function sendWithRetries<Value>(
	send: () => Promise<AttemptResult>,
	read: (body: Json | undefined) => Value | undefined,
	policy: RetryPolicy & Pick<RequestOptions, 'repeat'>,
	pace: Pace,
): Promise<SendResult<Value>> {
	const sent: Omit<SendResult<Value>, 'stopReason'> = { attempts: 0, effect: 'not applied' };
	for (let notBeforeMs = 0; ;) {
		const end = await turn(notBeforeMs, policy.maxWaitMs, pace);
		if (end) return { ...sent, ...end };
		const reply = await send();
		sent.lastResult = reply;
		sent.attempts += 1;
		sent.value = isSuccess(reply) ? read(reply.body) : undefined;
		const effect = sent.value === undefined ? effectOf(reply) : 'applied';
		// A refusal does not take back what an earlier attempt without an answer may have done.
		if (effect !== 'not applied') sent.effect = effect;
		const { namedMs, waitMs } = pauseAfter(reply, sent.attempts, policy, pace);
		const isNoHarm = policy.repeat !== 'never' || effect === 'not applied';
		if (!isRetryable(reply) || !isNoHarm) return { ...sent, stopReason: 'answered' };
		const named = { ...sent, retryAfterMs: namedMs };
		if (sent.attempts === policy.maxAttempts) return { ...named, stopReason: 'out of attempts' };
		if (waitMs > policy.maxWaitMs) return { ...named, stopReason: 'wait too long' };
		notBeforeMs = pace.clock.nowMs() + waitMs;
	}
}

/** Waits until a request may start, which is then counted. @returns Why it may not start at all. */
async function turn(
	notBeforeMs: number,
	maxWaitMs: number,
	{ rateLimiter, clock }: Pace,
): Promise<Pick<SendResult, 'stopReason' | 'retryAfterMs'> | undefined> {
	for (;;) {
		if (clock.isCancelled()) return { stopReason: 'cancelled' };
		const nowMs = clock.nowMs();
		const pausedMs = rateLimiter.remainingPauseMs(nowMs);
		if (pausedMs > maxWaitMs) return { stopReason: 'wait too long', retryAfterMs: pausedMs };
		const waitMs = rateLimiter.acquire(nowMs, notBeforeMs);
		if (waitMs === 0) return undefined;
		// Asked again then: another request may have been told to wait meanwhile.
		await clock.delay(waitMs);
	}
}

/** How long a request waits before it is sent again, and the wait that the service named for it; all wait where it asks all. */
function pauseAfter(
	reply: AttemptResult,
	attempts: number,
	{ maxWaitMs }: RetryPolicy,
	{ rateLimiter, clock }: Pace,
): { waitMs: number; namedMs?: number } {
	const nowMs = clock.nowMs();
	const namedMs = retryAfterMs(reply, nowMs);
	// A pause of our own is no reason to give up.
	const ownMs = Math.min(backoffMs(reply, attempts, clock.random()), maxWaitMs);
	// Not shorter because the service names less: 'at once' would use up all attempts at once.
	const waitMs = Math.max(namedMs ?? 0, ownMs);
	// A named wait that is too long for any request ends its own item only: what is down for one request may work for others.
	const isForAll = namedMs !== undefined && namedMs <= PATIENCE.maxWaitMs;
	if (isRateLimited(reply)) rateLimiter.pauseFor(waitMs, nowMs);
	else if (isForAll) rateLimiter.pauseFor(namedMs, nowMs);
	return { waitMs, namedMs };
}
