import type { AttemptResult } from '../../../nodes/CometChatKnowledgeBase/http/attemptResult';
import { createAbortableClock, sendUntil } from '../../../nodes/CometChatKnowledgeBase/http/time';

const HOURS_MS = 3_600_000;

const running = new AbortController().signal;

describe('When the execution ends, all pauses end', () => {
	test('immediately', async () => {
		const end = new AbortController();
		const { delay } = createAbortableClock(end.signal);
		const waiting = [delay(HOURS_MS), delay(HOURS_MS)];
		end.abort();
		await Promise.all(waiting);
	});

	test('and no new one starts', async () => {
		await createAbortableClock(AbortSignal.abort()).delay(HOURS_MS);
	});
});

const TOO_LATE = { kind: 'network failure', code: 'ECONNABORTED', text: 'timeout exceeded' };

const never = async () => await new Promise<AttemptResult>(() => undefined);

test('A request that takes too long is closed, and delays nothing', async () => {
	let isClosed = false;
	const send = async (signal: AbortSignal) => {
		signal.addEventListener('abort', () => (isClosed = true));
		return await never();
	};
	expect(await sendUntil(AbortSignal.timeout(1), running, send)).toEqual(TOO_LATE);
	expect(isClosed).toBe(true);
});

describe('A request that the user stops', () => {
	const STOPPED = { kind: 'network failure', code: 'ERR_CANCELED', text: 'canceled' };

	test('ends immediately', async () => {
		const stop = new AbortController();
		const sent = sendUntil(running, stop.signal, never);
		stop.abort();
		expect(await sent).toEqual(STOPPED);
	});

	test('is not sent', async () => {
		const send = jest.fn(never);
		expect(await sendUntil(running, AbortSignal.abort(), send)).toEqual(STOPPED);
		expect(send).not.toHaveBeenCalled();
	});
});
