import { Gate } from '../../nodes/CometChatKnowledgeBase/requests/rateLimiter';

/** Lets requests in one after another, each as early as the gate allows; when each started, in ms. */
function starts(gate: Gate, count: number, fromMs: number): number[] {
	let nowMs = fromMs;
	return Array.from({ length: count }, () => {
		for (let waitMs = gate.enter(nowMs); waitMs > 0; waitMs = gate.enter(nowMs)) nowMs += waitMs;
		gate.answered(false, nowMs);
		return nowMs;
	});
}

/** One request is refused for the rate limit, and the service asks to wait. */
function refuse(gate: Gate, nowMs: number, waitMs: number): void {
	gate.enter(nowMs);
	gate.answered(true, nowMs);
	gate.hold(waitMs, nowMs);
}

describe('A pace', () => {
	test('requests start evenly spaced', () => {
		expect(starts(new Gate(120), 4, 1000)).toEqual([1000, 1120, 1240, 1360]);
	});

	test('time that passes without requests is not made up for', () => {
		const gate = new Gate(100);
		starts(gate, 1, 0);
		expect(starts(gate, 3, 10_000)).toEqual([10_000, 10_100, 10_200]);
	});

	test('without one, requests start at once', () => {
		expect(starts(new Gate(), 3, 0)).toEqual([0, 0, 0]);
	});
});

describe('A pause that the service names', () => {
	test('holds back all requests, to the millisecond', () => {
		const gate = new Gate();
		gate.hold(7000, 0);
		expect([gate.enter(0), gate.enter(6999), gate.enter(7000)]).toEqual([7000, 1, 0]);
	});

	test('is not shortened by a shorter one', () => {
		const gate = new Gate();
		gate.hold(7000, 0);
		gate.hold(1000, 500);
		expect(gate.remainingMs(500)).toBe(6500);
	});

	test('counts once, however many requests wait for it, and not if none does', () => {
		const gate = new Gate();
		gate.hold(7000, 0);
		expect(gate.closedMs).toBe(0);
		gate.enter(1000);
		gate.enter(2000);
		expect(gate.closedMs).toBe(6000);
	});

	test('for another reason than the rate limit teaches nothing', () => {
		const gate = new Gate();
		starts(gate, 500, 0);
		gate.answered(false, 1000);
		gate.hold(60_000, 1000);
		expect(starts(gate, 2000, 60_000).at(-1)).toBe(61_000);
	});
});

describe('After the first refusal for the rate limit, the rest of the run keeps to what was accepted', () => {
	test('no more in a stretch of time than the service took before', () => {
		const gate = new Gate();
		starts(gate, 1000, 0);
		refuse(gate, 1000, 5000);
		// A thousand in six seconds were accepted; so two thousand more take six seconds.
		const after = starts(gate, 2500, 6000);
		expect([after[0], after[999], after[1000], after[1999], after[2000]]).toEqual([
			6000, 6000, 12_000, 12_000, 18_000,
		]);
	});

	test('a pause that was too short teaches again', () => {
		const gate = new Gate();
		starts(gate, 1000, 0);
		refuse(gate, 0, 2000);
		refuse(gate, 2000, 4000);
		const after = starts(gate, 1001, 6000);
		expect(after[1000]).toBe(12_000);
	});

	test('a second refusal never makes it faster', () => {
		const gate = new Gate();
		starts(gate, 1000, 0);
		refuse(gate, 0, 6000);
		starts(gate, 1000, 6000);
		refuse(gate, 6000, 100);
		expect(starts(gate, 1001, 6100)[1000]).toBe(12_100);
	});

	test('but never slower than 500 a minute, the smallest limit that CometChat documents', () => {
		const gate = new Gate();
		starts(gate, 300, 0);
		refuse(gate, 0, 60_000);
		const after = starts(gate, 301, 60_000);
		expect(after[300]).toBe(60_000 + 300 * 120);
	});

	test('what a minute has told holds for the rest of the run', () => {
		const gate = new Gate();
		starts(gate, 500, 0);
		refuse(gate, 1000, 59_000);
		const after = starts(gate, 1501, 60_000);
		expect([after[499], after[500], after[1000], after[1500]]).toEqual([
			60_000, 120_000, 180_000, 240_000,
		]);
	});

	test('what a part of a minute has told holds for a minute', () => {
		const gate = new Gate();
		starts(gate, 100, 0);
		refuse(gate, 0, 5000);
		expect(starts(gate, 101, 5000)[100]).toBe(10_000);
		const later = starts(gate, 500, 66_000);
		expect(later[499]).toBe(66_000);
	});

	test('a refusal after few requests teaches nothing: it was not this run that used up the limit', () => {
		const gate = new Gate();
		starts(gate, 3, 0);
		refuse(gate, 0, 60_000);
		expect(starts(gate, 7, 60_000).at(-1)).toBe(60_000);
	});

	test('refusals for a moment, now and then, do not bring a fast run to a crawl', () => {
		const gate = new Gate();
		let nowMs = 0;
		for (let refusals = 0; refusals < 120; refusals++) {
			nowMs = (starts(gate, 166, nowMs).at(-1) ?? nowMs) + 166;
			refuse(gate, nowMs, refusals % 2 === 0 ? 0 : 1000);
		}
		// 20,000 requests at one a millisecond, and a minute of pauses.
		expect(nowMs).toBeLessThan(4 * 80_000);
	});

	test('a refusal of the very first request teaches nothing', () => {
		const gate = new Gate();
		refuse(gate, 0, 1000);
		expect(starts(gate, 3, 1000)).toEqual([1000, 1000, 1000]);
	});
});
