import { sleep } from 'n8n-workflow';

import type { AttemptResult, NetworkFailure } from './attemptResult';

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

/**
 * The time of a run that is over when the signal fires.
 *
 * @param sleepFor n8n's; before n8n 2.41 it ignores the signal.
 */
export function clockUntil(end: AbortSignal, sleepFor: typeof sleep = sleep): Clock {
	const delay = async (waitMs: number) => {
		if (end.aborted) return;
		// One for each wait: Node warns of more than ten listeners on one signal.
		const signal = AbortSignal.any([end]);
		await new Promise<void>((resolve) => {
			const wake = () => {
				signal.removeEventListener('abort', wake);
				resolve();
			};
			signal.addEventListener('abort', wake);
			sleepFor(waitMs, signal).then(wake, wake);
		});
	};
	return {
		nowMs: () => Date.now(),
		random: () => Math.random(),
		delay,
		isCancelled: () => end.aborted,
	};
}

/**
 * How long is waited before the next look at something that goes on: half of what it has taken until now, from a
 * second on. Timers know no parts of a millisecond.
 */
export function growingPauseMs(takenMs: number, longestMs: number): number {
	return Math.min(Math.max(Math.ceil(takenMs / 2), 1000), longestMs);
}

/** With 10,000 items that have three expressions each, n8n waits up to 40 ms for its turn, and 170 ms with 500. */
const ITEMS_PER_TURN = 100;

/** Returns a function to call for each item of a long loop, which gives n8n its turns. */
export function pausing(clock: Clock): () => Promise<void> {
	let count = 0;
	return async () => {
		if (++count % ITEMS_PER_TURN === 0) await clock.delay(0);
	};
}

/**
 * How much longer the end of a request is awaited that was given up. n8n's client ends it at once;
 * one that does not hand the signal on must not hold up the run.
 */
const LEEWAY_MS = 1000;

/** What a request that the user has stopped is reported as, in the client's own words. */
const STOPPED: NetworkFailure = { kind: 'network failure', code: 'ERR_CANCELED', text: 'canceled' };

/**
 * Sends a request with a time limit from its start to the last byte of its answer: the client's own timeout
 * counts only time without a single byte, so that an answer that drips would hold up the run for ever. What is
 * given up is closed first, so that no more requests are open than are counted.
 *
 * @param stop The user's, which ends it at once. Node 20 warns of more than ten requests with the same.
 * @param send Closes the connection when the signal fires.
 * @returns The reply; ECONNABORTED after the time limit, ERR_CANCELED after the user's stop.
 */
export async function sendWithin(
	timeoutMs: number,
	stop: AbortSignal,
	send: (closing: AbortSignal) => Promise<AttemptResult>,
): Promise<AttemptResult> {
	if (stop.aborted) return STOPPED;
	const late = AbortSignal.timeout(timeoutMs);
	const closing = new AbortController();
	let giveUp = () => {};
	const stopped = new Promise<AttemptResult>((resolve) => {
		giveUp = () => {
			closing.abort();
			AbortSignal.timeout(LEEWAY_MS).addEventListener('abort', () => resolve(STOPPED));
		};
	});
	// In the place of `AbortSignal.any`, which takes three times as long as all else here.
	const signals = [late, stop];
	for (const signal of signals) signal.addEventListener('abort', giveUp);
	try {
		const reply = await Promise.race([send(closing.signal), stopped]);
		// An answer that came whole just before is the answer.
		if (reply.kind === 'response' || !closing.signal.aborted) return reply;
		return late.aborted ? tooLate(timeoutMs) : STOPPED;
	} finally {
		for (const signal of signals) signal.removeEventListener('abort', giveUp);
	}
}

function tooLate(timeoutMs: number): NetworkFailure {
	const text = `timeout of ${timeoutMs}ms exceeded`;
	return { kind: 'network failure', code: 'ECONNABORTED', text };
}

/** Half a megabit a second: a line that is slower than that is taken for broken. */
const SLOWEST_BYTES_PER_SECOND = 64 * 1024;

/** Ours: as long as a request has by default, for the host's answer alone. */
const UPLOAD_ANSWER_MS = 60_000;

/** How long an upload may take: a large file over a slow line is longer under way than any answer. */
export function uploadTimeoutMs(bytes: number): number {
	return UPLOAD_ANSWER_MS + Math.round((bytes / SLOWEST_BYTES_PER_SECOND) * 1000);
}
