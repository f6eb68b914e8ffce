import type { Refusal } from './refusal';

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
		this.taken = 0;
	}

	/** @returns The refusal if this request is one too many. */
	take(nowMs: number): Refusal | undefined {
		if (this.limit === undefined) return undefined;
		const { requests, windowMs, header = 'seconds' } = this.limit;
		if (nowMs >= this.endsAtMs) {
			this.endsAtMs = nowMs + windowMs;
			this.taken = 0;
		}
		this.taken += 1;
		if (this.taken <= requests) return undefined;
		return {
			status: 429,
			code: 'ERR_TOO_MANY_REQUESTS',
			message: 'Too many requests. Please slow down.',
			envelope: 'gateway',
			headers: {
				...retryAfter(header, this.endsAtMs, nowMs),
				'X-RateLimit-Limit': String(requests),
				'X-RateLimit-Remaining': '0',
				'X-RateLimit-Reset': String(Math.ceil(this.endsAtMs / 1000)),
			},
		};
	}
}

function retryAfter(
	header: 'seconds' | 'date' | 'none',
	endsAtMs: number,
	nowMs: number,
): Record<string, string> {
	if (header === 'none') return {};
	const seconds = Math.ceil((endsAtMs - nowMs) / 1000);
	// A date has whole seconds only: up, or it would name a moment inside the window.
	const date = new Date(Math.ceil(endsAtMs / 1000) * 1000).toUTCString();
	return { 'Retry-After': header === 'date' ? date : String(seconds) };
}
