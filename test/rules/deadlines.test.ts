import { sleep } from 'n8n-workflow';

import { Deadlines } from '../../nodes/CometChatKnowledgeBase/deadlines';
import { pauses } from '../../nodes/CometChatKnowledgeBase/pauses';
import type { Reply } from '../../nodes/CometChatKnowledgeBase/reply';

const REQUEST = { method: 'GET' as const, url: '/' };
const ANSWER: Reply = { kind: 'answer', status: 200, headers: {}, body: {} };
const TOO_LATE = { kind: 'silence', code: 'ECONNABORTED' };
const never = async () => await new Promise<Reply>(() => undefined);
const after = async (ms: number) => await sleep(ms).then(() => ANSWER);

/** Counts how many timers there are, and closes after each test. */
function start() {
	let timers = 0;
	const counted = async (ms: number, signal?: AbortSignal) => {
		timers += 1;
		await sleep(ms, signal);
	};
	const deadlines = new Deadlines(pauses(counted));
	closing.push(deadlines);
	return { deadlines, timers: () => timers };
}

const closing: Deadlines[] = [];
afterEach(() => {
	for (const deadlines of closing.splice(0)) deadlines.close();
});

test('an answer that never comes to its end is given up, as a timeout', async () => {
	const { deadlines } = start();
	expect(await deadlines.bound(never)(REQUEST, 1)).toMatchObject(TOO_LATE);
});

test('an answer in time is the answer', async () => {
	const { deadlines } = start();
	expect(await deadlines.bound(async () => ANSWER)(REQUEST, 60_000)).toBe(ANSWER);
});

test('each request has its own time: one that is late costs no other its answer', async () => {
	const { deadlines } = start();
	let sent = 0;
	const send = deadlines.bound(async () => {
		sent += 1;
		return await (sent % 2 === 0 ? after(sent * 100) : never());
	});
	const replies = await Promise.all([1, 2, 3, 4].map(async () => await send(REQUEST, 1)));
	expect(replies).toEqual([
		expect.objectContaining(TOO_LATE),
		ANSWER,
		expect.objectContaining(TOO_LATE),
		ANSWER,
	]);
});

test('also those are given up that come after a time without any', async () => {
	const { deadlines } = start();
	const send = deadlines.bound(never);
	expect(await send(REQUEST, 1)).toMatchObject(TOO_LATE);
	expect(await send(REQUEST, 1)).toMatchObject(TOO_LATE);
});

test('a thousand requests have one timer between them', async () => {
	const { deadlines, timers } = start();
	const send = deadlines.bound(async () => await after(1));
	for (let round = 0; round < 100; round += 1) {
		await Promise.all(Array.from({ length: 10 }, async () => await send(REQUEST, 60_000)));
	}
	expect(timers()).toBe(1);
});

test('closed, it leaves no timer behind', async () => {
	const { pause, endAll } = pauses(sleep);
	let isOver = false;
	const deadlines = new Deadlines({
		pause: async (waitMs) => {
			await pause(waitMs);
			isOver = true;
		},
		endAll,
	});
	await deadlines.bound(async () => ANSWER)(REQUEST, 60_000);
	deadlines.close();
	await sleep(0);
	expect(isOver).toBe(true);
});
