import { sleep } from 'n8n-workflow';

import type { Failure } from '../text/failure';
import { isFailure, isUnanswered, toResult } from '../text/failure';
import type { AttemptResult, NetworkFailure } from './attemptResult';

/** Time and random numbers, as parameters so that tests can set both. */
export interface Clock {
	nowMs(): number;
	/** From 0 to 1. */
	random(): number;
	/** Ends after `waitMs`, or immediately when the execution ends. */
	delay(waitMs: number): Promise<void>;
	/** True once no further request may start: the user or a failed item stopped the execution. */
	isCancelled(): boolean;
}

/** A clock whose delays end when the signal fires. */
export function createAbortableClock(end: AbortSignal): Clock {
	const delay = async (waitMs: number) => {
		if (end.aborted) return;
		// One per delay: Node warns of more than ten listeners on one signal.
		const signal = AbortSignal.any([end]);
		// The sleep of n8n 2.0 ignores its signal.
		const ended = new Promise<void>((resolve) => {
			signal.addEventListener('abort', () => resolve());
		});
		await Promise.race([ended, sleep(waitMs, signal).catch(() => undefined)]);
	};
	return {
		nowMs: () => Date.now(),
		random: () => Math.random(),
		delay,
		isCancelled: () => end.aborted,
	};
}

/**
 * The pause before the next question about unfinished work: half of the time until now, at least a second. Timers
 * only support whole milliseconds.
 */
export function pollingDelayMs(takenMs: number, longestMs: number): number {
	return Math.min(Math.max(Math.ceil(takenMs / 2), 1000), longestMs);
}

/** The pauses between questions about unfinished work. */
export function* growingPauses(longestMs: number): Generator<number> {
	yield 0;
	for (let takenMs = 0; ;) {
		const pauseMs = pollingDelayMs(takenMs, longestMs);
		yield pauseMs;
		takenMs += pauseMs;
	}
}

/**
 * Asks until there is an answer. A failed question is no answer.
 *
 * @param pauses The pause before each question. The last question is asked at the deadline, or after the last pause.
 * @param ask Returns undefined if it is to be asked again. A refusal is an answer.
 * @returns The answer; if there is none, why the last question failed, or undefined.
 */
export async function until<Answer>(
	clock: Clock,
	deadlineMs: number,
	pauses: Iterable<number>,
	ask: () => Promise<Answer | undefined>,
): Promise<Answer | Failure | undefined> {
	let answer: Answer | Failure | undefined;
	for (const pauseMs of pauses) {
		const leftMs = Math.max(deadlineMs - clock.nowMs(), 0);
		if (pauseMs > 0) await clock.delay(Math.min(pauseMs, leftMs));
		answer = await toResult(ask());
		const isOpen = answer === undefined || (isFailure(answer) && isUnanswered(answer));
		if (!isOpen || leftMs <= pauseMs || clock.isCancelled()) break;
	}
	return answer;
}

/** The result of a request that the user has stopped, with the client's code. */
const STOPPED: NetworkFailure = { kind: 'network failure', code: 'ERR_CANCELED', text: 'canceled' };

/** Sends a request until the last byte of the response, or until a signal fires, which also closes the connection. */
export async function sendUntil(
	late: AbortSignal,
	stop: AbortSignal,
	send: (closing: AbortSignal) => Promise<AttemptResult>,
): Promise<AttemptResult> {
	if (stop.aborted) return STOPPED;
	const closing = new AbortController();
	let giveUp = () => {};
	const givenUp = new Promise<AttemptResult>((resolve) => {
		giveUp = () => {
			resolve(stop.aborted ? STOPPED : TOO_LATE);
			closing.abort();
		};
	});
	const signals = [late, stop];
	for (const signal of signals) signal.addEventListener('abort', giveUp);
	try {
		return await Promise.race([send(closing.signal), givenUp]);
	} finally {
		for (const signal of signals) signal.removeEventListener('abort', giveUp);
	}
}

/** The code of a request that took too long. */
export const LATE = 'ECONNABORTED';

const TOO_LATE: NetworkFailure = { kind: 'network failure', code: LATE, text: 'timeout exceeded' };
