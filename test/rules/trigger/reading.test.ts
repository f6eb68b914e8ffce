import fc from 'fast-check';

import {
	isItemFailure,
	RequestFailure,
} from '../../../nodes/CometChatKnowledgeBase/results/itemFailure';
import type { ApiClient } from '../../../nodes/CometChatKnowledgeBase/service/apiClient';
import type { Checkpoint } from '../../../nodes/CometChatKnowledgeBase/trigger/checkpoint';
import { readChanges, readFirst } from '../../../nodes/CometChatKnowledgeBase/trigger/reading';
import { redacted } from '../redacted';

const START_MS = Date.UTC(2026, 0, 31, 12);
const SECOND_MS = 1000;

/** A document in the life of an account, in seconds since its start. */
interface Life {
	created: number;
	/** How much later it is listed. */
	late: number;
	/** How long it is indexed. */
	indexing: number;
	end: 'indexed' | 'inSync' | 'failed';
	/** How long after its creation it is deleted; never if left out. */
	deleted?: number;
}

interface Shown {
	uniqueId: string;
	createdAt: number;
	status: string;
}

/** What is there at a time, newest first. Of twins the later in the story is the newer. */
function shownAt(lives: Life[], now: number): Shown[] {
	return lives
		.map((life, at) => ({ ...life, uniqueId: `doc-${at}` }))
		.filter(
			({ created, late, deleted = Infinity }) => created + late <= now && now < created + deleted,
		)
		.map(({ uniqueId, created, indexing, end }) => ({
			uniqueId,
			createdAt: START_MS + created * SECOND_MS,
			status: now < created + indexing ? 'indexing' : end,
		}))
		.reverse()
		.sort((one, other) => other.createdAt - one.createdAt);
}

const PAGE = 3;

/** A service that shows the story as it is at a time, and answers so many requests before it is lost. */
function clientAt(lives: Life[], now: number, answers: number): ApiClient {
	const all = shownAt(lives, now);
	let left = answers;
	return {
		call: async ({ method, qs, body }, read) => {
			left -= 1;
			const from = Number(qs?.cursor ?? 0);
			const ids: unknown[] = Object(body).uniqueId ?? [];
			const asked = all.filter(({ uniqueId }) => ids.includes(uniqueId));
			const next = from + PAGE < all.length ? { cursor: String(from + PAGE) } : undefined;
			const answer =
				method === 'GET'
					? { data: all.slice(from, from + PAGE), meta: { next } }
					: { data: Object.fromEntries(asked.map((one) => [one.uniqueId, one.status])) };
			const lost = { attempts: 1, effect: 'unknown' as const, stopReason: 'answered' as const };
			return (left < 0 ? undefined : read(redacted(answer))) ?? new RequestFailure(lost);
		},
	};
}

const WANTED = {
	events: ['documentAdded' as const, 'indexingFailed' as const, 'indexingFinished' as const],
	sourceTypes: [],
};

/** A poll after so many seconds; it may be lost after some answers. */
interface Poll {
	after: number;
	answers: number;
}

/** Polls until the end of the story, and a few times beyond. @returns The events, and when the first poll was. */
async function watch(lives: Life[], polls: Poll[]) {
	const events: string[] = [];
	let checkpoint: Checkpoint | undefined;
	let firstAt = Infinity;
	let now = 0;
	const endings = Array.from({ length: 3 }, () => ({ after: 4000, answers: Infinity }));
	for (const { after, answers } of [...polls, ...endings]) {
		now += after;
		const client = clientAt(lives, now, answers);
		const nowMs = START_MS + now * SECOND_MS;
		if (checkpoint === undefined) {
			const first = await readFirst(client, 'account', nowMs);
			if (isItemFailure(first)) continue;
			checkpoint = first;
			firstAt = now;
			continue;
		}
		const read = await readChanges(client, checkpoint, WANTED, nowMs);
		if (isItemFailure(read)) continue;
		for (const { event, record } of read.changes) events.push(`${record.uniqueId} ${event}`);
		checkpoint = JSON.parse(JSON.stringify(read.next));
	}
	return { events, firstAt };
}

const lives = fc.array(
	fc.record(
		{
			// Few moments, so that there are twins.
			created: fc.integer({ min: 0, max: 60 }).map((minute) => minute * 60),
			late: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 14 * 60 })),
			indexing: fc.integer({ min: 0, max: 2 * 3600 }),
			end: fc.constantFrom('indexed' as const, 'inSync' as const, 'failed' as const),
			deleted: fc.integer({ min: 1, max: 7200 }),
		},
		{ requiredKeys: ['created', 'late', 'indexing', 'end'] },
	),
	{ maxLength: 14 },
);
const polls = fc.array(
	fc.record({
		after: fc.integer({ min: 1, max: 900 }),
		answers: fc.oneof(fc.constant(Infinity), fc.integer({ min: 0, max: 6 })),
	}),
	{ minLength: 1, maxLength: 14 },
);

test('whatever comes when, and whichever polls are lost, each document gives each of its events exactly once', async () => {
	await fc.assert(
		fc.asyncProperty(lives, polls, async (story, asked) => {
			const { events, firstAt } = await watch(story, asked);
			// The end of the story is polled for: a first poll then is too late for anything.
			expect(new Set(events).size).toBe(events.length);
			const atFirst = new Map(
				shownAt(story, firstAt).map(({ uniqueId, status }) => [uniqueId, status]),
			);
			const expected = story.flatMap(({ end, deleted }, at) => {
				const id = `doc-${at}`;
				const ended = `${id} ${end === 'failed' ? 'indexingFailed' : 'indexingFinished'}`;
				const status = atFirst.get(id);
				// Deleted before a poll has seen it, it may give none.
				if (deleted !== undefined) return events.filter((event) => event.startsWith(`${id} `));
				if (status === undefined) return [`${id} documentAdded`, ended];
				return status === 'indexing' ? [ended] : [];
			});
			expect([...events].sort()).toEqual(expected.sort());
		}),
		{ numRuns: 500 },
	);
});
