import { ValidationIssue } from '../../../nodes/CometChatKnowledgeBase/values/validationIssue';
import { RateLimiter } from '../../../nodes/CometChatKnowledgeBase/requests/rateLimiter';
import {
	IndexingPoller,
	maxIndexingOption,
} from '../../../nodes/CometChatKnowledgeBase/ingestion/indexing';
import type { StatusById } from '../../../nodes/CometChatKnowledgeBase/service/statuses';
import type { AttemptResult } from '../../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import { Semaphore } from '../../../nodes/CometChatKnowledgeBase/concurrency/semaphore';
import type { ItemFailure } from '../../../nodes/CometChatKnowledgeBase/results/itemFailure';
import { readOptions } from '../../../nodes/CometChatKnowledgeBase/input/options';
import { PATIENCE } from '../../../nodes/CometChatKnowledgeBase/requests/retryPolicy';
import { Steps } from '../../../nodes/CometChatKnowledgeBase/execution/steps';
import { settle } from '../settle';
import { redacted } from '../redacted';

function optionsOf(maxIndexingMinutes: number) {
	const options = readOptions([maxIndexingOption], { maxIndexingMinutes });
	if (options instanceof ValidationIssue) throw new Error(options.what);
	return options;
}

/** By file ID. */
type Statuses = Record<string, string>;

interface Question {
	atMs: number;
	ids: string[];
}

interface Scenario {
	/** What the service says, by seconds since the start; a number is the status of a refusal. */
	statusesAt(seconds: number, ids: string[]): Statuses | number;
	maxIndexingMinutes?: number;
	/** When the run is stopped. */
	overAtMs?: number;
	/** When each item begins to wait, the earlier first; all at once if left out. */
	startsMs?: number[];
	stopsOnFailure?: boolean;
}

/** Of the clock. */
const START_MS = 1_800_000_000_000;

/** No scenario takes so many questions. */
const MOST_QUESTIONS = 500;

interface Ended {
	failure?: ItemFailure;
	statuses: Statuses;
	atMs: number;
}

/** Waits for the files of several items, each with its own, in a time of its own. */
async function waitFor(
	items: string[][],
	{
		statusesAt,
		maxIndexingMinutes = 1,
		overAtMs = Infinity,
		startsMs = [],
		stopsOnFailure = false,
	}: Scenario,
) {
	let nowMs = 0;
	let isCancelled = false;
	const asked: Question[] = [];
	const late: Array<{ atMs: number; start: () => void }> = [];
	const clock = {
		nowMs: () => START_MS + nowMs,
		random: () => 0,
		delay: async (ms: number) => {
			await settle();
			const untilMs = Math.min(nowMs + ms, Math.max(overAtMs, nowMs));
			for (const { atMs, start } of late.filter((one) => one.atMs <= untilMs)) {
				nowMs = Math.max(nowMs, atMs);
				start();
				late.shift();
				await settle();
			}
			nowMs = untilMs;
		},
		isCancelled: () => isCancelled || nowMs >= overAtMs,
	};
	const send = async ({ body }: { body?: unknown }): Promise<AttemptResult> => {
		const ids = idsOf(body);
		asked.push({ atMs: nowMs, ids });
		if (asked.length > MOST_QUESTIONS) throw new Error('No end in sight.');
		const data = statusesAt(nowMs / 1000, ids);
		const headers = {};
		return typeof data === 'number'
			? { kind: 'response', status: data, headers, body: redacted({ message: 'No.' }) }
			: { kind: 'response', status: 200, headers, body: redacted({ success: true, data }) };
	};
	const account = { baseUrl: 'https://example.com/v3', apiKey: 'key' };
	const option = optionsOf(maxIndexingMinutes);
	const limits = { ...PATIENCE, timeoutMs: 60_000 };
	const rateLimiter = new RateLimiter();
	const runs = { stopsOnFailure, cancel: () => void (isCancelled = true) };
	const run = { ...runs, option, limits, account, send, rateLimiter, clock, finishingClock: clock };
	const permits = new Semaphore(items.length);
	const poller = new IndexingPoller(run, permits);
	const wait = async (ids: string[]): Promise<Ended> => {
		return await permits.run(async () => {
			const statuses: StatusById = new Map();
			const failure = await poller.untilIndexed(new Steps(run), ids, statuses);
			return { failure, statuses: Object.fromEntries(statuses), atMs: nowMs };
		});
	};
	const ended = await Promise.all(
		items.map(async (ids, at) => {
			const atMs = startsMs[at] ?? 0;
			if (atMs > 0) await new Promise<void>((start) => late.push({ atMs, start }));
			return await wait(ids);
		}),
	);
	// For whatever goes on, though nobody waits for it.
	await settle();
	await settle();
	return { ended, asked, nowMs };
}

