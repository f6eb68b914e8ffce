import { Complaint } from '../../nodes/CometChatKnowledgeBase/values/complaint';
import { Gate } from '../../nodes/CometChatKnowledgeBase/requests/gate';
import type { StatusById } from '../../nodes/CometChatKnowledgeBase/execution/indexing';
import { readStatuses, untilIndexed } from '../../nodes/CometChatKnowledgeBase/execution/indexing';
import type { Reply } from '../../nodes/CometChatKnowledgeBase/requests/reply';
import type { Settings } from '../../nodes/CometChatKnowledgeBase/input/settings';
import { readSettings } from '../../nodes/CometChatKnowledgeBase/input/settings';
import { Steps } from '../../nodes/CometChatKnowledgeBase/execution/steps';

function defaults(): Settings {
	const settings = readSettings({});
	if (settings instanceof Complaint) throw new Error(settings.what);
	return settings;
}

/** By file ID. */
type Statuses = Record<string, string>;

/**
 * Waits for files in a time of its own.
 *
 * @param statusesAt What the service says, by seconds since the start.
 * @param overAtMs When the run is stopped.
 */
async function wait(
	ids: string[],
	maxIndexingMs: number,
	statusesAt: (seconds: number) => Statuses,
	overAtMs = Infinity,
) {
	let nowMs = 0;
	const askedMs: number[] = [];
	const asked: unknown[] = [];
	const clock = {
		nowMs: () => nowMs,
		chance: () => 0,
		pause: async (ms: number) => {
			nowMs = Math.min(nowMs + ms, Math.max(overAtMs, nowMs));
		},
		isOver: () => nowMs >= overAtMs,
	};
	const send = async ({ body }: { body?: unknown }): Promise<Reply> => {
		askedMs.push(nowMs);
		asked.push(body);
		const data = statusesAt(nowMs / 1000);
		return { kind: 'answer', status: 200, headers: {}, body: { success: true, data } };
	};
	const account = { baseUrl: 'https://example.com/v3', apiKey: 'key' };
	const steps = new Steps({ settings: defaults(), account, send, gate: new Gate(), clock });
	const statuses: StatusById = new Map();
	const setback = await untilIndexed(steps, { clock }, ids, maxIndexingMs, statuses);
	return { setback, askedMs, asked, statuses: Object.fromEntries(statuses), nowMs };
}

test('the pauses grow by half, up to fifteen seconds, and the last one ends with the time', async () => {
	const { askedMs, setback } = await wait(['a'], 60_000, () => ({ a: 'indexing' }));
	const gaps = askedMs.slice(1).map((ms, at) => ms - (askedMs[at] ?? 0));
	expect(gaps.map(Math.round)).toEqual([1000, 1500, 2250, 3375, 5063, 7594, 11391, 15000, 12828]);
	expect(askedMs.at(-1)).toBe(60_000);
	expect(setback).toMatchObject({
		what: "CometChat did not finish indexing within 'Max Indexing Time (Minutes)'",
		remedy: 'Ask for the status later with Get Status, or raise that option.',
		more: { said: '"a" is indexing.' },
	});
});

test.each(['indexed', 'inSync'])('%s is ready: no further question', async (status) => {
	const { setback, askedMs } = await wait(['a'], 60_000, () => ({ a: status }));
	expect(setback).toBeUndefined();
	expect(askedMs).toEqual([0]);
});

test('those that are ready are not asked for again', async () => {
	const { asked, statuses } = await wait(
		['a', 'b'],
		60_000,
		(seconds): Statuses => (seconds > 2 ? { b: 'indexed' } : { a: 'indexed', b: 'indexing' }),
	);
	expect(asked).toEqual([{ uniqueId: ['a', 'b'] }, { uniqueId: ['b'] }, { uniqueId: ['b'] }]);
	expect(statuses).toEqual({ a: 'indexed', b: 'indexed' });
});

test('one that fails ends the waiting for all', async () => {
	const { setback, askedMs, statuses } = await wait(['a', 'b'], 60_000, () => ({
		a: 'indexing',
		b: 'failed',
	}));
	expect(askedMs).toEqual([0]);
	expect(setback).toMatchObject({ what: 'CometChat was not able to read the file' });
	expect(statuses).toEqual({ a: 'indexing', b: 'failed' });
});

test('one that the service does not list yet is waited for, and is said to be missing at the end', async () => {
	const there = await wait(
		['a'],
		60_000,
		(seconds): Statuses => (seconds > 2 ? { a: 'indexed' } : {}),
	);
	expect(there.setback).toBeUndefined();
	const never = await wait(['a'], 60_000, () => ({}));
	expect(never.setback).toMatchObject({ more: { said: '"a" is notFound.' } });
});

test('of many that are open five are named', async () => {
	const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
	const { setback } = await wait(ids, 60_000, () => ({}));
	expect(setback).toMatchObject({
		more: { said: expect.stringMatching(/"e" is notFound, and 2 more are open\.$/) },
	});
});

test('the end of the run ends the waiting, without a further question', async () => {
	const { setback, askedMs, nowMs } = await wait(['a'], 600_000, () => ({}), 4000);
	expect(nowMs).toBe(4000);
	expect(askedMs.every((ms) => ms < 4000)).toBe(true);
	expect(setback).toMatchObject({
		what: 'The run stopped while CometChat was indexing',
		more: { because: 'run over' },
	});
});

test.each([[{}], [{ data: [] }], [{ data: null }], ['x'], [null]])(
	'%p holds no statuses',
	(body) => {
		expect(readStatuses(body)).toBeUndefined();
	},
);
