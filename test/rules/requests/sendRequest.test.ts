import type { AttemptResult } from '../../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import { RateLimiter } from '../../../nodes/CometChatKnowledgeBase/requests/rateLimiter';
import type { RequestOptions } from '../../../nodes/CometChatKnowledgeBase/requests/sendRequest';
import { sendRequest } from '../../../nodes/CometChatKnowledgeBase/requests/sendRequest';
import type { ServiceRequest } from '../../../nodes/CometChatKnowledgeBase/requests/transport';
import { answer, done, networkFailure, scripted } from './replies';

/** Sends one request whose answer is read as the text in its `data`. */
async function run(replies: AttemptResult[], how?: RequestOptions, isCancelled = false) {
	const { log, clock, send } = scripted(replies);
	const given: unknown[] = [];
	const rateLimiter = new RateLimiter();
	const { value, sendResult } = await sendRequest(
		{
			send: async (...args: [ServiceRequest, number]) => {
				given.push(args);
				return await send();
			},
			options: { maxAttempts: 3, maxWaitMs: 20_000, timeoutMs: 700 },
			account: { baseUrl: 'https://example.com/v3', apiKey: 'key' },
			rateLimiter,
			clock: { ...clock, isCancelled: () => isCancelled },
		},
		{ method: 'GET', url: '/x' },
		(body) => (Object(body).data === undefined ? undefined : String(Object(body).data)),
		how,
	);
	const heldMs = rateLimiter.remainingPauseMs(clock.nowMs());
	return { log: log.join(), value, sendResult, given, heldMs };
}

const data = (status: number, body: object = {}) => answer(status, {}, { data: 'x', ...body });

test.each<[string, AttemptResult, string | undefined, string]>([
	['a success with its value', data(200), 'x', 'applied'],
	['a success that says so itself', data(201, { success: true }), 'x', 'applied'],
	['a success with an empty value', answer(200, {}, { data: '' }), '', 'applied'],
	['a success without a value', done, undefined, 'unknown'],
	['a value beside "success": false', data(200, { success: false }), undefined, 'not applied'],
	['a value beside a refusal', data(404), undefined, 'not applied'],
	['a value beside a status of no known meaning', data(501), undefined, 'unknown'],
])('what an answer comes to: %s', async (_, reply, value, effect) => {
	const { log, ...sent } = await run([reply]);
	expect(log).toBe('send');
	expect(sent).toMatchObject({ value, sendResult: { effect, stopReason: 'answered' } });
});

describe('Whether a request is sent again', () => {
	const again = 'send,wait 1000,send';
	test.each<[string, AttemptResult, string, string]>([
		['when it was not answered', networkFailure('ECONNRESET'), again, 'send'],
		['when it may have been carried out', answer(503), again, 'send'],
		['when it never arrived', networkFailure('ECONNREFUSED'), again, again],
		['when it was one too many', answer(429), 'send,wait 4000,send', 'send,wait 4000,send'],
		['when it was refused for good', answer(404), 'send', 'send'],
		['when the answer is not the one that is documented', done, 'send', 'send'],
	])('%s', async (_, reply, log, logOfNever) => {
		expect((await run([reply, data(200)])).log).toBe(log);
		expect((await run([reply, data(200)], { repeat: 'always' })).log).toBe(log);
		expect((await run([reply, data(200)], { repeat: 'never' })).log).toBe(logOfNever);
	});
});

test('each attempt is the same request, and may take as long as the user allows', async () => {
	const { given } = await run([answer(503), data(200)]);
	expect(given).toEqual(Array(2).fill([{ method: 'GET', url: '/x' }, 700]));
});

test('how often and how long it is tried is as the user set it', async () => {
	const busy = await run([answer(503), answer(503), answer(503), data(200)]);
	expect(busy).toMatchObject({ log: 'send,wait 1000,send,wait 2000,send', value: undefined });
	const tooLong = await run([answer(503, { 'retry-after': '21' })]);
	expect(tooLong).toMatchObject({ log: 'send', heldMs: 0 });
});

test('a request that waits less than the user allows holds back the others all the same', async () => {
	const policy = { maxAttempts: 2, maxWaitMs: 5000 };
	const { log, heldMs } = await run([answer(503, { 'retry-after': '6' })], { policy });
	expect([log, heldMs]).toEqual(['send', 6000]);
});

test('a request that was never sent has no value', async () => {
	const { value, sendResult } = await run([data(200)], undefined, true);
	expect([value, sendResult.attempts]).toEqual([undefined, 0]);
});
