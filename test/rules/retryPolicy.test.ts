import { Gate } from '../../nodes/CometChatKnowledgeBase/requests/rateLimiter';
import type { Reply } from '../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import { effectOf } from '../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import type { Clock } from '../../nodes/CometChatKnowledgeBase/requests/retryPolicy';
import {
	isWorthRepeating,
	namedWaitMs,
	ownWaitMs,
	sendUntilAnswered,
} from '../../nodes/CometChatKnowledgeBase/requests/retryPolicy';

const answer = (status: number, headers = {}, body: unknown = {}): Reply => ({
	kind: 'answer',
	status,
	headers,
	body,
});
const done = answer(200, {}, { success: true });
const silence = (code: string): Reply => ({ kind: 'silence', code, text: '' });

describe('A request is repeated only where that can help', () => {
	test.each([408, 429, 500, 502, 503, 504])('status %i: yes', (status) => {
		expect(isWorthRepeating(answer(status))).toBe(true);
	});
	test.each([200, 201, 302, 400, 401, 403, 404, 409, 413, 422, 501])('status %i: no', (status) => {
		expect(isWorthRepeating(answer(status))).toBe(false);
	});
	test.each(['ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT', 'EPIPE', 'ECONNREFUSED', 'EAI_AGAIN'])(
		'%s: yes',
		(code) => expect(isWorthRepeating(silence(code))).toBe(true),
	);
	test.each(['ENOTFOUND', 'CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_CANCELED', ''])(
		'%s: no',
		(code) => expect(isWorthRepeating(silence(code))).toBe(false),
	);
});