function idsOf(body: unknown): string[] {
	if (typeof body !== 'object' || body === null || !('uniqueId' in body)) return [];
	return Array.isArray(body.uniqueId) ? body.uniqueId.map(String) : [];
}

/** All that were asked for have this status. */
const all = (status: string) => (_: number, ids: string[]) =>
	Object.fromEntries(ids.map((id) => [id, status]));

const many = (count: number) => Array.from({ length: count }, (_, at) => [`file ${at}`]);

describe('One item', () => {
	const wait = async (
		ids: string[],
		statusesAt: Scenario['statusesAt'],
		more: Partial<Scenario> = {},
	) => {
		const { ended, ...rest } = await waitFor([ids], { statusesAt, ...more });
		return { failure: ended[0]?.failure, statuses: ended[0]?.statuses, ...rest };
	};

	test('is asked for at once, then after half the time it has waited, up to fifteen seconds, and at the end', async () => {
		const { asked, failure } = await wait(['a'], () => ({ a: 'indexing' }));
		const gaps = asked.slice(1).map(({ atMs }, at) => atMs - (asked[at]?.atMs ?? 0));
		expect(asked[0]?.atMs).toBe(0);
		expect(gaps.map(Math.round)).toEqual([
			1000, 1000, 1000, 1500, 2250, 3375, 5063, 7594, 11391, 15000, 10827,
		]);
		expect(failure).toMatchObject({
			what: "CometChat did not finish indexing within 'Max Indexing Time (Minutes)'",
			remedy:
				'Ask for the status later with Document: Get Status, or raise that option under Options.',
			more: { said: '"a" is indexing.', cause: 'temporarily-unavailable' },
		});
	});

	test.each(['indexed', 'inSync'])(
		'that is %s is ready: no further question, nor a wait',
		async (status) => {
			const { failure, asked, nowMs } = await wait(['a'], all(status));
			expect(nowMs).toBe(0);
			expect(failure).toBeUndefined();
			expect(asked).toEqual([{ atMs: 0, ids: ['a'] }]);
		},
	);

	test('is not asked again for its files that are ready', async () => {
		const { asked, statuses } = await wait(['a', 'b'], (seconds): Statuses =>
			seconds > 1 ? { b: 'indexed' } : { a: 'indexed', b: 'indexing' },
		);
		expect(asked.map(({ ids }) => ids)).toEqual([['a', 'b'], ['b'], ['b']]);
		expect(statuses).toEqual({ a: 'indexed', b: 'indexed' });
	});

	test('waits for its other files though one has failed, and has failed then', async () => {
		const { failure, asked, statuses } = await wait(['a', 'b'], (seconds): Statuses => ({
			a: seconds < 3 ? 'indexing' : 'indexed',
			b: 'failed',
		}));
		expect(asked.map(({ ids }) => ids)).toEqual([['a', 'b'], ['a'], ['a'], ['a']]);
		expect(failure).toEqual({
			what: 'CometChat was not able to read "b"',
			remedy:
				'Check that "b" (ID b) opens, has no password and holds text; delete it with Document: Delete, and upload one that can be read.',
			more: { cause: 'configuration-invalid' },
		});
		expect(statuses).toEqual({ a: 'indexed', b: 'failed' });
	});

	test('names five of its files that have failed, or are open at the end', async () => {
		const ids = [...'abcdefg'];
		expect((await wait(ids, all('failed'))).failure).toMatchObject({
			what: expect.stringMatching(/"e", and 2 more$/),
			remedy: expect.stringMatching(/"e" \(ID e\), and 2 more open/),
		});
		const open = { more: { said: expect.stringMatching(/^"a" is x, .*"e" is x, and 2 more\.$/) } };
		expect((await wait(ids, all('x'))).failure).toMatchObject(open);
	});

	test('of more than a hundred files is asked for by the hundred', async () => {
		const ids = many(250).flat();
		const { asked, failure } = await wait(ids, all('indexed'));
		expect(asked.map((question) => [question.atMs, question.ids.length])).toEqual([
			[0, 100],
			[0, 100],
			[0, 50],
		]);
		expect(failure).toBeUndefined();
	});

	test('that the service does not list yet is waited for, and is said to be missing at the end', async () => {
		const there = await wait(['a'], (seconds): Statuses => (seconds > 2 ? { a: 'indexed' } : {}));
		expect(there.failure).toBeUndefined();
		const never = await wait(['a'], () => ({}));
		expect(never.failure).toMatchObject({ more: { said: '"a" is notFound.' } });
	});

	test('stops with the run, without a further question', async () => {
		const { failure, asked, nowMs } = await wait(['a'], () => ({}), {
			maxIndexingMinutes: 10,
			overAtMs: 4000,
		});
		expect(nowMs).toBe(4000);
		expect(asked.every(({ atMs }) => atMs < 4000)).toBe(true);
		expect(failure).toMatchObject({
			what: 'The run stopped while CometChat was indexing',
			remedy: 'Ask for the status later with Document: Get Status.',
			more: { because: 'cancelled' },
		});
	});
});

