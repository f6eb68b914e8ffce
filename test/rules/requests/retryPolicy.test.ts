import { RateLimiter } from '../../../nodes/CometChatKnowledgeBase/requests/rateLimiter';
import type { AttemptResult } from '../../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import { toServiceResponse } from '../../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import type { Clock } from '../../../nodes/CometChatKnowledgeBase/requests/sendWithRetries';
import {
	isRetryable,
	retryAfterMs,
	backoffMs,
} from '../../../nodes/CometChatKnowledgeBase/requests/retryPolicy';
import { sendWithRetries } from '../../../nodes/CometChatKnowledgeBase/requests/sendWithRetries';

const answer = (status: number, headers = {}, body: unknown = {}): AttemptResult => ({
	kind: 'response',
	status,
	headers,
	body,
});
const done = answer(200, {}, { success: true });
const networkFailure = (code: string): AttemptResult => ({
	kind: 'network failure',
	code,
	text: '',
});

describe('A request is repeated only where that can help', () => {
	test.each([408, 429, 500, 502, 503, 504])('status %i: yes', (status) => {
		expect(isRetryable(answer(status))).toBe(true);
	});
	test.each([200, 201, 302, 400, 401, 403, 404, 409, 413, 422, 501])('status %i: no', (status) => {
		expect(isRetryable(answer(status))).toBe(false);
	});
	test.each(['ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT', 'EPIPE', 'ECONNREFUSED', 'EAI_AGAIN'])(
		'%s: yes',
		(code) => expect(isRetryable(networkFailure(code))).toBe(true),
	);
	test.each(['ENOTFOUND', 'CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_CANCELED', ''])(
		'%s: no',
		(code) => expect(isRetryable(networkFailure(code))).toBe(false),
	);
});

describe('The wait that the service names', () => {
	const now = Date.parse('Sat, 21 Nov 2026 10:00:00 GMT');
	test.each<[string, number, Record<string, unknown>, number | undefined]>([
		['seconds', 429, { 'retry-after': '15' }, 15_000],
		['seconds as a number', 429, { 'retry-after': 15 }, 15_000],
		['a fraction of a second', 503, { 'retry-after': '0.2' }, 200],
		['hundredths of a second, and spaces', 503, { 'retry-after': ' 0.25 ' }, 250],
		['zero', 503, { 'retry-after': '0' }, 0],
		['a date', 503, { 'retry-after': 'Sat, 21 Nov 2026 10:00:07 GMT' }, 7000],
		['a date of the oldest form', 503, { 'retry-after': 'Sat Nov 21 10:00:07 2026 GMT' }, 7000],
		['a date that has passed', 503, { 'retry-after': 'Sat, 21 Nov 2026 09:00:00 GMT' }, 0],
		[
			'a date on a clock that differs from ours',
			429,
			{ 'retry-after': 'Sat, 21 Nov 2026 12:00:09 GMT', date: 'Sat, 21 Nov 2026 12:00:00 GMT' },
			9000,
		],
		['the reset time, spelling 1', 429, { 'x-ratelimit-reset': `${now / 1000 + 30}` }, 30_000],
		['the reset time, spelling 2', 429, { 'x-rate-limit-reset': now / 1000 + 30 }, 30_000],
		[
			'Retry-After before the reset time',
			429,
			{ 'retry-after': '1', 'x-ratelimit-reset': '1795255230' },
			1000,
		],
		[
			'a reset time beside a status other than 429',
			503,
			{ 'x-ratelimit-reset': '1795255230' },
			undefined,
		],
		['nothing', 429, {}, undefined],
		['words before a date', 429, { 'retry-after': 'at Sat, 21 Nov 2026 10:00:07 GMT' }, undefined],
		['words', 429, { 'retry-after': 'soon' }, undefined],
		['a negative number', 429, { 'retry-after': '-5' }, undefined],
		['a year, which a date parser would take', 429, { 'retry-after': '2030-01' }, undefined],
		['beside an answer that is final', 404, { 'retry-after': '15' }, undefined],
	])('%s', (_, status, headers, waitMs) => {
		expect(retryAfterMs(answer(status, headers), now)).toBe(waitMs);
	});
});

