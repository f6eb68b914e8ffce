/**
 * Decides when the requests of an execution may start: none during a common pause, and evenly spaced if the user sets
 * a rate.
 */
export class RateLimiter {
	private resumesAtMs = 0;

	private nextStartMs = 0;

	/** @param spacingMs The time between two starts; 0: as fast as CometChat allows. */
	constructor(private readonly spacingMs = 0) {}

	/** Pauses all requests. A longer pause is not shortened. */
	pauseFor(waitMs: number, nowMs: number): void {
		this.resumesAtMs = Math.max(this.resumesAtMs, nowMs + waitMs);
	}

	/** The rest of the pause, in milliseconds. */
	remainingPauseMs(nowMs: number): number {
		return Math.max(0, this.resumesAtMs - nowMs);
	}

	/**
	 * @param notBeforeMs When this request itself may start.
	 * @returns 0 if the request may start now, which then counts; otherwise how long to wait before asking again.
	 */
	acquire(nowMs: number, notBeforeMs = 0): number {
		const startMs = Math.max(this.resumesAtMs, this.nextStartMs, notBeforeMs);
		if (startMs > nowMs) return Math.ceil(startMs - nowMs);
		this.nextStartMs = nowMs + this.spacingMs;
		return 0;
	}
}
