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

/** What says when a request may start. */
export interface Pace {
	rateLimiter: RateLimiter;
	clock: Clock;
}

/**
 * Sends one request until it is answered for good, the attempts are used up, the service asks for
 * a wait that is too long, or the run is over.
 */
export async function sendWithRetries(
	send: () => Promise<AttemptResult>,
	policy: RetryPolicy,
	pace: Pace,
	rules: ResponseRules = { effectOf, isRetryable },
): Promise<SendResult> {
	const sending = new Sending(policy, pace, rules);
	for (;;) {
		const next = sending.next();
		if (typeof next !== 'number') return next;
		if (next > 0) {
			await pace.clock.delay(next);
			// Asked again: another request may have been told to wait meanwhile.
			continue;
		}
		const end = sending.take(await send());
		if (end) return end;
	}
}

/** One request on its way, and what its replies have come to until now. */
class Sending {
	private readonly sendResult: Omit<SendResult, 'stopReason'> = {
		attempts: 0,
		effect: 'not applied',
	};

	private notBeforeMs = 0;

	constructor(
		private readonly policy: RetryPolicy,
		private readonly pace: Pace,
		private readonly rules: ResponseRules,
	) {}

	/** How long it has to wait, or its end if it goes no further. At 0 it is counted as a start. */
	next(): number | SendResult {
		const { sendResult } = this;
		const { rateLimiter, clock } = this.pace;
		if (clock.isCancelled()) return { ...sendResult, stopReason: 'cancelled' };
		const nowMs = clock.nowMs();
		const pausedMs = rateLimiter.remainingPauseMs(nowMs);
		if (pausedMs > this.policy.maxWaitMs) {
			return { ...sendResult, stopReason: 'wait too long', retryAfterMs: pausedMs };
		}
		const ownMs = Math.max(0, this.notBeforeMs - nowMs);
		// Unless it pauses, the rate limiter counts whoever asks as a start: only who may start asks.
		const limiterMs = pausedMs > 0 || ownMs === 0 ? rateLimiter.acquire(nowMs) : 0;
		return Math.max(ownMs, limiterMs);
	}

	/** @returns Its end, if the reply is the last one. */
	take(reply: AttemptResult): SendResult | undefined {
		const { sendResult } = this;
		const { maxAttempts, maxWaitMs } = this.policy;
		const named = this.note(reply);
		if (!this.rules.isRetryable(reply)) return { ...sendResult, stopReason: 'answered' };
		const nextMs = this.pauseAfter(reply, named);
		if (sendResult.attempts === maxAttempts) {
			return { ...sendResult, stopReason: 'out of attempts', retryAfterMs: named };
		}
		if (nextMs > maxWaitMs)
			return { ...sendResult, stopReason: 'wait too long', retryAfterMs: named };
		this.notBeforeMs = this.pace.clock.nowMs() + nextMs;
		return undefined;
	}

	/** @returns The wait that the service has named. */
	private note(reply: AttemptResult): number | undefined {
		const { sendResult } = this;
		const { rateLimiter, clock } = this.pace;
		const { maxWaitMs, maxPauseMs = maxWaitMs } = this.policy;
		sendResult.lastResult = reply;
		sendResult.attempts += 1;
		rateLimiter.record(isRateLimited(reply), clock.nowMs());
		const effect = this.rules.effectOf(reply);
		// A refusal does not take back what an earlier attempt without an answer may have done.
		if (effect !== 'not applied') sendResult.effect = effect;
		const named = retryAfterMs(reply, clock.nowMs());
		// Longer, it ends the own item alone: what is down for one request need not be for all.
		if (named !== undefined && named <= maxPauseMs) rateLimiter.pauseFor(named, clock.nowMs());
		return named;
	}

	/** How long it waits before it is sent again, as all do if there were too many of them. */
	private pauseAfter(reply: AttemptResult, named = 0): number {
		const { rateLimiter, clock } = this.pace;
		const { maxWaitMs, maxPauseMs = maxWaitMs } = this.policy;
		// A pause of our own that all would keep is no reason for them to give up.
		const longestMs = Math.min(maxWaitMs, maxPauseMs);
		const { attempts } = this.sendResult;
		const ownDelayMs = Math.min(backoffMs(reply, attempts, clock.random()), longestMs);
		// Not shorter because the service names less: 'at once' would use up all attempts at once.
		const nextMs = Math.max(named, ownDelayMs);
		// All requests of the account count against the same limit, so all of them slow down.
		if (isRateLimited(reply)) rateLimiter.pauseFor(nextMs, clock.nowMs());
		return nextMs;
	}
}
