import { Refusal } from './routes';

export interface RateLimit {
	/** How many requests one window takes, of any kind. */
	requests: number;
	/** A window opens with the first request after the one before it has ended. */
	windowMs: number;
	/** How `Retry-After` says when the window ends; 'seconds' if left out. */
	header?: 'seconds' | 'date' | 'none';
}

/** Counts requests and refuses those above the limit. */
export class RateLimiter {
	private endsAtMs = 0;
	private taken = 0;

	constructor(private readonly limit: RateLimit | undefined) {}

	reset(): void {
		this.endsAtMs = 0;
	}

	/** @returns The refusal if this request is one too many. */
	take(nowMs: number): Refusal | undefined {
		if (this.limit === undefined) return undefined;
		const { requests, windowMs, header = 'seconds' } = this.limit;
		if (nowMs >= this.endsAtMs) [this.endsAtMs, this.taken] = [nowMs + windowMs, 0];
		this.taken += 1;
		if (this.taken <= requests) return undefined;
		// A date has whole seconds only: up, or it would name a moment inside the window.
		const endsAt = Math.ceil(this.endsAtMs / 1000);
		const seconds = String(Math.ceil((this.endsAtMs - nowMs) / 1000));
		const date = new Date(endsAt * 1000).toUTCString();
		const headers = {
			'X-RateLimit-Reset': String(endsAt),
			...(header !== 'none' && { 'Retry-After': { seconds, date }[header] }),
		};
		return new Refusal({ status: 429, message: 'Too many requests. Please slow down.', headers });
	}
}
