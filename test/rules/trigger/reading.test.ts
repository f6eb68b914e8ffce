import fc from 'fast-check';

import { isItemFailure } from '../../../nodes/CometChatKnowledgeBase/results/itemFailure';
import type { Checkpoint } from '../../../nodes/CometChatKnowledgeBase/trigger/checkpoint';
import type { Wanted } from '../../../nodes/CometChatKnowledgeBase/trigger/fields';
import type { PollTime } from '../../../nodes/CometChatKnowledgeBase/trigger/reading';
import { readChanges, readFirst } from '../../../nodes/CometChatKnowledgeBase/trigger/reading';
import { fromStored, toStored } from '../../../nodes/CometChatKnowledgeBase/trigger/stored';
import type { Course, Life, Manner } from './account';
import { idOf, serviceAt, shownAt, START_MS, titleOf } from './account';

const SECOND_MS = 1000;
const DAY_S = 24 * 3600;

const WANTED: Wanted = {
	events: ['documentAdded', 'indexingFailed', 'indexingFinished'],
	sourceTypes: [],
};

interface Poll extends Course {
	/** In seconds since the poll before. */
	after: number;
	/** After how many requests it gets late. */
	lateAfter: number;
	/** Whether the version before has written what it leaves. */
	isOfFirstVersion: boolean;
	/** How far our clock is ahead at this one, in seconds; as ever if left out. */
	ahead?: number;
}

const GOOD = { answers: Infinity, refusesAll: false, lateAfter: Infinity, isOfFirstVersion: false };

/** Our clock: how far it is ahead, in seconds, and whether CometChat's shows. */
interface Ours {
	ahead: number;
	isServiceClockShown: boolean;
}

const RIGHT: Ours = { ahead: 0, isServiceClockShown: true };

/** Polls a story. @returns The events, when the first poll was, and the largest state. */
async function watch(lives: Life[], polls: Poll[], manner: Manner, ours: Ours = RIGHT) {
	const events: string[] = [];
	const unnamed: string[] = [];
	let checkpoint: Checkpoint | undefined;
	let firstAt = Infinity;
	let now = 0;
	let largest = 0;
	for (const poll of polls) {
		now += poll.after;
		const { client, requests } = serviceAt(lives, now, manner, poll);
		const nowMs = START_MS + (now + (poll.ahead ?? ours.ahead)) * SECOND_MS;
		const time: PollTime = {
			nowMs: () => nowMs,
			asOfMs: () => (ours.isServiceClockShown ? START_MS + now * SECOND_MS : nowMs),
			isLate: () => requests() > poll.lateAfter,
		};
		if (checkpoint === undefined) {
			const first = await readFirst(client, 'account', time);
			if (isItemFailure(first)) continue;
			checkpoint = first;
			firstAt = now;
			continue;
		}
		const read = await readChanges(client, checkpoint, WANTED, time);
		if (isItemFailure(read)) continue;
		for (const { event, record } of read.changes) {
			events.push(`${record.uniqueId} ${event}`);
			if (record.sourceName !== titleOf(record.uniqueId)) unnamed.push(record.uniqueId);
		}
		largest = Math.max(largest, JSON.stringify(toStored(read.next)).length);
		const stored = JSON.stringify(written(read.next, poll));
		checkpoint = fromStored(JSON.parse(stored), 'account');
	}
	return { events, firstAt, largest, unnamed };
}

function written(checkpoint: Checkpoint, { isOfFirstVersion }: Poll): unknown {
	if (!isOfFirstVersion) return toStored(checkpoint);
	const { account, floorMs, recent, unfinished } = checkpoint;
	return { version: 1, account, floorMs, recent, unfinished };
}

/** What a story has to give once it has been polled for to its end. */
function expectedOf(lives: Life[], events: string[], firstAt: number): string[] {
	const shown = shownAt(lives, firstAt);
	const atFirst = new Map(shown.map(({ uniqueId, status }) => [uniqueId, status]));
	const ofDeleted = new Set(
		lives.flatMap(({ deleted }, at) => (deleted === undefined ? [] : [idOf(at)])),
	);
	const ofOthers = lives.flatMap(({ end }, at) => {
		const id = idOf(at);
		if (ofDeleted.has(id)) return [];
		const ended = `${id} ${end === 'failed' ? 'indexingFailed' : 'indexingFinished'}`;
		const status = atFirst.get(id);
		if (status === undefined) return [`${id} documentAdded`, ended];
		return status === 'indexing' ? [ended] : [];
	});
	// Deleted before a poll has seen it, a document may give no event.
	return [...ofOthers, ...events.filter((event) => ofDeleted.has(event.split(' ')[0] ?? ''))];
}

