import { sleep } from 'n8n-workflow';

import type { AttemptResult } from '../../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import {
	clockUntil,
	pausing,
	sendWithin,
	uploadTimeoutMs,
} from '../../../nodes/CometChatKnowledgeBase/requests/time';

const HOURS_MS = 3_600_000;

const running = new AbortController().signal;

describe('When the run ends, all pauses end', () => {
	test.each([
		["with n8n's sleep", sleep],
		[
			'with one that knows no signal, as before n8n 2.41',
			async () => await new Promise<void>(() => {}),
		],
	])('%s', async (_, sleeping) => {
		const end = new AbortController();
		const { delay } = clockUntil(end.signal, sleeping);
		const waiting = [delay(HOURS_MS), delay(HOURS_MS)];
		end.abort();
		await Promise.all(waiting);
	});

	test('and no new one starts', async () => {
		await clockUntil(AbortSignal.abort()).delay(HOURS_MS);
	});
});

test('A long loop pauses after every 100 items', async () => {
	const pausedAt: number[] = [];
	let count = 0;
	const clock = { ...clockUntil(running), delay: async () => void pausedAt.push(count) };
	const pause = pausing(clock);
	while (count++ < 350) await pause();
	expect(pausedAt).toEqual([100, 200, 300]);
});

const ANSWER: AttemptResult = { kind: 'response', status: 200, headers: {}, body: {} };
const TOO_LATE = { kind: 'network failure', code: 'ECONNABORTED', text: 'timeout of 1ms exceeded' };
const LOST: AttemptResult = { kind: 'network failure', code: 'ECONNRESET', text: '' };

const never = async () => await new Promise<AttemptResult>(() => undefined);
/** As n8n's client: ends as soon as the signal fires. */
const untilAborted = async (signal: AbortSignal) =>
	await new Promise<AttemptResult>((resolve) => {
		signal.addEventListener('abort', () => resolve(LOST));
	});

describe('A request that takes too long', () => {
	test('is awaited to its end, so that it no longer counts as open', async () => {
		let isEnded = false;
		await sendWithin(1, running, async (signal) => {
			await untilAborted(signal);
			await sleep(20);
			isEnded = true;
			return LOST;
		});
		expect(isEnded).toBe(true);
	});

	test('but not for ever: an n8n that does not hand on the signal holds up nothing', async () => {
		expect(await sendWithin(1, running, never)).toEqual(TOO_LATE);
	});

	test('has the answer that was whole when its time was up', async () => {
		const send = async (signal: AbortSignal) => await untilAborted(signal).then(() => ANSWER);
		expect(await sendWithin(1, running, send)).toBe(ANSWER);
	});
});

describe('A request that the user stops', () => {
	const STOPPED = { kind: 'network failure', code: 'ERR_CANCELED', text: 'canceled' };

	test('ends at once', async () => {
		const stop = new AbortController();
		const sent = sendWithin(HOURS_MS, stop.signal, untilAborted);
		stop.abort();
		expect(await sent).toEqual(STOPPED);
	});

	test('is not sent any more', async () => {
		const send = jest.fn(never);
		expect(await sendWithin(HOURS_MS, AbortSignal.abort(), send)).toEqual(STOPPED);
		expect(send).not.toHaveBeenCalled();
	});
});

test.each([
	['nothing', 0, 60],
	['64 KB', 64 * 1024, 61],
	['half of that', 32 * 1024, 60.5],
	['50 MB, the largest file', 50 * 1024 * 1024, 860],
])('an upload of %s (%i bytes) has %d s', (_, bytes, seconds) => {
	expect(uploadTimeoutMs(bytes)).toBe(seconds * 1000);
});
