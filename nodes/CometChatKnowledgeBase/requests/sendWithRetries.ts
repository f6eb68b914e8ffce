import type { AttemptResult, Effect } from './attemptResult';
import { effectOf } from './attemptResult';
import type { RateLimiter } from './rateLimiter';
import type { RetryPolicy } from './retryPolicy';
import { backoffMs, isRateLimited, isRetryable, retryAfterMs } from './retryPolicy';

/** Time and random numbers, handed in so that tests can set both. */
export interface Clock {
	nowMs(): number;
	/** From 0 to 1. */
	random(): number;
	/** Ends after `waitMs`, or at once when the run ends. */
	delay(waitMs: number): Promise<void>;
	/** True once no further request may start: the user stopped the run, or another item did. */
	isCancelled(): boolean;
}

/** How one request went. */
export interface SendResult {
	/** The last reply; undefined if the request was never sent. */
	lastResult?: AttemptResult;
	attempts: number;
	effect: Effect;
	/** Why it ended without success: */
	stopReason:
		| 'answered' // the last reply decides
		| 'out of attempts'
		| 'wait too long' // the service named a wait above the allowed maximum
		| 'cancelled'; // another item or the user ended the run
	/** The wait that the service named last, in milliseconds. */
	retryAfterMs?: number;
}

/** How the replies to one kind of request are taken. */
export interface ResponseRules {
	effectOf(reply: AttemptResult): Effect;
	isRetryable(reply: AttemptResult): boolean;
}

/**
 * Sends one request until it is answered for good, the attempts are used up, the service asks for
 * a wait that is too long, or the run is over.
 */
export async function sendWithRetries(
	send: () => Promise<AttemptResult>,
	{ maxAttempts, maxWaitMs, maxPauseMs = maxWaitMs }: RetryPolicy,
	rateLimiter: RateLimiter,
	clock: Clock,
	rules: ResponseRules = { effectOf, isRetryable },
): Promise<SendResult> {
	const sendResult: Omit<SendResult, 'stopReason'> = { attempts: 0, effect: 'not applied' };
	let notBeforeMs = 0;

	for (;;) {
		if (clock.isCancelled()) return { ...sendResult, stopReason: 'cancelled' };
		const nowMs = clock.nowMs();
		const pausedMs = rateLimiter.remainingPauseMs(nowMs);
		if (pausedMs > maxWaitMs) {
			return { ...sendResult, stopReason: 'wait too long', retryAfterMs: pausedMs };
		}
		const ownMs = Math.max(0, notBeforeMs - nowMs);
		// Unless it pauses, the rate limiter counts whoever asks as a start: only who may start asks.
		const limiterMs = pausedMs > 0 || ownMs === 0 ? rateLimiter.acquire(nowMs) : 0;
		const waitMs = Math.max(ownMs, limiterMs);
		if (waitMs > 0) {
			await clock.delay(waitMs);
			// Asked again: another request may have been told to wait meanwhile.
			continue;
		}

		const reply = await send();
		sendResult.lastResult = reply;
		sendResult.attempts += 1;
		rateLimiter.record(isRateLimited(reply), clock.nowMs());
		const effect = rules.effectOf(reply);
		// A refusal does not take back what an earlier attempt without an answer may have done.
		if (effect !== 'not applied') sendResult.effect = effect;
		const named = retryAfterMs(reply, clock.nowMs());
		// Longer, it ends the own item alone: what is down for one request need not be for all.
		if (named !== undefined && named <= maxPauseMs) rateLimiter.pauseFor(named, clock.nowMs());

		if (!rules.isRetryable(reply)) return { ...sendResult, stopReason: 'answered' };
		// A pause of our own that all would keep is no reason for them to give up.
		const longestMs = Math.min(maxWaitMs, maxPauseMs);
		const ownDelayMs = Math.min(backoffMs(reply, sendResult.attempts, clock.random()), longestMs);
		// Not shorter because the service names less: 'at once' would use up all attempts at once.
		const nextMs = Math.max(named ?? 0, ownDelayMs);
		// All requests of the account count against the same limit, so all of them slow down.
		if (isRateLimited(reply)) rateLimiter.pauseFor(nextMs, clock.nowMs());
		if (sendResult.attempts === maxAttempts) {
			return { ...sendResult, stopReason: 'out of attempts', retryAfterMs: named };
		}
		if (nextMs > maxWaitMs)
			return { ...sendResult, stopReason: 'wait too long', retryAfterMs: named };
		notBeforeMs = clock.nowMs() + nextMs;
	}
}
