import type { AttemptResult } from './attemptResult';
import { connectionOf } from './attemptResult';
import { LATE } from './time';

export interface RetryPolicy {
	/** The first attempt included. */
	maxAttempts: number;
	/** The longest single wait. */
	maxWaitMs: number;
	/** Attempts after which a time-out is the last one; left out: `maxAttempts`. */
	maxLateAttempts?: number;
}

/**
 * The waits of five attempts cover a service that restarts, and at a rate limit a whole minute, which is how
 * CometChat counts its limits (https://www.cometchat.com/docs/rest-api/rate-limits). A wait that CometChat asks for
 * may be two minutes. After a longer wait, the user should decide.
 */
export const DEFAULT_RETRY_POLICY: RetryPolicy = { maxAttempts: 5, maxWaitMs: 120_000 };

/** Temporary: request time-out, rate limit, service, gateway, overload, gateway time-out. */
const RETRYABLE_STATUSES = new Set([408, 429, 500, 502, 503, 504]);

export function isRetryable(reply: AttemptResult): boolean {
	if (reply.kind === 'response') return RETRYABLE_STATUSES.has(reply.status);
	const connection = connectionOf(reply);
	// A retry does not correct a wrong host name, address or certificate.
	return connection === 'lost' || connection === 'not reached';
}

export function isLate(reply: AttemptResult): boolean {
	return reply.kind === 'network failure' && reply.code === LATE;
}

export function isRateLimited(reply: AttemptResult): boolean {
	return reply.kind === 'response' && reply.status === 429;
}

/** The wait that CometChat asks for before a retry, in milliseconds: `Retry-After` in seconds or as a date. */
export function retryAfterMs(reply: AttemptResult, nowMs: number): number | undefined {
	if (reply.kind === 'network failure' || !isRetryable(reply)) return undefined;
	const text = String(reply.headers['retry-after'] ?? '').trim();
	if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
	const untilMs = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : NaN;
	return Number.isNaN(untilMs) ? undefined : Math.max(0, untilMs - nowMs);
}

/**
 * The shortest wait after a failed attempt: it doubles, with up to a quarter more by chance, so that requests that met
 * the same outage do not return together. At a rate limit it starts at four seconds, so that five attempts last a
 * minute.
 *
 * @param random From 0 to 1.
 */
export function backoffMs(reply: AttemptResult, attempt: number, random: number): number {
	const firstMs = isRateLimited(reply) ? 4000 : 1000;
	return Math.round(firstMs * 2 ** (attempt - 1) * (1 + random / 4));
}
