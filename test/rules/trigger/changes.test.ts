import type { KnowledgeBaseRecord } from '../../../nodes/CometChatKnowledgeBase/service/records';
import {
	changesSince,
	firstCheckpoint,
	toAskFor,
} from '../../../nodes/CometChatKnowledgeBase/trigger/changes';
import type { Checkpoint } from '../../../nodes/CometChatKnowledgeBase/trigger/checkpoint';
import { areTooManyToCome } from '../../../nodes/CometChatKnowledgeBase/trigger/checkpoint';
import type { Listed } from '../../../nodes/CometChatKnowledgeBase/trigger/creation';
import { creationTimes } from '../../../nodes/CometChatKnowledgeBase/trigger/creation';
import { fromStored, toStored } from '../../../nodes/CometChatKnowledgeBase/trigger/stored';
import { given } from '../../../nodes/CometChatKnowledgeBase/values/shown';

const ACCOUNT = 'https://app.api-us.cometchat.io/v3';
const START_MS = Date.UTC(2026, 0, 31, 12);
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A document as it is written here: `b@3 indexing`, which was created in minute 3. */
function recordOf(text: string): KnowledgeBaseRecord {
	const [, uniqueId = '', minute, status] = /^(\w+)(?:@(-?[\d.]+))?(?: (\w+))?$/.exec(text) ?? [];
	const createdAt = minute === undefined ? undefined : START_MS + Number(minute) * MINUTE_MS;
	return {
		uniqueId: given(uniqueId),
		sourceName: given(`${uniqueId}.pdf`),
		type: 'uploads',
		status: given(status),
		createdAt,
	};
}

function listedOf(records: KnowledgeBaseRecord[], asOfMs = START_MS): Listed {
	return { records, times: creationTimes(records) ?? [], asOfMs, isWhole: true };
}

/** One poll: what the list shows, newest first, and what CometChat says of those that it is asked for. */
interface Poll {
	list: string[];
	/** Left out: that it knows none of them. */
	says?: Record<string, string>;
	/** What it gives no answer for. */
	silentOn?: string[];
	/** In minutes since the start. */
	at?: number;
	expected: string[];
	/** The IDs that it has to ask for. */
	asks?: string[];
}

function play(polls: Poll[]): Checkpoint {
	let checkpoint: Checkpoint | undefined;
	for (const { list, says = {}, silentOn = [], at = 0, expected, asks = [] } of polls) {
		const nowMs = START_MS + at * MINUTE_MS;
		const listed = listedOf(list.map(recordOf), nowMs);
		if (checkpoint === undefined) {
			expect(expected).toEqual([]);
			checkpoint = firstCheckpoint(ACCOUNT, listed, nowMs);
			continue;
		}
		expect(toAskFor(checkpoint, listed.records)).toEqual(asks);
		const statuses = new Map(
			asks.filter((id) => !silentOn.includes(id)).map((id) => [id, given(says[id] ?? 'notFound')]),
		);
		const found = changesSince(checkpoint, listed, statuses, nowMs);
		const events = found.changes.map(({ event, record }) => `${record.uniqueId} ${event}`);
		expect(events).toEqual(expected);
		checkpoint = kept(found.next);
	}
	if (checkpoint === undefined) throw new Error('Nothing was polled');
	return checkpoint;
}

/** As n8n keeps it. */
function kept(checkpoint: Checkpoint): Checkpoint | undefined {
	return fromStored(JSON.parse(JSON.stringify(toStored(checkpoint))), ACCOUNT);
}

const ADDED = 'documentAdded';
const FAILED = 'indexingFailed';
const FINISHED = 'indexingFinished';

test.each<[string, Poll[]]>([
	[
		'Retry Indexing that a poll sees is watched again, and gives its end once more',
		[
			{ list: ['b@1 failed', 'a@0 failed'], expected: [] },
			{ list: ['b@1 failed', 'a@0 indexing'], at: 2, expected: [] },
			{ list: ['b@1 failed', 'a@0 failed'], at: 3, expected: [`a ${FAILED}`] },
			{ list: ['b@1 failed', 'a@0 indexing'], at: 4, expected: [] },
			{ list: ['b@1 failed', 'a@0 indexed'], at: 5, expected: [`a ${FINISHED}`] },
		],
	],
	[
		'a status that is documented nowhere may be on its way to one that is',
		[
			{ list: ['a@0 queued'], expected: [] },
			{ list: ['b@1 queued', 'a@0 queued'], at: 1, expected: [`b ${ADDED}`] },
			{
				list: ['b@1 queued', 'a@0 queued'],
				at: 2,
				asks: ['b'],
				says: { b: 'queued' },
				expected: [],
			},
			{
				list: ['b@1 queued', 'a@0 queued'],
				at: 3,
				asks: ['b'],
				says: { b: 'failed' },
				expected: [`b ${FAILED}`],
			},
		],
	],
	[
		'a list that was empty by mistake at the first poll makes no more new than the last day',
		[
			{ list: [], expected: [] },
			{ list: ['b@-5 queued', 'a@-2000 failed'], at: 1, expected: [`b ${ADDED}`] },
		],
	],
	[
		'in an account where nothing has come for long, one that is listed late is new all the same',
		[
			{ list: ['a@-3000 indexed'], expected: [] },
			{ list: ['b@-2999 queued', 'a@-3000 indexed'], at: 1, expected: [`b ${ADDED}`] },
		],
	],
	[
		'what there was no answer for is asked for first by the next poll',
		[
			{ list: ['c@0 indexing', 'b@0 indexing', 'a@0 indexing'], expected: [] },
			{
				list: [],
				at: 1,
				asks: ['c', 'b', 'a'],
				says: { c: 'indexing' },
				silentOn: ['b', 'a'],
				expected: [],
			},
			{
				list: [],
				at: 2,
				asks: ['b', 'a', 'c'],
				says: { b: 'failed' },
				silentOn: ['a', 'c'],
				expected: [`b ${FAILED}`],
			},
			{
				list: [],
				at: 3,
				asks: ['a', 'c'],
				says: { a: 'indexed', c: 'indexed' },
				expected: [`c ${FINISHED}`, `a ${FINISHED}`],
			},
		],
	],
])('%s', (_, polls) => {
	play(polls);
});

test.each<[string, number, number, boolean]>([
	['2,000 that are dated two days ahead', 2000, 2 * DAY_MS, false],
	['2,001 of them', 2001, 2 * DAY_MS, true],
	['2,001 by a clock that is up to a day off', 2001, DAY_MS, false],
])('so many cannot be told from what comes after them: %s', (_, count, aheadMs, expected) => {
	const times = [...Array<number>(count).fill(START_MS + aheadMs), START_MS];
	expect(areTooManyToCome({ times, asOfMs: START_MS })).toBe(expected);
});