describe('What a reply means for the files', () => {
	test.each<[string, Reply, string]>([
		['success true', done, 'applied'],
		['201 with success true', answer(201, {}, { success: true }), 'applied'],
		['success false', answer(200, {}, { success: false }), 'not applied'],
		['success as text', answer(200, {}, { success: 'true' }), 'unknown'],
		['no success', answer(200, {}, {}), 'unknown'],
		['a list', answer(200, {}, [{ success: true }]), 'unknown'],
		['a web page', answer(200, {}, '<html>'), 'unknown'],
		['an empty answer', answer(200, {}, ''), 'unknown'],
		['404', answer(404), 'not applied'],
		['429', answer(429), 'not applied'],
		['302', answer(302), 'not applied'],
		['408', answer(408), 'unknown'],
		['503', answer(503), 'unknown'],
		['a refused connection', silence('ECONNREFUSED'), 'not applied'],
		['no such host', silence('ENOTFOUND'), 'not applied'],
		['a bad certificate', silence('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'not applied'],
		['a lost connection', silence('ECONNRESET'), 'unknown'],
		['a timeout', silence('ECONNABORTED'), 'unknown'],
	])('%s: %s', (_, reply, effect) => {
		expect(effectOf(reply)).toBe(effect);
	});
});

describe('The wait that the service names', () => {
	const now = Date.parse('Sat, 21 Nov 2026 10:00:00 GMT');
	test.each<[string, number, Record<string, unknown>, number | undefined]>([
		['seconds', 429, { 'retry-after': '15' }, 15_000],
		['seconds as a number', 429, { 'retry-after': 15 }, 15_000],
		['a fraction of a second', 503, { 'retry-after': '0.2' }, 200],
		['zero', 503, { 'retry-after': '0' }, 0],
		['a date', 503, { 'retry-after': 'Sat, 21 Nov 2026 10:00:07 GMT' }, 7000],
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
		['words', 429, { 'retry-after': 'soon' }, undefined],
		['a negative number', 429, { 'retry-after': '-5' }, undefined],
		['a year, which a date parser would take', 429, { 'retry-after': '2030-01' }, undefined],
		['beside an answer that is final', 404, { 'retry-after': '15' }, undefined],
	])('%s', (_, status, headers, waitMs) => {
		expect(namedWaitMs(answer(status, headers), now)).toBe(waitMs);
	});
});

test('a named wait that no number can hold is a year', () => {
	const year = 365 * 24 * 3600 * 1000;
	expect(namedWaitMs(answer(429, { 'retry-after': '9'.repeat(400) }), 0)).toBe(year);
	expect(namedWaitMs(answer(503, { 'retry-after': 'Fri, 31 Dec 9999 00:00:00 GMT' }), 0)).toBe(
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
		expect(ownWaitMs(answer(status), attempt, chance)).toBe(waitMs);
	});

	test('five attempts at a rate limit last a minute at least', () => {
		const waits = [1, 2, 3, 4].map((attempt) => ownWaitMs(answer(429), attempt, 0));
		expect(waits.reduce((sum, waitMs) => sum + waitMs, 0)).toBeGreaterThanOrEqual(60_000);
	});
});

/** A clock that passes time only in pauses, and writes down what happens. */
function scripted(replies: Reply[]) {
	const log: string[] = [];
	let nowMs = 1_000_000;
	const left = [...replies];
	const clock: Clock = {
		nowMs: () => nowMs,
		chance: () => 0,
		pause: async (waitMs) => {
			log.push(`wait ${waitMs}`);
			nowMs += waitMs;
		},
		isOver: () => false,
	};
	const send = async () => {
		log.push('send');
		return left.shift() ?? done;
	};
	return { log, clock, send };
}

describe('One request is sent until it is answered for good', () => {
	const policy = { maxAttempts: 3, maxWaitMs: 20_000 };
	const run = async (replies: Reply[], gate = new Gate()) => {
		const { log, clock, send } = scripted(replies);
		return { log, sending: await sendUntilAnswered(send, policy, gate, clock) };
	};

	test.each<[string, Reply[], string[], object]>([
		['done at once', [done], ['send'], { attempts: 1, effect: 'applied', ended: 'answered' }],
		[
			'busy once',
			[answer(503), done],
			['send', 'wait 1000', 'send'],
			{ attempts: 2, effect: 'applied', ended: 'answered' },
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
			{ attempts: 3, effect: 'unknown', ended: 'out of attempts' },
		],
		[
			'a refusal is final',
			[answer(404)],
			['send'],
			{ attempts: 1, effect: 'not applied', ended: 'answered' },
		],
		[
			'a refusal after an attempt that may have been applied leaves it unknown',
			[silence('ECONNRESET'), answer(409)],
			['send', 'wait 1000', 'send'],
			{ attempts: 2, effect: 'unknown', ended: 'answered' },
		],
		[
			'a wait that is too long ends it at once',
			[answer(429, { 'retry-after': '21' }), done],
			['send'],
			{ attempts: 1, effect: 'not applied', ended: 'wait too long', namedWaitMs: 21_000 },
		],
		[
			'whatever status names it',
			[answer(503, { 'retry-after': '21' }), done],
			['send'],
			{ attempts: 1, effect: 'unknown', ended: 'wait too long', namedWaitMs: 21_000 },
		],
		[
			'the longest wait that is allowed is kept',
			[answer(429, { 'retry-after': '20' }), done],
			['send', 'wait 20000', 'send'],
			{ attempts: 2, effect: 'applied' },
		],
	])('%s', async (_, replies, log, outcome) => {
		const run1 = await run(replies);
		expect(run1.log).toEqual(log);
		expect(run1.sending).toMatchObject(outcome);
	});

	test('a wait that one request was told is kept by the others', async () => {
		const gate = new Gate();
		gate.hold(5000, 1_000_000);
		expect((await run([done], gate)).log).toEqual(['wait 5000', 'send']);
		expect(gate.closedMs).toBe(5000);
	});

	test('a request that would have to wait too long for another is never sent', async () => {
		const gate = new Gate();
		gate.hold(60_000, 1_000_000);
		const { log, sending } = await run([done], gate);
		expect(log).toEqual([]);
		expect(sending).toEqual({
			attempts: 0,
			effect: 'not applied',
			ended: 'wait too long',
			namedWaitMs: 60_000,
		});
	});

	describe('How long one answer holds back the other requests', () => {
		test.each<[string, Reply, number]>([
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
		])('%s', async (_, reply, heldMs) => {
			const gate = new Gate();
			const { clock } = scripted([]);
			await sendUntilAnswered(async () => reply, { ...policy, maxAttempts: 1 }, gate, clock);
			expect(gate.remainingMs(clock.nowMs())).toBe(heldMs);
		});
	});

	test('nothing is sent once the run is over', async () => {
		const { log, clock, send } = scripted([done]);
		const over = { ...clock, isOver: () => true };
		const sending = await sendUntilAnswered(send, policy, new Gate(), over);
		expect(log).toEqual([]);
		expect(sending).toMatchObject({ attempts: 0, effect: 'not applied', ended: 'run over' });
	});

	test('a request that waits to be sent again is not, once the run is over', async () => {
		const { log, clock, send } = scripted([answer(503)]);
		let isOver = false;
		const ending = { ...clock, isOver: () => isOver, pause: async () => void (isOver = true) };
		const sending = await sendUntilAnswered(send, policy, new Gate(), ending);
		expect(log).toEqual(['send']);
		expect(sending).toMatchObject({ attempts: 1, effect: 'unknown', ended: 'run over' });
	});
});