describe('Several items', () => {
	test('share their questions: 250 files take three a round, and rounds are a second apart', async () => {
		const { asked, ended } = await waitFor(many(250), {
			statusesAt: (seconds, ids) => all(seconds < 20 ? 'indexing' : 'indexed')(seconds, ids),
		});
		const rounds = new Map<number, number[]>();
		for (const { atMs, ids } of asked) {
			rounds.set(atMs, [...(rounds.get(atMs) ?? []), ids.length]);
		}
		// The first item did not wait for the others.
		const [first, ...later] = rounds.values();
		expect(first).toEqual([1]);
		expect(later).toEqual(Array(later.length).fill([100, 100, 50]));
		expect(later.length).toBeGreaterThan(5);
		const starts = [...rounds.keys()];
		const gaps = starts.slice(1).map((ms, at) => ms - (starts[at] ?? 0));
		expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1000);
		expect(ended.map(({ failure }) => failure)).toEqual(Array(250).fill(undefined));
	});

	test('end when their own files are ready, not with the slowest', async () => {
		const { ended } = await waitFor([['fast'], ['slow']], {
			statusesAt: (seconds) => ({ fast: 'indexed', slow: seconds < 20 ? 'indexing' : 'indexed' }),
		});
		expect(ended.map(({ atMs }) => atMs < 20_000)).toEqual([true, false]);
	});

	test('that come later are asked for within a second, however rarely the others are', async () => {
		const { ended } = await waitFor([['old'], ['new']], {
			statusesAt: (seconds, ids) => ({ ...all('indexing')(seconds, ids), new: 'indexed' }),
			startsMs: [0, 45_000],
		});
		expect(ended[1]?.atMs).toBeLessThanOrEqual(46_000);
	});

	test.each([
		['no more, where a failure ends the run', true, [1, 100], 151],
		['all, where it goes on', false, [1, 100, 100, 50], 1],
	])('of which one has failed: asked for are %s', async (_, stopsOnFailure, sizes, failures) => {
		const { asked, ended } = await waitFor(many(251), {
			statusesAt: (seconds, ids) => ({ ...all('indexed')(seconds, ids), 'file 7': 'failed' }),
			stopsOnFailure,
		});
		expect(asked.map(({ ids }) => ids.length)).toEqual(sizes);
		expect(ended.filter(({ failure }) => failure !== undefined)).toHaveLength(failures);
	});

	test('that have failed, or got no status for a file of theirs, do not keep the others', async () => {
		const ids = many(250);
		const { asked, ended } = await waitFor(ids, {
			statusesAt: (seconds, given) =>
				given.includes('file 120')
					? 404
					: { ...all('indexed')(seconds, given), 'file 7': 'failed' },
		});
		const wrong = ended.flatMap(({ failure }, at) => (failure === undefined ? [] : [at]));
		expect(wrong).toEqual([7, 120]);
		// Half by half, and not one by one.
		expect(asked.length).toBeLessThanOrEqual(1 + 3 + 2 * Math.ceil(Math.log2(100)));
	});

	test('are not asked for one by one when the reason cannot lie in one of them', async () => {
		const { asked, ended } = await waitFor([['a'], ['b'], ['c']], { statusesAt: () => 401 });
		expect(asked.map(({ ids }) => ids)).toEqual([['a'], ['b', 'c']]);
		expect(ended.map(({ failure }) => failure !== undefined)).toEqual([true, true, true]);
	});
});
