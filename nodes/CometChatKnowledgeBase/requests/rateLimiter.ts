import { createHash } from 'node:crypto';

import type { Account } from '../account/account';

const MINUTE_MS = 60_000;

/**
 * The smallest limit that CometChat documents, in requests a minute
 * (https://www.cometchat.com/docs/rest-api/rate-limits): nothing slower is learned from refusals.
 */
const SLOWEST_MS = MINUTE_MS / 500;

/** CometChat counts by the minute: from so much of one on, a stretch tells how many requests a minute takes. */
const TELLING_MS = 0.75 * MINUTE_MS;

/**
 * When the next request of an account may start, by its `keyOf`: for all executions of this n8n process. Only
 * those whose next one is still to come are in it.
 */
const nextStarts = new Map<string, number>();

/**
 * When the requests of a run may start. All of them go through it, first sends and repetitions:
 *
 * - none before the time that the service named to any of them;
 * - evenly spaced, if the account's credential names a pace, or after refusals for the rate limit, at the pace
 *   that the service took before; together with those of other runs of the account that have a pace.
 */
export class RateLimiter {
	/** How long the service has kept requests waiting in all, in milliseconds. */
	pausedMs = 0;

	private countedUntilMs = 0;

	private resumesAtMs = 0;

	/** Between two starts, in milliseconds; 0: as fast as CometChat allows. */
	private spacingMs: number;

	/** How many requests were not refused for the rate limit, and since when they are counted. */
	private accepted = 0;

	private sinceMs?: number;

	private readonly key: string;

	/** @param account Left out: for a single request, which is in no run: of the editor, or to another host than the service's. */
	constructor(account?: Account) {
		this.key = account ? keyOf(account) : '';
		this.spacingMs = MINUTE_MS / (account?.requestsPerMinute ?? Infinity);
	}

	/** Pauses for as long as the service has asked any request to wait. */
	pauseFor(waitMs: number, nowMs: number): void {
		this.resumesAtMs = Math.max(this.resumesAtMs, nowMs + waitMs);
	}

	/** How long the service keeps it closed still. */
	remainingPauseMs(nowMs: number): number {
		return Math.max(0, this.resumesAtMs - nowMs);
	}

	/**
	 * @param notBeforeMs When this request itself may start.
	 * @returns 0 if it may start now, which is then counted; else how long to wait and ask again.
	 */
	acquire(nowMs: number, notBeforeMs = 0): number {
		const pauseMs = this.remainingPauseMs(nowMs);
		if (pauseMs > 0) {
			this.pausedMs += Math.max(0, this.resumesAtMs - Math.max(nowMs, this.countedUntilMs));
			this.countedUntilMs = this.resumesAtMs;
		}
		const longerMs = Math.max(pauseMs, notBeforeMs - nowMs);
		if (longerMs > 0) return longerMs;
		this.sinceMs ??= nowMs;
		if (this.spacingMs === 0) return 0;

		const waitMs = (nextStarts.get(this.key) ?? 0) - nowMs;
		// None waits longer than the slowest pace: the system's clock was set back.
		if (waitMs > 0 && waitMs <= MINUTE_MS) return Math.ceil(waitMs);
		for (const [key, startMs] of nextStarts) if (startMs <= nowMs) nextStarts.delete(key);
		nextStarts.set(this.key, nowMs + this.spacingMs);
		return 0;
	}

	/** A request that was let in was not refused for the rate limit. */
	accept(): void {
		this.accepted += 1;
	}

	/**
	 * A request that was let in was refused for the rate limit: all requests of the account count against it, so
	 * all of them pause. The stretch that ends with the pause tells how many the service takes.
	 */
	refuse(waitMs: number, nowMs: number): void {
		this.pauseFor(waitMs, nowMs);
		const stretchMs = this.resumesAtMs - (this.sinceMs ?? nowMs);
		if (stretchMs < TELLING_MS) return;
		this.spacingMs = Math.max(this.spacingMs, paceOf(stretchMs / this.accepted));
		this.accepted = 0;
		// The next one begins with the next start: until then, others of this moment may make the pause longer.
		this.sinceMs = undefined;
	}
}

/**
 * What the service took in a stretch that ended with a refusal, as the time between two starts.
 *
 * @returns 0 where it tells nothing: at a slower pace, this run can't have reached any limit by itself.
 */
function paceOf(averageMs: number): number {
	return averageMs <= 2 * SLOWEST_MS ? Math.min(averageMs, SLOWEST_MS) : 0;
}

/** A hash: nothing keeps the key of an account for longer than its run. */
function keyOf({ baseUrl, appId = '', apiKey }: Account): string {
	const account = JSON.stringify([baseUrl, appId, apiKey]);
	return createHash('sha256').update(account).digest('base64url');
}