describe('A wait that is named in a hostile way is a number of milliseconds, or none', () => {
	const wait = (headers: Record<string, unknown>) =>
		retryAfterMs({ kind: 'response', status: 429, headers, body: '' }, 0);

	test.each<[string, unknown]>([
		['1e309', '1e309'],
		['1e3', '1e3'],
		['-0', '-0'],
		['+5', '+5'],
		['0x10', '0x10'],
		['5,', '5,'],
		['a number that is none', NaN],
		['a number without an end', Infinity],
		['a negative number', -5],
		['a list', ['1', '2']],
		['a record', { toString: () => '5' }],
		['other digits', '５'],
		['open brackets behind a day', `Fri, ${'('.repeat(100_000)}`],
		['digits behind a day', `Fri, ${'1'.repeat(100_000)}`],
		['dots behind a digit', `1${'.'.repeat(100_000)}`],
		['digits and then a letter', `${'1'.repeat(100_000)}x`],
	])('Retry-After: %s names none', (_, value) => {
		expect(wait({ 'retry-after': value })).toBeUndefined();
		expect(wait({ 'x-ratelimit-reset': value })).toBeUndefined();
	});

	test.each<[string, unknown]>([
		['no headers', undefined],
		['headers that are a list', ['retry-after', '1']],
		['headers of prototype names', JSON.parse('{"__proto__":{"retry-after":"1"}}')],
	])('%s name none', (_, headers) => {
		const reply = toServiceResponse({ statusCode: 429, headers, body: '' });
		expect(retryAfterMs(reply, 0)).toBeUndefined();
	});

	test.each([
		['twenty digits', '99999999999999999999'],
		['a hundred thousand digits', '9'.repeat(100_000)],
		['the last year of HTTP', 'Fri, 31 Dec 9999 23:59:59 GMT'],
	])('Retry-After: %s is longer than any pause that is allowed, and no NaN', (_, value) => {
		expect(wait({ 'retry-after': value })).toBeGreaterThan(3_600_000);
	});
});

test('a named wait that no number can hold is a year', () => {
	const year = 365 * 24 * 3600 * 1000;
	expect(retryAfterMs(answer(429, { 'retry-after': '9'.repeat(400) }), 0)).toBe(year);
	expect(retryAfterMs(answer(503, { 'retry-after': 'Fri, 31 Dec 9999 00:00:00 GMT' }), 0)).toBe(
		year,
	);
});

describe('The least wait, whatever the service names', () => {
	test.each([
		[503, 1, 0, 1000],
		[503, 1, 1, 1250],
		[503, 4, 0, 8000],
		[429, 1, 0, 4000],
		[429, 4, 0, 32_000],
	])('status %i, attempt %i, chance %d: %i ms', (status, attempt, chance, waitMs) => {
		expect(backoffMs(answer(status), attempt, chance)).toBe(waitMs);
	});

	test('five attempts at a rate limit last a minute at least', () => {
		const waits = [1, 2, 3, 4].map((attempt) => backoffMs(answer(429), attempt, 0));
		expect(waits.reduce((sum, waitMs) => sum + waitMs, 0)).toBeGreaterThanOrEqual(60_000);
	});
});

/** A clock that passes time only in pauses, and writes down what happens. */
function scripted(replies: AttemptResult[]) {
	const log: string[] = [];
	let nowMs = 1_000_000;
	const left = [...replies];
	const clock: Clock = {
		nowMs: () => nowMs,
		random: () => 0,
		delay: async (waitMs) => {
			log.push(`wait ${waitMs}`);
			nowMs += waitMs;
		},
		isCancelled: () => false,
	};
	const send = async () => {
		log.push('send');
		return left.shift() ?? done;
	};
	return { log, clock, send };
}

