import { RateLimiter } from '../../../nodes/CometChatKnowledgeBase/requests/rateLimiter';

/** Lets requests in one after another, each as early as the rate limiter allows; when each started. */
function starts(rateLimiter: RateLimiter, count: number, fromMs: number): number[] {
	let nowMs = fromMs;
	return Array.from({ length: count }, () => {
		for (let waitMs = rateLimiter.acquire(nowMs); waitMs > 0; waitMs = rateLimiter.acquire(nowMs)) {
			nowMs += waitMs;
			if (nowMs > fromMs + 3_600_000) throw new Error('No end in sight.');
		}
		rateLimiter.accept();
		return nowMs;
	});
}

/** One request is refused for the rate limit, and the service asks to wait. */
function refuse(rateLimiter: RateLimiter, nowMs: number, waitMs: number): void {
	rateLimiter.acquire(nowMs);
	rateLimiter.refuse(waitMs, nowMs);
}

/** The run of an account of this name, with its credential's pace. */
function paced(name: string, requestsPerMinute = 500): RateLimiter {
	return new RateLimiter({ baseUrl: `https://${name}/v3`, apiKey: 'key', requestsPerMinute });
}

describe("The pace of an account's credential", () => {
	test('requests start evenly spaced', () => {
		expect(starts(paced('evenly'), 4, 1000)).toEqual([1000, 1120, 1240, 1360]);
	});

	test('is shared by the runs of an account, and by no others', () => {
		const [one, other, apart] = [paced('shared'), paced('shared'), paced('apart')];
		expect([one.acquire(0), other.acquire(0), apart.acquire(0)]).toEqual([0, 120, 0]);
		expect([other.acquire(120), one.acquire(120), one.acquire(240)]).toEqual([0, 120, 0]);
		const key = { baseUrl: 'https://shared/v3', apiKey: 'other', requestsPerMinute: 500 };
		expect(new RateLimiter(key).acquire(240)).toBe(0);
	});

	test('a clock that is set back holds up nobody', () => {
		starts(paced('clock'), 1, 3_600_000);
		expect(paced('clock').acquire(0)).toBe(0);
	});
});

describe('A pause that the service names', () => {
	test('is not shortened by a shorter one', () => {
		const rateLimiter = new RateLimiter();
		rateLimiter.pauseFor(7000, 0);
		rateLimiter.pauseFor(1000, 500);
		expect(rateLimiter.remainingPauseMs(500)).toBe(6500);
	});

	test('counts once, however many requests wait for it, and not if none does', () => {
		const rateLimiter = new RateLimiter();
		rateLimiter.pauseFor(7000, 0);
		expect(rateLimiter.pausedMs).toBe(0);
		rateLimiter.acquire(1000);
		rateLimiter.acquire(2000);
		expect(rateLimiter.pausedMs).toBe(6000);
	});

	test('for another reason than the rate limit teaches nothing', () => {
		const rateLimiter = new RateLimiter();
		starts(rateLimiter, 500, 0);
		rateLimiter.pauseFor(60_000, 1000);
		expect(starts(rateLimiter, 2000, 60_000).at(-1)).toBe(61_000);
	});
});

describe('After the first refusal for the rate limit, the rest of the run keeps to what was accepted', () => {
	/** A run of an account without a pace in its credential, which has sent so many in a moment. */
	const begun = (name: string, count: number, startMs = 0) => {
		const rateLimiter = new RateLimiter({ baseUrl: `https://${name}/v3`, apiKey: 'key' });
		starts(rateLimiter, count, startMs);
		return rateLimiter;
	};
	/** Between requests from here on. */
	const spacings = (rateLimiter: RateLimiter, fromMs: number) => {
		const after = starts(rateLimiter, 100, fromMs);
		return after.slice(1).map((ms, at) => ms - (after[at] ?? 0));
	};

	test.each([0, 1_800_000_000_000])(
		'the service took a thousand in a minute, so they go evenly, a thousand a minute (a run that starts at %i)',
		(startMs) => {
			const rateLimiter = begun('thousand', 1000, startMs);
			refuse(rateLimiter, startMs + 1000, 59_000);
			expect(new Set(spacings(rateLimiter, startMs + 60_000))).toEqual(new Set([60]));
		},
	);

	test('but never slower than 500 a minute, the smallest limit that CometChat documents', () => {
		const rateLimiter = begun('slow', 300);
		refuse(rateLimiter, 0, 60_000);
		expect(new Set(spacings(rateLimiter, 60_000))).toEqual(new Set([120]));
	});

	test('nor faster than before', () => {
		const rateLimiter = begun('twice', 600);
		refuse(rateLimiter, 0, 60_000);
		starts(rateLimiter, 3000, 60_000);
		refuse(rateLimiter, 360_000, 0);
		expect(new Set(spacings(rateLimiter, 360_000))).toEqual(new Set([100]));
	});

	test('but slower than before, if a later stretch tells so', () => {
		const rateLimiter = begun('later', 1000);
		refuse(rateLimiter, 0, 60_000);
		starts(rateLimiter, 800, 60_000);
		refuse(rateLimiter, 108_000, 12_000);
		expect(new Set(spacings(rateLimiter, 120_000))).toEqual(new Set([75]));
	});

	test('and of a pause that others of the same moment make longer, nothing counts as time in which little was taken', () => {
		const rateLimiter = begun('longer', 900);
		rateLimiter.refuse(45_000, 0);
		rateLimiter.refuse(80_000, 0);
		starts(rateLimiter, 1000, 80_000);
		refuse(rateLimiter, 130_000, 10_000);
		expect(new Set(spacings(rateLimiter, 140_000))).toEqual(new Set([60]));
	});

	test.each([
		['a part of a minute', 500, 30_000],
		['a run that is too slow to have reached it', 100, 60_000],
	])('%s tells nothing', (name, count, pauseMs) => {
		const rateLimiter = begun(name, count);
		refuse(rateLimiter, 0, pauseMs);
		expect(new Set(spacings(rateLimiter, pauseMs))).toEqual(new Set([0]));
	});

	test('refusals for a moment, now and then, do not bring a fast run to a crawl', () => {
		const rateLimiter = new RateLimiter({ baseUrl: 'https://now-and-then/v3', apiKey: 'key' });
		let nowMs = 0;
		for (let refusals = 0; refusals < 120; refusals++) {
			nowMs = (starts(rateLimiter, 166, nowMs).at(-1) ?? nowMs) + 166;
			refuse(rateLimiter, nowMs, refusals % 2 === 0 ? 0 : 1000);
		}
		// 20,000 requests at one a millisecond, and a minute of pauses.
		expect(nowMs).toBeLessThan(4 * 80_000);
	});
});
