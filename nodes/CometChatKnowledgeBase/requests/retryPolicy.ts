import type { Gate } from './rateLimiter';
import type { Answer, Effect, Reply } from './attemptResult';
import { effectOf, LOST_CONNECTION } from './attemptResult';

export interface RetryPolicy {
	/** The first attempt included. */
	maxAttempts: number;
	/** The longest single wait. */
	maxWaitMs: number;
}

/**
 * Repeating this PATCH is right, although HTTP promises nothing for PATCH: it adds members to a
 * set, or takes them out. Done twice it leaves the set that it left the first time, whether or not
 * an earlier attempt, whose answer was lost, had been applied. (The contract says nothing on a
 * repeated ID. Should the service refuse one, the item ends as 'unknown', never as done.)
 */
const WORTH_REPEATING = new Set([
	408, // the service waited too long for the request
	429, // too many requests
	500, // the service broke
	502, // a gateway met a broken service
	503, // down or overloaded
	504, // a gateway waited too long for the service
]);

export function isWorthRepeating(reply: Reply): boolean {
	return reply.kind === 'answer'
		? WORTH_REPEATING.has(reply.status)
		: LOST_CONNECTION.has(reply.code);
}

export function isRateLimited(reply: Reply): boolean {
	return reply.kind === 'answer' && reply.status === 429;
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
export function namedWaitMs(reply: Reply, nowMs: number): number | undefined {
	if (reply.kind === 'silence' || !isWorthRepeating(reply)) return undefined;
	const retryAfter = textOf(reply.headers['retry-after']);
	if (/^\d+(?:\.\d+)?$/.test(retryAfter)) {
		return Math.min(Math.ceil(Number(retryAfter) * 1000), LONGEST_NAMED_WAIT_MS);
	}

	// A date on the service's clock is compared with the service's own 'Date', not with ours.
	const thereNowMs = parsedDate(textOf(reply.headers.date)) ?? nowMs;
	const untilMs = parsedDate(retryAfter) ?? resetTimeMs(reply);
	if (untilMs === undefined) return undefined;
	return Math.min(Math.max(0, untilMs - thereNowMs), LONGEST_NAMED_WAIT_MS);
}

function resetTimeMs({ status, headers }: Answer): number | undefined {
	if (status !== 429) return undefined;
	const reset = textOf(headers['x-ratelimit-reset'] ?? headers['x-rate-limit-reset']);
	return /^\d{9,11}$/.test(reset) ? Number(reset) * 1000 : undefined;
}

/** HTTP dates only: `Date.parse` also reads a lone number, as a year. */
function parsedDate(text: string): number | undefined {
	const ms = /^[A-Za-z]{3},? /.test(text) ? Date.parse(text) : NaN;
	return Number.isNaN(ms) ? undefined : ms;
}

function textOf(header: unknown): string {
	return typeof header === 'string' || typeof header === 'number' ? String(header).trim() : '';
}

/**
 * The least wait before attempt `attempt + 1`, also where the service names a shorter one: doubling,
 * with up to a quarter more by chance, so that requests that met the same outage do not come back
 * together. A rate limit starts at four seconds: the four waits of five attempts then last a minute
 * at least.
 *
 * @param chance From 0 to 1.
 */
export function ownWaitMs(reply: Reply, attempt: number, chance: number): number {
	const firstMs = isRateLimited(reply) ? 4000 : 1000;
	return Math.round(firstMs * 2 ** (attempt - 1) * (1 + chance / 4));
}

/** Time and chance, handed in so that tests can set both. */
export interface Clock {
	nowMs(): number;
	/** From 0 to 1. */
	chance(): number;
	/** Ends after `waitMs`, or at once when the run ends. */
	pause(waitMs: number): Promise<void>;
	/** True once no further request may start: the user stopped the run, or another item did. */
	isOver(): boolean;
}

/** How one request went. */
export interface Sending {
	/** The last reply; undefined if the request was never sent. */
	reply?: Reply;
	attempts: number;
	effect: Effect;
	/** Why it ended without success: */
	ended:
		| 'answered' // the last reply decides
		| 'out of attempts'
		| 'wait too long' // the service named a wait above the allowed maximum
		| 'run over'; // another item or the user ended the run
	/** The wait that the service named last, in milliseconds. */
	namedWaitMs?: number;
}

/** How the replies to one kind of request are taken. */
export interface Judgement {
	effectOf(reply: Reply): Effect;
	isWorthRepeating(reply: Reply): boolean;
}

/**
 * Sends one request until it is answered for good, the attempts are used up, the service asks for
 * a wait that is too long, or the run is over.
 */
export async function sendUntilAnswered(
	send: () => Promise<Reply>,
	{ maxAttempts, maxWaitMs }: RetryPolicy,
	gate: Gate,
	clock: Clock,
	judgement: Judgement = { effectOf, isWorthRepeating },
): Promise<Sending> {
	const sending: Omit<Sending, 'ended'> = { attempts: 0, effect: 'not applied' };
	let notBeforeMs = 0;

	for (;;) {
		if (clock.isOver()) return { ...sending, ended: 'run over' };
		const nowMs = clock.nowMs();
		const heldMs = gate.remainingMs(nowMs);
		if (heldMs > maxWaitMs) return { ...sending, ended: 'wait too long', namedWaitMs: heldMs };
		const ownMs = Math.max(0, notBeforeMs - nowMs);
		// Open, the gate counts whoever enters as a start, so nobody enters before the own time has come.
		const gateMs = heldMs > 0 || ownMs === 0 ? gate.enter(nowMs) : 0;
		const waitMs = Math.max(ownMs, gateMs);
		if (waitMs > 0) {
			await clock.pause(waitMs);
			// Asked again: another request may have been told to wait meanwhile.
			continue;
		}

		const reply = await send();
		sending.reply = reply;
		sending.attempts += 1;
		gate.answered(isRateLimited(reply), clock.nowMs());
		const effect = judgement.effectOf(reply);
		// A refusal does not take back what an earlier attempt without an answer may have done.
		if (effect !== 'not applied') sending.effect = effect;
		const named = namedWaitMs(reply, clock.nowMs());
		// Longer, it ends the own item alone: what is down for one request need not be for all.
		if (named !== undefined && named <= maxWaitMs) gate.hold(named, clock.nowMs());

		if (effect === 'applied' || !judgement.isWorthRepeating(reply)) {
			return { ...sending, ended: 'answered' };
		}
		const backoffMs = Math.min(ownWaitMs(reply, sending.attempts, clock.chance()), maxWaitMs);
		// Not shorter because the service names less: 'at once' would use up all attempts at once.
		const nextMs = Math.max(named ?? 0, backoffMs);
		// All requests of the account count against the same limit, so all of them slow down.
		if (isRateLimited(reply)) gate.hold(nextMs, clock.nowMs());
		if (sending.attempts === maxAttempts) {
			return { ...sending, ended: 'out of attempts', namedWaitMs: named };
		}
		if (nextMs > maxWaitMs) return { ...sending, ended: 'wait too long', namedWaitMs: named };
		notBeforeMs = clock.nowMs() + nextMs;
	}
}
