import { sleep } from 'n8n-workflow';

import { createDelays } from '../../../nodes/CometChatKnowledgeBase/requests/delays';
import type { AttemptResult } from '../../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import {
	RequestTimeouts,
	uploadTimeoutMs,
} from '../../../nodes/CometChatKnowledgeBase/requests/requestTimeout';

const ANSWER: AttemptResult = { kind: 'response', status: 200, headers: {}, body: {} };
const TOO_LATE = { kind: 'network failure', code: 'ECONNABORTED', text: 'timeout of 1ms exceeded' };
const LOST: AttemptResult = { kind: 'network failure', code: 'ECONNRESET', text: '' };

const never = async () => await new Promise<AttemptResult>(() => undefined);
const after = async (ms: number) => await sleep(ms).then(() => ANSWER);
/** As n8n's client: ends as soon as the signal fires. */
const untilAborted = async (signal: AbortSignal) =>
	await new Promise<AttemptResult>((resolve) => {
		signal.addEventListener('abort', () => resolve(LOST));
	});

/** Closes after each test. */
function start() {
	const timeouts = new RequestTimeouts(createDelays(sleep), undefined);
	closing.push(timeouts);
	return { timeouts };
}

const closing: RequestTimeouts[] = [];
afterEach(() => {
	for (const timeouts of closing.splice(0)) timeouts.close();
});

test('its end is awaited, so that it no longer counts as open', async () => {
	let isEnded = false;
	await start().timeouts.run(1, async (signal) => {
		await untilAborted(signal);
		await sleep(20);
		isEnded = true;
		return LOST;
	});
	expect(isEnded).toBe(true);
});

test('but not for ever: an n8n that does not hand on the signal holds up nothing', async () => {
	expect(await start().timeouts.run(1, never)).toMatchObject(TOO_LATE);
});

test('an answer that was whole when its time was up is the answer', async () => {
	const { timeouts } = start();
	const send = async (signal: AbortSignal) => await untilAborted(signal).then(() => ANSWER);
	expect(await timeouts.run(1, send)).toBe(ANSWER);
});

test('one that starts later may be due earlier', async () => {
	const { timeouts } = start();
	const long = timeouts.run(60_000, untilAborted);
	expect(await timeouts.run(1, untilAborted)).toMatchObject(TOO_LATE);
	timeouts.close();
	expect(await Promise.race([long, after(0)])).toBe(ANSWER);
});

test.each([
	['nothing', 0, 60],
	['64 KB', 64 * 1024, 61],
	['half of that', 32 * 1024, 60.5],
	['50 MB, the largest file', 50 * 1024 * 1024, 860],
])('an upload of %s (%i bytes) has %d s', (_, bytes, seconds) => {
	expect(uploadTimeoutMs(bytes)).toBe(seconds * 1000);
});
