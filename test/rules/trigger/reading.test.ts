import fc from 'fast-check';

import type { EventFilter } from '../../../nodes/CometChatKnowledgeBase/trigger/fields';
import { readChanges } from '../../../nodes/CometChatKnowledgeBase/trigger/reading';
import type { State } from '../../../nodes/CometChatKnowledgeBase/trigger/difference';
import { readState } from '../../../nodes/CometChatKnowledgeBase/trigger/difference';
import type { Course, Life, Manner } from './account';
import { idOf, serviceAt, shownAt, START_MS, titleOf } from './account';
import { toResult, isFailure } from '../../../nodes/CometChatKnowledgeBase/text/failure';

const SECOND_MS = 1000;
const DAY_S = 24 * 3600;

const WANTED: EventFilter = {
	events: ['documentAdded', 'indexingFailed', 'indexingFinished', 'stuck'],
	sourceTypes: [],
	nameContains: '',
	agent: '',
};

interface Poll extends Course {
	/** In seconds since the previous poll. */
	after: number;
}

const GOOD = { answers: Infinity, isTimeUp: false };

/**
 * Polls an account with a clock that is ahead.
 *
 * @returns The events, the time of the first poll, and the largest state.
 */
async function watch(lives: Life[], polls: Poll[], manner: Manner, ahead = 0) {
	const events: string[] = [];
	const unnamed: string[] = [];
	let stored: string | undefined;
	let firstAt = Infinity;
	let now = 0;
	let largest = 0;
	for (const poll of polls) {
		now += poll.after;
		const before = readState(stored, 'account');
		// Documents after the end of the first poll's time are not watched.
		const isTimeUp = before !== undefined && poll.isTimeUp;
		const { client, isOver } = serviceAt(lives, now, manner, { ...poll, isTimeUp });
		const nowMs = START_MS + (now + ahead) * SECOND_MS;
		const asking = { client, account: 'account', nowMs, isOver };
		const read = await toResult(readChanges(asking, before, WANTED));
		if (isFailure(read)) continue;
		if (before === undefined) firstAt = now;
		for (const { event, record } of read.events) {
			events.push(`${record.uniqueId} ${event}`);
			if (record.sourceName !== titleOf(record.uniqueId)) unnamed.push(record.uniqueId);
		}
		stored = JSON.stringify(read.state);
		largest = Math.max(largest, stored.length);
	}
	return { events, firstAt, largest, unnamed };
}

/** Returns the events that complete polling must have returned. */
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
	// A document that was deleted before a poll has seen it may have no event.
	return [...ofOthers, ...events.filter((event) => ofDeleted.has(event.split(' ')[0] ?? ''))];
}

const life = {
	// Few different times, so that some are equal.
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

/** The faults of CometChat's times of creation. */
const oddity = fc.constantFrom('in seconds' as const, 'ahead' as const);

const odd = fc.record({ ...life, late: fc.constant(0), isOdd: fc.boolean() });

const polls = fc.array(
	fc.record({
		after: fc.integer({ min: 1, max: 900 }),
		answers: fc.oneof(fc.constant(Infinity), fc.integer({ min: 0, max: 6 })),
		isTimeUp: fc.boolean(),
	}),
	{ minLength: 1, maxLength: 14 },
);

const ENDINGS = Array.from({ length: 6 }, (): Poll => ({ ...GOOD, after: 4000 }));

const unknown = fc.constantFrom('left out' as const, 'refused' as const);

async function assertEachOnce(lives: Life[], asked: Poll[], manner: Manner, ahead?: number) {
	const { events, firstAt, unnamed } = await watch(lives, [...asked, ...ENDINGS], manner, ahead);
	expect(new Set(events).size).toBe(events.length);
	expect([...events].sort()).toEqual(expectedOf(lives, events, firstAt).sort());
	expect(unnamed).toEqual([]);
}

test('each document raises each of its events exactly once, also if it is deleted or listed late, and if polls are lost, refused or ended early', async () => {
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

test('each document raises each of its events exactly once, also with a wrong time of creation', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(odd, { maxLength: 14 }),
			oddity,
			polls,
			fc.integer({ min: -2 * DAY_S, max: 2 * DAY_S }),
			async (stories, oddly, asked, ahead) => {
				const lives = stories.map(({ isOdd, ...one }) => ({
					...one,
					...(isOdd && { dated: oddly }),
				}));
				const manner: Manner = { unknown: 'left out', perPage: 3 };
				// With an empty account, the clock decides which documents are new.
				const known = { created: 0, late: 0, indexing: 0, end: 'indexed' as const };
				await assertEachOnce([known, ...lives], asked, manner, ahead);
			},
		),
		{ numRuns: 500 },
	);
});