describe('One request is sent until it is answered for good', () => {
	const policy = { maxAttempts: 3, maxWaitMs: 20_000 };
	const run = async (replies: AttemptResult[], rateLimiter = new RateLimiter()) => {
		const { log, clock, send } = scripted(replies);
		return { log, sending: await sendWithRetries(send, policy, rateLimiter, clock) };
	};

	test.each<[string, AttemptResult[], string[], object]>([
		['done at once', [done], ['send'], { attempts: 1, effect: 'applied', stopReason: 'answered' }],
		[
			'busy once',
			[answer(503), done],
			['send', 'wait 1000', 'send'],
			{ attempts: 2, effect: 'applied', stopReason: 'answered' },
		],
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
			'nor does a date that has passed',
			[answer(503, { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }), done],
			['send', 'wait 1000', 'send'],
			{ attempts: 2, effect: 'applied' },
		],
		[
			'nor a second at a rate limit',
			[answer(429, { 'retry-after': '1' }), done],
			['send', 'wait 4000', 'send'],
			{ attempts: 2, effect: 'applied' },
		],
		[
			'attempts used up, and no wait after the last',
			[answer(500), answer(500), answer(500)],
			['send', 'wait 1000', 'send', 'wait 2000', 'send'],
			{ attempts: 3, effect: 'unknown', stopReason: 'out of attempts' },
		],
		[
			'a refusal is final',
			[answer(404)],
			['send'],
			{ attempts: 1, effect: 'not applied', stopReason: 'answered' },
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
		[
			'whatever status names it',
			[answer(503, { 'retry-after': '21' }), done],
			['send'],
			{ attempts: 1, effect: 'unknown', stopReason: 'wait too long', retryAfterMs: 21_000 },
		],
		[
			'the longest wait that is allowed is kept',
			[answer(429, { 'retry-after': '20' }), done],
			['send', 'wait 20000', 'send'],
			{ attempts: 2, effect: 'applied' },
		],
	])('%s', async (_, replies, log, itemResult) => {
		const run1 = await run(replies);
		expect(run1.log).toEqual(log);
		expect(run1.sending).toMatchObject(itemResult);
	});

	test('a wait that one request was told is kept by the others', async () => {
		const rateLimiter = new RateLimiter();
		rateLimiter.pauseFor(5000, 1_000_000);
		expect((await run([done], rateLimiter)).log).toEqual(['wait 5000', 'send']);
		expect(rateLimiter.pausedMs).toBe(5000);
	});

	test('the time in which CometChat holds a request back counts, also where it waits by itself as long', async () => {
		const rateLimiter = new RateLimiter();
		expect((await run([answer(429), done], rateLimiter)).log).toEqual([
			'send',
			'wait 4000',
			'send',
		]);
		expect(rateLimiter.pausedMs).toBe(4000);
	});

	test('a request that waits by itself takes no place at an even pace from another', async () => {
		const rateLimiter = new RateLimiter(100);
		const { clock, send } = scripted([answer(503)]);
		let otherWaitMs: number | undefined;
		const delay = async (waitMs: number) => {
			otherWaitMs ??= rateLimiter.acquire(clock.nowMs());
			await clock.delay(waitMs);
		};
		// Longer under way than the pace: the next place is free when its answer comes.
		const slow = async () => {
			await clock.delay(500);
			return await send();
		};
		await sendWithRetries(slow, policy, rateLimiter, { ...clock, delay });
		expect(otherWaitMs).toBe(0);
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

	describe('How long one answer holds back the other requests', () => {
		test.each<[string, AttemptResult, number, number?]>([
			['a rate limit without a named wait: as long as its own request', answer(429), 4000],
			['a rate limit with a shorter one, too', answer(429, { 'retry-after': '1' }), 4000],
			['a rate limit with a longer one: so long', answer(429, { 'retry-after': '7' }), 7000],
			[
				'a rate limit with a longer one than is allowed: so long',
				answer(429, { 'retry-after': '21' }),
				21_000,
			],
			['a service that is down: not at all', answer(503), 0],
			['one that names a wait: so long', answer(503, { 'retry-after': '20' }), 20_000],
			[
				'one that names a longer wait than is allowed: not at all',
				answer(503, { 'retry-after': '21' }),
				0,
			],
			[
				'though its own request would not wait so long: so long',
				answer(503, { 'retry-after': '21' }),
				21_000,
				30_000,
			],
			[
				'though its own request would wait so long, the others not: not at all',
				answer(503, { 'retry-after': '20' }),
				0,
				5000,
			],
		])('%s', async (_, reply, heldMs, ...[maxPauseMs]) => {
			const rateLimiter = new RateLimiter();
			const { clock } = scripted([]);
			const once = { ...policy, maxAttempts: 1, maxPauseMs };
			await sendWithRetries(async () => reply, once, rateLimiter, clock);
			expect(rateLimiter.remainingPauseMs(clock.nowMs())).toBe(heldMs);
		});
	});

	test('nothing is sent once the run is over', async () => {
		const { log, clock, send } = scripted([done]);
		const over = { ...clock, isCancelled: () => true };
		const sending = await sendWithRetries(send, policy, new RateLimiter(), over);
		expect(log).toEqual([]);
		expect(sending).toMatchObject({ attempts: 0, effect: 'not applied', stopReason: 'cancelled' });
	});

	test('a request that waits to be sent again is not, once the run is over', async () => {
		const { log, clock, send } = scripted([answer(503)]);
		let isCancelled = false;
		const ending = {
			...clock,
			isCancelled: () => isCancelled,
			delay: async () => void (isCancelled = true),
		};
		const sending = await sendWithRetries(send, policy, new RateLimiter(), ending);
		expect(log).toEqual(['send']);
		expect(sending).toMatchObject({ attempts: 1, effect: 'unknown', stopReason: 'cancelled' });
	});
});
