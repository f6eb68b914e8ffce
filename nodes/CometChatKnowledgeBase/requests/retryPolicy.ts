import type { AttemptResult, ServiceResponse } from './attemptResult';
import { connectionOf } from './attemptResult';

export interface RetryPolicy {
	/** The first attempt included. */
	maxAttempts: number;
	/** The longest single wait. */
	maxWaitMs: number;
}

/**
 * Five attempts with the waits below cover a service that restarts, and, when it limits the rate without
 * saying for how long, a whole minute, which is how CometChat counts its limits
 * (https://www.cometchat.com/docs/rest-api/rate-limits). A wait that it names may be twice that minute: who
 * asks for more has another trouble, of which somebody should know.
 */
export const PATIENCE: RetryPolicy = { maxAttempts: 5, maxWaitMs: 120_000 };

/** By HTTP's statuses. What must not be done twice is not sent again for them: see `repeat` of `RequestOptions`. */
const WORTH_REPEATING = new Set([
	408, // the service waited too long for the request
	429, // too many requests
	500, // the service broke
	502, // a gateway met a broken service
	503, // down or overloaded
	504, // a gateway waited too long for the service
]);

export function isRetryable(reply: AttemptResult): boolean {
	if (reply.kind === 'response') return WORTH_REPEATING.has(reply.status);
	const connection = connectionOf(reply);
	// No repetition heals a wrong host name, address or certificate.
	return connection === 'lost' || connection === 'not reached';
}

export function isRateLimited(reply: AttemptResult): boolean {
	return reply.kind === 'response' && reply.status === 429;
}

/** A year: what is longer is as good as for ever, and would not fit into a number at some length. */
const LONGEST_NAMED_WAIT_MS = 365 * 24 * 3600 * 1000;

/**
 * The wait that the service named, in milliseconds; undefined if it named none.
 *
 * `Retry-After` (seconds or an HTTP date) is the one header on which the service's two pages on
 * rate limits agree. Where it is missing, the reset time stands in, in both of their spellings
 * (https://www.cometchat.com/docs/rest-api/rate-limits, …/docs/articles/rate-limits).
 */
export function retryAfterMs(reply: AttemptResult, nowMs: number): number | undefined {
	if (reply.kind === 'network failure' || !isRetryable(reply)) return undefined;
	const retryAfter = headerText(reply.headers['retry-after']);
	if (/^\d+(?:\.\d+)?$/.test(retryAfter)) {
		return Math.min(Math.ceil(Number(retryAfter) * 1000), LONGEST_NAMED_WAIT_MS);
	}

	// A date on the service's clock is compared with the service's own 'Date', not with ours.
	const thereNowMs = parsedDate(headerText(reply.headers.date)) ?? nowMs;
	const untilMs = parsedDate(retryAfter) ?? resetTimeMs(reply);
	if (untilMs === undefined) return undefined;
	return Math.min(Math.max(0, untilMs - thereNowMs), LONGEST_NAMED_WAIT_MS);
}

function resetTimeMs({ status, headers }: ServiceResponse): number | undefined {
	if (status !== 429) return undefined;
	const reset = headerText(headers['x-ratelimit-reset'] ?? headers['x-rate-limit-reset']);
	return /^\d{9,11}$/.test(reset) ? Number(reset) * 1000 : undefined;
}

/** HTTP dates only: `Date.parse` also reads a lone number, as a year. */
function parsedDate(text: string): number | undefined {
	const ms = /^[A-Za-z]{3},? /.test(text) ? Date.parse(text) : NaN;
	return Number.isNaN(ms) ? undefined : ms;
}

function headerText(header: unknown): string {
	return typeof header === 'string' || typeof header === 'number' ? String(header).trim() : '';
}

/**
 * The least wait before attempt `attempt + 1`, also where the service names a shorter one: doubling,
 * with up to a quarter more by chance, so that requests that met the same outage do not come back
 * together. A rate limit starts at four seconds: the four waits of five attempts then last a minute
 * at least.
 *
 * @param random From 0 to 1.
 */
export function backoffMs(reply: AttemptResult, attempt: number, random: number): number {
	const firstMs = isRateLimited(reply) ? 4000 : 1000;
	return Math.round(firstMs * 2 ** (attempt - 1) * (1 + random / 4));
}
