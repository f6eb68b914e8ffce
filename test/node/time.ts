/** Of Node's own timers, which Jest leaves as they are. */
interface Timers {
	setInterval(work: () => void, everyMs: number): unknown;
	clearInterval(timer: unknown): void;
}

/** All but the time of day and what waits for it (`Date`, `setTimeout`). */
export const LEFT_REAL: FakeableAPI[] = [
	'clearImmediate',
	'clearInterval',
	'hrtime',
	'nextTick',
	'performance',
	'queueMicrotask',
	'setImmediate',
	'setInterval',
];

/** Set by `npm run test:mutants`, which plays the tests thousands of times. */
declare const MS_A_TURN_IN_HASTE: number;

/** How far the clock goes with each turn of Node's event loop, which takes a millisecond at least. */
const MS_A_TURN = typeof MS_A_TURN_IN_HASTE === 'undefined' ? 10 : MS_A_TURN_IN_HASTE;

let ticking: unknown;

/**
 * Lets time run ten times as fast for the tests of a file, for the node and for the stand-in alike.
 * Where the machine is busy it runs slower, so that a wait never ends before what happens meanwhile.
 */
export function hasten(): void {
	// Not imported: n8n's lint for nodes, which knows no tests, holds for all TypeScript here.
	const timers: unknown = jest.requireActual('node:timers');
	if (!isTimers(timers)) throw new Error('Node has no timers');
	beforeEach(() => {
		// Once, however many stand-ins a test has.
		if (ticking !== undefined) return;
		jest.useFakeTimers({ doNotFake: LEFT_REAL });
		ticking = timers.setInterval(() => jest.advanceTimersByTime(MS_A_TURN), 1);
	});
	afterEach(() => {
		timers.clearInterval(ticking);
		ticking = undefined;
		jest.useRealTimers();
	});
}

function isTimers(value: unknown): value is Timers {
	return typeof value === 'object' && value !== null && 'setInterval' in value;
}