test('hundreds of documents at once, with the longest titles, raise each of their events exactly once, and leave a state of less than 1 MB', async () => {
	const burst = fc.record({
		created: life.created,
		// At most the maximum number of watched documents.
		count: fc.integer({ min: 1, max: 250 }),
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

test('of 700 documents that were created in one second, 100 are listed 50 s later, and raise their events', async () => {
	const lives = Array.from({ length: 700 }, (_life, at): Life => {
		return { created: 600, late: at % 7 === 0 ? 50 : 0, indexing: 0, end: 'failed' };
	});
	const manner: Manner = { unknown: 'left out', perPage: 100 };
	const asked = [590, 20, 60].map((after): Poll => ({ ...GOOD, after }));
	const known: Life = { created: 0, late: 0, indexing: 0, end: 'indexed' };
	const { events } = await watch([known, ...lives], asked, manner);
	expect(events).toHaveLength(1400);
});

test('for a first poll without time for the whole list, the rest of the list is known, too', async () => {
	const lives = Array.from({ length: 20 }, (_life, at): Life => {
		return { created: at, late: 0, indexing: 0, end: 'failed' };
	});
	const manner: Manner = { unknown: 'left out', perPage: 3 };
	const first = serviceAt(lives, 100, manner, { ...GOOD, answers: 2, isTimeUp: true });
	const asking = { account: 'account', nowMs: START_MS + 100 * SECOND_MS };
	const { events, state } = await readChanges({ ...asking, ...first }, undefined, WANTED);
	expect(events).toEqual([]);
	const added: Life = { created: 101, late: 0, indexing: 0, end: 'failed' };
	const second = serviceAt([...lives, added], 102, manner, GOOD);
	const later = await readChanges({ ...asking, ...second }, state, WANTED);
	expect(later.events.map(({ record }) => record.uniqueId)).toEqual(['doc-20', 'doc-20']);
});

test('a poll asks for 300 of the watched documents that are no longer listed, and the next poll for the others', async () => {
	const lives = Array.from({ length: 500 }, (_life, at): Life => {
		return { created: at * 20, late: 0, indexing: DAY_S, end: 'failed' };
	});
	const manner: Manner = { unknown: 'left out', perPage: 100 };
	const poll = async (now: number, before?: State) => {
		const { client, requests, isOver } = serviceAt(lives, now, manner, GOOD);
		const asking = { client, account: 'account', nowMs: START_MS + now * SECOND_MS, isOver };
		const { events, state } = await readChanges(asking, before, WANTED);
		return { events: events.map(({ event }) => event), state, requests: requests() };
	};
	const first = await poll(10_000);
	expect(first.state.watched).toHaveLength(500);
	const second = await poll(3 * DAY_S, first.state);
	// A page, and three requests for statuses.
	expect(second.requests).toBe(4);
	expect(second.events).toEqual(Array(400).fill('indexingFailed'));
	const third = await poll(3 * DAY_S, second.state);
	expect(third.requests).toBe(2);
	expect(third.events).toEqual(Array(100).fill('indexingFailed'));
});
