import { RateLimiter } from '../../../nodes/CometChatKnowledgeBase/http/rateLimiter';
import type { AttemptResult } from '../../../nodes/CometChatKnowledgeBase/http/attemptResult';
import { sendWithRetries } from '../../../nodes/CometChatKnowledgeBase/http/sendRequest';
import { answer, done, networkFailure, scripted } from './replies';

describe('One request is sent until its response is final', () => {
	const read = () => true;
	const policy = { maxAttempts: 3, maxWaitMs: 20_000 };
	const run = async (replies: AttemptResult[], rateLimiter = new RateLimiter()) => {
		const { log, clock, send } = scripted(replies);
		return { log, sending: await sendWithRetries(send, read, policy, { rateLimiter, clock }) };
	};

	test.each<[string, AttemptResult[], string[], object]>([
		[
			'a named wait that is longer than our own is kept exactly',
			[answer(429, { 'retry-after': '7' }), done],
			['send', 'wait 7000', 'send'],
			{ attempts: 2, effect: 'applied' },
		],
		[
			'a named wait of nothing does not shorten our own',
			[answer(503, { 'retry-after': '0' }), answer(503, { 'retry-after': '0' }), done],
			['send', 'wait 1000', 'send', 'wait 2000', 'send'],
			{ attempts: 3, effect: 'applied' },
		],
		[
			'a refusal after an attempt that may have been applied leaves it unknown',
			[networkFailure('ECONNRESET'), answer(409)],
			['send', 'wait 1000', 'send'],
			{ attempts: 2, effect: 'unknown', stopReason: 'answered' },
		],
		[
			'a wait that is too long ends it at once',
			[answer(429, { 'retry-after': '21' }), done],
			['send'],
			{ attempts: 1, effect: 'not applied', stopReason: 'wait too long', retryAfterMs: 21_000 },
		],
	])('%s', async (_, replies, log, result) => {
		const sent = await run(replies);
		expect(sent.log).toEqual(log);
		expect(sent.sending).toMatchObject(result);
	});

	test('our own pause is limited to the allowed wait, and no reason to give up', async () => {
		const { log, clock, send } = scripted([answer(429), done]);
		const short = { ...policy, maxWaitMs: 3000 };
		await sendWithRetries(send, read, short, { rateLimiter: new RateLimiter(), clock });
		expect(log).toEqual(['send', 'wait 3000', 'send']);
	});

	test('a wait that CometChat asked one request for applies to the others', async () => {
		const rateLimiter = new RateLimiter();
		rateLimiter.pauseFor(5000, 1_000_000);
		expect((await run([done], rateLimiter)).log).toEqual(['wait 5000', 'send']);
	});

	test('a request that would have to wait too long for another is never sent', async () => {
		const rateLimiter = new RateLimiter();
		rateLimiter.pauseFor(60_000, 1_000_000);
		const { log, sending } = await run([done], rateLimiter);
		expect(log).toEqual([]);
		expect(sending).toEqual({
			attempts: 0,
			effect: 'not applied',
			stopReason: 'wait too long',
			retryAfterMs: 60_000,
		});
	});

	test('the pause before a retry delays the other requests, too', async () => {
		const rateLimiter = new RateLimiter();
		const { clock, send } = scripted([answer(503, { 'retry-after': '20' }), done]);
		const pauses: number[] = [];
		const delay = async (ms: number) => {
			pauses.push(rateLimiter.remainingPauseMs(clock.nowMs()));
			await clock.delay(ms);
		};
		await sendWithRetries(send, read, policy, { rateLimiter, clock: { ...clock, delay } });
		expect(pauses).toEqual([20_000]);
	});

	describe('The delay of the other requests by one response', () => {
		test.each<[string, AttemptResult, number]>([
			['a rate limit without a named wait: as long as its own request', answer(429), 4000],
			['a service that is down: not at all', answer(503), 0],
			[
				'one that names a longer wait than any request would wait: not at all',
				answer(503, { 'retry-after': '121' }),
				0,
			],
			[
				'one for a request that is not repeated: not at all',
				answer(503, { 'retry-after': '20' }),
				0,
			],
		])('%s', async (_, reply, heldMs) => {
			const rateLimiter = new RateLimiter();
			const { clock } = scripted([]);
			const once = { ...policy, maxAttempts: 1 };
			await sendWithRetries(async () => reply, read, once, { rateLimiter, clock });
			expect(rateLimiter.remainingPauseMs(clock.nowMs())).toBe(heldMs);
		});
	});
});
