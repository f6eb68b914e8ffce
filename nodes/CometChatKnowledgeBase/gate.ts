/**
 * The slowest pace that a refusal can teach, in requests a minute: the smallest limit that CometChat
 * documents (https://www.cometchat.com/docs/rest-api/rate-limits). A pause that others who share the
 * limit have brought about says little about what this run may send.
 */
const SLOWEST_PACE = 500;

const MINUTE_MS = 60_000;

/** How many requests may start in any stretch of time. */
interface Budget {
	requests: number;
	stretchMs: number;
}

/** Requests that were not refused for the rate limit. */
interface Taken {
	requests: number;
	/** When the first of them started; undefined before. */
	sinceMs?: number;
}

/**
 * When the requests of a run may start. All of them go through it, first sends and repetitions:
 *
 * - none before the time that the service named to any of them;
 * - evenly spaced, if the user set a pace;
 * - after the first refusal for the rate limit, no more in a stretch of time than the service took
 *   before it, so that the rest of the run does not meet the limit again.
 */
export class Gate {
	/** How long the service has kept requests waiting in all, in milliseconds. */
	closedMs = 0;

	private countedUntilMs = 0;

	private opensAtMs = 0;

	private nextStartMs = 0;

	private budget?: Budget;

	/** When the last `budget.requests` requests started, oldest first. */
	private recentStarts: number[] = [];

	/** What the service took since the last pause for the rate limit, or since the run began. */
	private taken: Taken = { requests: 0 };

	/** The same of the last time that it took any before it refused. */
	private takenBefore?: Taken;

	private isRefused = false;

	/** @param spacingMs Least time between two starts; 0 for none. */
	constructor(private readonly spacingMs = 0) {}

	/** Closes it for as long as the service has asked any request to wait. */
	hold(waitMs: number, nowMs: number): void {
		this.opensAtMs = Math.max(this.opensAtMs, nowMs + waitMs);
	}

	/** How long the service keeps it closed still. */
	remainingMs(nowMs: number): number {
		return Math.max(0, this.opensAtMs - nowMs);
	}

	/** @returns 0 if a request may start now, which is then counted; else how long to wait and ask again. */
	enter(nowMs: number): number {
		const heldMs = this.remainingMs(nowMs);
		if (heldMs > 0) {
			this.closedMs += Math.max(0, this.opensAtMs - Math.max(nowMs, this.countedUntilMs));
			this.countedUntilMs = this.opensAtMs;
			return heldMs;
		}
		if (this.isRefused) this.learn(nowMs);
		const waitMs = Math.max(this.nextStartMs - nowMs, this.budgetWaitMs(nowMs), 0);
		if (waitMs > 0) return Math.ceil(waitMs);

		this.nextStartMs = nowMs + this.spacingMs;
		this.taken.sinceMs ??= nowMs;
		if (this.budget) this.recentStarts.push(nowMs);
		return 0;
	}

	/** What became of a request that was let in. */
	answered(isRateLimited: boolean): void {
		if (isRateLimited) this.isRefused = true;
		else this.taken.requests += 1;
	}

	/** At the end of a pause for the rate limit. */
	private learn(nowMs: number): void {
		// A pause that was too short teaches again, from the same requests and the longer time.
		if (this.taken.requests > 0) this.takenBefore = this.taken;
		if (this.takenBefore) this.budget = learned(this.takenBefore, this.budget, nowMs);
		this.taken = { requests: 0 };
		this.isRefused = false;
		this.recentStarts = [];
	}

	private budgetWaitMs(nowMs: number): number {
		if (this.budget === undefined) return 0;
		const { requests, stretchMs } = this.budget;
		const surplus = this.recentStarts.length - requests;
		if (surplus > 0) this.recentStarts.splice(0, surplus);
		const [oldest] = this.recentStarts;
		if (surplus < 0 || oldest === undefined) return 0;
		return oldest + stretchMs - nowMs;
	}
}

/** Never faster than before, and no slower than `SLOWEST_PACE`. */
function learned(taken: Taken, before: Budget | undefined, nowMs: number): Budget {
	const requests = Math.min(taken.requests, before?.requests ?? Infinity);
	const slowedMs = (nowMs - (taken.sinceMs ?? nowMs)) / taken.requests;
	const beforeMs = before === undefined ? 0 : before.stretchMs / before.requests;
	const msPerRequest = Math.min(Math.max(slowedMs, beforeMs), MINUTE_MS / SLOWEST_PACE);
	return { requests, stretchMs: requests * msPerRequest };
}
