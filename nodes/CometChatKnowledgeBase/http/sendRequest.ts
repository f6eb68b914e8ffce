import type { Effect } from '../text/failure';
import type { Json } from '../text/json';
import type { AttemptResult } from './attemptResult';
import { effectOf, isSuccess } from './attemptResult';
import type { RateLimiter } from './rateLimiter';
import type { RetryPolicy } from './retryPolicy';
import { backoffMs, isLate, isRateLimited, isRetryable, retryAfterMs } from './retryPolicy';
import type { Clock } from './time';
import type { Send, ServiceRequest } from './transport';

/** The rate limit and the clock of a request. */
export interface Pace {
	rateLimiter: RateLimiter;
	/** Is cancelled when the user or a failed item stops the execution. */
	clock: Clock;
}

/** How long and how often a request is tried. */
export interface Limits extends RetryPolicy {
	/** How long one attempt may take. */
	timeoutMs: number;
}

/** Everything needed to send requests to CometChat. */
export interface ApiContext extends Pace {
	send: Send;
	limits: Limits;
}

/** How one request is sent. Limits that are left out are those of the execution. */
export interface RequestOptions extends Partial<Limits> {
	/** `never`: not sent again if its effect is unknown, because that could create a second document. */
	repeat?: 'never';
	/** Is called before a request is repeated whose earlier attempt may have had an effect. */
	onLost?(): void;
}

/** The result of a request. */
export interface SendResult<Value = unknown> {
	/** The value of the response; undefined if there is none, or if the response is not the documented one. */
	value?: Value;
	/** The last reply; undefined if the request was never sent. */
	lastResult?: AttemptResult;
	attempts: number;
	effect: Effect;
	/** Why it ended: */
	stopReason:
		| 'answered' // the last reply decides
		| 'out of attempts'
		| 'wait too long' // CometChat asked for a longer wait than is allowed
		| 'cancelled'; // another item or the user ended the execution
	/** The wait that CometChat asked for last, in milliseconds. */
	retryAfterMs?: number;
}

/** Sends a request, retrying as configured. @param read Returns undefined for an undocumented response. */
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

/** As `sendRequest`, with any way to send it. */
export async function sendWithRetries<Value>(
	send: () => Promise<AttemptResult>,
	read: (body: Json | undefined) => Value | undefined,
	policy: RetryPolicy & Pick<RequestOptions, 'repeat' | 'onLost'>,
	pace: Pace,
): Promise<SendResult<Value>> {
	const sent: Omit<SendResult<Value>, 'stopReason'> = { attempts: 0, effect: 'not applied' };
	for (let notBeforeMs = 0; ;) {
		const pausedMs = await waitForStart(notBeforeMs, policy.maxWaitMs, pace);
		if (pace.clock.isCancelled()) return { ...sent, stopReason: 'cancelled' };
		if (pausedMs > 0) return { ...sent, stopReason: 'wait too long', retryAfterMs: pausedMs };
		const reply = await send();
		sent.lastResult = reply;
		sent.attempts += 1;
		sent.value = isSuccess(reply) ? read(reply.body) : undefined;
		const effect = sent.value === undefined ? effectOf(reply) : 'applied';
		// A refusal does not undo the effect of an earlier attempt without a response.
		if (effect !== 'not applied') sent.effect = effect;
		const { askedMs, waitMs } = waitAfter(reply, sent.attempts, policy.maxWaitMs, pace);
		sent.retryAfterMs = askedMs;
		const isSafe = policy.repeat !== 'never' || effect === 'not applied';
		if (!isRetryable(reply) || !isSafe) return { ...sent, stopReason: 'answered' };
		const most = (isLate(reply) && policy.maxLateAttempts) || policy.maxAttempts;
		if (sent.attempts >= most) return { ...sent, stopReason: 'out of attempts' };
		if (waitMs > policy.maxWaitMs) return { ...sent, stopReason: 'wait too long' };
		if (effect === 'unknown') policy.onLost?.();
		// A request that is not repeated holds up no other.
		pace.rateLimiter.pauseFor(askedMs ?? 0, pace.clock.nowMs());
		notBeforeMs = pace.clock.nowMs() + waitMs;
	}
}

/** Waits until a request may start. @returns The rest of the common pause, if it is longer than allowed. */
async function waitForStart(
	notBeforeMs: number,
	maxWaitMs: number,
	{ rateLimiter, clock }: Pace,
): Promise<number> {
	while (!clock.isCancelled()) {
		const pausedMs = rateLimiter.remainingPauseMs(clock.nowMs());
		if (pausedMs > maxWaitMs) return pausedMs;
		const waitMs = rateLimiter.acquire(clock.nowMs(), notBeforeMs);
		if (waitMs === 0) break;
		// Another request may meanwhile make the pause longer.
		await clock.delay(waitMs);
	}
	return 0;
}

/** The wait before a retry, and the part of this wait that CometChat asks for. At a rate limit, all requests pause. */
function waitAfter(
	reply: AttemptResult,
	attempts: number,
	maxWaitMs: number,
	{ rateLimiter, clock }: Pace,
): { waitMs: number; askedMs?: number } {
	const nowMs = clock.nowMs();
	const askedMs = retryAfterMs(reply, nowMs);
	// The back-off is the shortest wait, because immediate retries would use up all attempts. A long back-off does
	// not end the attempts.
	const waitMs = Math.max(
		askedMs ?? 0,
		Math.min(backoffMs(reply, attempts, clock.random()), maxWaitMs),
	);
	if (isRateLimited(reply)) rateLimiter.pauseFor(waitMs, nowMs);
	return { waitMs, askedMs };
}