const life = {
	// Few moments, so that there are twins.
	created: fc.integer({ min: 0, max: 60 }).map((minute) => minute * 60),
	indexing: fc.integer({ min: 0, max: 2 * 3600 }),
	end: fc.constantFrom('indexed' as const, 'inSync' as const, 'failed' as const),
};

const lateOrDeleted = fc.record(
	{
		...life,
		late: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 14 * 60 })),
		deleted: fc.integer({ min: 1, max: 7200 }),
	},
	{ requiredKeys: ['created', 'late', 'indexing', 'end'] },
);

const oddlyDated = fc.record(
	{
		...life,
		late: fc.constant(0),
		dated: fc.constantFrom(
			'in seconds' as const,
			'not at all' as const,
			'negatively' as const,
			'ahead' as const,
		),
	},
	{ requiredKeys: ['created', 'late', 'indexing', 'end'] },
);

const polls = fc.array(
	fc.record({
		after: fc.integer({ min: 1, max: 900 }),
		answers: fc.oneof(fc.constant(Infinity), fc.integer({ min: 0, max: 6 })),
		refusesAll: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true)),
		lateAfter: fc.oneof(fc.constant(Infinity), fc.integer({ min: 0, max: 4 })),
		isOfFirstVersion: fc.boolean(),
	}),
	{ minLength: 1, maxLength: 14 },
);

const ENDINGS = Array.from({ length: 6 }, (): Poll => ({ ...GOOD, after: 4000 }));

const unknown = fc.constantFrom('left out' as const, 'refused' as const, 'cut' as const);

async function assertEachOnce(lives: Life[], asked: Poll[], manner: Manner, ours?: Ours) {
	const { events, firstAt, unnamed } = await watch(lives, [...asked, ...ENDINGS], manner, ours);
	expect(new Set(events).size).toBe(events.length);
	expect([...events].sort()).toEqual(expectedOf(lives, events, firstAt).sort());
	expect(unnamed).toEqual([]);
}

test('whatever comes when, is deleted or listed late, and whichever polls are lost, refused or cut short: each document gives each of its events exactly once', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(lateOrDeleted, { maxLength: 14 }),
			polls,
			unknown,
			async (lives, asked, manner) => {
				await assertEachOnce(lives, asked, { unknown: manner, perPage: 3 });
			},
		),
		{ numRuns: 500 },
	);
});

test('whatever the documents are dated, each gives each of its events exactly once', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(oddlyDated, { maxLength: 14 }),
			polls,
			fc.integer({ min: -2 * DAY_S, max: 2 * DAY_S }),
			async (lives, asked, ahead) => {
				const manner: Manner = { unknown: 'left out', perPage: 3 };
				// All that is told of a list without any time is an error.
				const dated = [{ created: 0, late: 0, indexing: 0, end: 'indexed' as const }, ...lives];
				await assertEachOnce(dated, asked, manner, { ahead, isServiceClockShown: true });
			},
		),
		{ numRuns: 500 },
	);
});

test('hundreds at once, with the longest titles, give each of their events exactly once, and leave a state of less than 1 MB', async () => {
	const burst = fc.record({
		created: life.created,
		count: fc.integer({ min: 1, max: 900 }),
		indexing: life.indexing,
		isOfOneTime: fc.boolean(),
	});
	await fc.assert(
		fc.asyncProperty(
			fc.array(burst, { maxLength: 4 }),
			polls.map((all) => all.map((one) => ({ ...one, answers: Infinity }))),
			async (bursts, asked) => {
				const lives = bursts.flatMap(({ count, created, indexing, isOfOneTime }) =>
					Array.from({ length: count }, (_, at): Life => {
						const end = at % 3 === 0 ? 'failed' : 'indexed';
						return { created: created + (isOfOneTime ? 0 : at / 100), late: 0, indexing, end };
					}),
				);
				const manner: Manner = { unknown: 'left out', perPage: 100 };
				const { events, firstAt, largest } = await watch(lives, [...asked, ...ENDINGS], manner);
				const expected = new Set(expectedOf(lives, events, firstAt));
				expect(events.filter((event) => !expected.has(event))).toEqual([]);
				expect(events).toHaveLength(expected.size);
				expect(largest).toBeLessThan(1_000_000);
			},
		),
		{ numRuns: 15, endOnFailure: true },
	);
});
