import type { AccountPace } from './accountPace';

/** How many requests may start in any stretch of time. */
interface Budget {
	requests: number;
	stretchMs: number;
	/** When it no longer holds. */
	untilMs: number;
}

/**
 * The smallest limit that CometChat documents, in requests a minute
 * (https://www.cometchat.com/docs/rest-api/rate-limits): nothing slower is learned from a refusal.
 */
const SLOWEST_PACE = 500;

const MINUTE_MS = 60_000;

/**
 * When the requests of a run may start. All of them go through it, first sends and repetitions:
 *
 * - none before the time that the service named to any of them;
 * - evenly spaced, with those of other runs, if the account's credential names a pace;
 * - after a refusal for the rate limit, no more in a stretch of time than the service took before it,
 *   so that the rest of the run does not meet the limit again.
 */
export class RateLimiter {
	/** How long the service has kept requests waiting in all, in milliseconds. */
	pausedMs = 0;

	private countedUntilMs = 0;

	private resumesAtMs = 0;

	private budget?: Budget;

	/** When the last `budget.requests` requests started, oldest first. */
	private recentStarts: number[] = [];

	private firstStartMs?: number;

	private lastAcceptedMs = 0;

	/** How many requests were not refused for the rate limit, by the second in which they ended. */
	private readonly accepted = new Map<number, number>();

	private isRefused = false;

	constructor(private readonly pace?: AccountPace) {}

	/** Pauses for as long as the service has asked any request to wait. */
	pauseFor(waitMs: number, nowMs: number): void {
		this.resumesAtMs = Math.max(this.resumesAtMs, nowMs + waitMs);
	}

	/** How long the service keeps it closed still. */
	remainingPauseMs(nowMs: number): number {
		return Math.max(0, this.resumesAtMs - nowMs);
	}

	/** @returns 0 if a request may start now, which is then counted; else how long to wait and ask again. */
	acquire(nowMs: number): number {
		const heldMs = this.remainingPauseMs(nowMs);
		if (heldMs > 0) {
			this.pausedMs += Math.max(0, this.resumesAtMs - Math.max(nowMs, this.countedUntilMs));
			this.countedUntilMs = this.resumesAtMs;
			return heldMs;
		}
		if (this.isRefused) this.learn(nowMs);
		const waitMs = Math.max(this.pace?.waitMs(nowMs) ?? 0, this.budgetWaitMs(nowMs));
		if (waitMs > 0) return Math.ceil(waitMs);

		this.pace?.start(nowMs);
		this.firstStartMs ??= nowMs;
		if (this.budget) this.recentStarts.push(nowMs);
		return 0;
	}

	/** What became of a request that was let in. */
	record(isRateLimited: boolean, nowMs: number): void {
		if (isRateLimited) {
			this.isRefused = true;
			return;
		}
		const second = Math.floor(nowMs / 1000);
		this.accepted.set(second, (this.accepted.get(second) ?? 0) + 1);
		this.lastAcceptedMs = nowMs;
	}

	/** At the end of a pause for the rate limit: what was accepted in the minute before it. */
	private learn(nowMs: number): void {
		this.isRefused = false;
		this.recentStarts = [];
		const fromMs = Math.max(this.firstStartMs ?? nowMs, this.lastAcceptedMs - MINUTE_MS);
		let requests = 0;
		for (const [second, count] of this.accepted) {
			if (second < Math.floor(fromMs / 1000)) this.accepted.delete(second);
			else requests += count;
		}
		this.budget = learned(requests, nowMs - fromMs, nowMs, this.budget);
	}

	private budgetWaitMs(nowMs: number): number {
		if (this.budget && nowMs > this.budget.untilMs) this.budget = undefined;
		if (this.budget === undefined) return 0;
		const { requests, stretchMs } = this.budget;
		const surplus = this.recentStarts.length - requests;
		// None, if there are fewer.
		this.recentStarts.splice(0, surplus);
		const [oldest] = this.recentStarts;
		if (surplus < 0 || oldest === undefined) return 0;
		return oldest + stretchMs - nowMs;
	}
}

/** From so much of a minute on, a stretch tells how many requests a minute takes. */
const TELLING_MS = 0.75 * MINUTE_MS;

/**
 * Never faster than before. CometChat counts by the minute: what a shorter stretch tells may come from
 * a minute that others had used up, and holds for one minute only.
 */
function learned(
	accepted: number,
	elapsedMs: number,
	nowMs: number,
	before: Budget | undefined,
): Budget | undefined {
	const slowestMs = MINUTE_MS / SLOWEST_PACE;
	// So few that this run can't have reached any limit by itself.
	if (accepted === 0 || elapsedMs / accepted > 2 * slowestMs) return before;
	const requests = Math.min(accepted, before?.requests ?? Infinity);
	const beforeMs = before === undefined ? 0 : before.stretchMs / before.requests;
	const msPerRequest = Math.min(Math.max(elapsedMs / accepted, beforeMs), slowestMs);
	const untilMs = elapsedMs < TELLING_MS ? nowMs + MINUTE_MS : Infinity;
	return { requests, stretchMs: requests * msPerRequest, untilMs };
}
