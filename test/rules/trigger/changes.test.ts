import type { KnowledgeBaseRecord } from '../../../nodes/CometChatKnowledgeBase/service/records';
import {
	changesSince,
	creationTimes,
	firstCheckpoint,
	toAskFor,
} from '../../../nodes/CometChatKnowledgeBase/trigger/changes';
import type { Checkpoint } from '../../../nodes/CometChatKnowledgeBase/trigger/checkpoint';
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

/** One poll: what the list shows, newest first, and what CometChat says of those that it is asked for. */
interface Poll {
	list: string[];
	/** Left out: nothing of any. */
	says?: Record<string, string>;
	/** In minutes since the start. */
	at?: number;
	expected: string[];
	/** The IDs that it has to ask for. */
	asks?: string[];
	givenUp?: number;
}

function play(polls: Poll[]): Checkpoint {
	let checkpoint: Checkpoint | undefined;
	for (const { list, says = {}, at = 0, expected, asks = [], givenUp = 0 } of polls) {
		const nowMs = START_MS + at * MINUTE_MS;
		const listed = list.map(recordOf);
		const times = creationTimes(listed) ?? [];
		if (checkpoint === undefined) {
			expect(expected).toEqual([]);
			checkpoint = firstCheckpoint(ACCOUNT, listed, times, nowMs);
			continue;
		}
		expect(toAskFor(checkpoint, listed)).toEqual(asks);
		const statuses = new Map(asks.map((id) => [id, given(says[id] ?? 'notFound')]));
		const found = changesSince(checkpoint, listed, times, statuses, nowMs);
		const events = found.changes.map(({ event, record }) => `${record.uniqueId} ${event}`);
		expect(events).toEqual(expected);
		expect(found.givenUp).toBe(givenUp);
		// As n8n keeps it.
		checkpoint = JSON.parse(JSON.stringify(found.next));
	}
	if (checkpoint === undefined) throw new Error('Nothing was polled');
	return checkpoint;
}

const MANY = Array.from({ length: 1002 }, (_, at) => `m${at}@1 indexing`);
const ADDED = 'documentAdded';
const FAILED = 'indexingFailed';
const FINISHED = 'indexingFinished';

test.each<[string, Poll[]]>([
	[
		'the first poll gives nothing, whatever is there, and no later one does for that',
		[
			{ list: ['c@0 indexed', 'b@-5 failed', 'a@-999 inSync'], expected: [] },
			{ list: ['c@0 indexed', 'b@-5 failed', 'a@-999 inSync'], expected: [] },
		],
	],
	[
		'what was unfinished at the first poll gives its end',
		[
			{ list: ['b@0 indexing', 'a@-9 indexing'], expected: [] },
			{ list: ['b@0 failed', 'a@-9 indexing'], expected: [`b ${FAILED}`] },
			{ list: ['b@0 failed', 'a@-9 indexed'], expected: [`a ${FINISHED}`] },
			{ list: ['b@0 failed', 'a@-9 indexed'], expected: [] },
		],
	],
	[
		'a new document gives that it was added, and later its end, each once',
		[
			{ list: [], expected: [] },
			{ list: ['a@1 indexing'], at: 1, expected: [`a ${ADDED}`] },
			{ list: ['a@1 indexing'], at: 2, expected: [] },
			{ list: ['a@1 inSync'], at: 3, expected: [`a ${FINISHED}`] },
			{ list: ['a@1 inSync'], at: 4, expected: [] },
		],
	],
	[
		'one that has come to its end between two polls gives both at once, the older document first',
		[
			{ list: ['a@0 indexed'], expected: [] },
			{
				list: ['c@2 failed', 'b@1 indexed', 'a@0 indexed'],
				at: 2,
				expected: [`b ${ADDED}`, `b ${FINISHED}`, `c ${ADDED}`, `c ${FAILED}`],
			},
		],
	],
	[
		'twins of one millisecond are two, also when they come apart',
		[
			{ list: ['a@1 indexed'], expected: [] },
			{ list: ['b@1 indexed', 'a@1 indexed'], expected: [`b ${ADDED}`, `b ${FINISHED}`] },
			{
				list: ['b@1 indexed', 'c@1 failed', 'a@1 indexed'],
				expected: [`c ${ADDED}`, `c ${FAILED}`],
			},
			{ list: ['c@1 failed', 'b@1 indexed', 'a@1 indexed'], expected: [] },
		],
	],
	[
		'one that is listed late is new for a quarter of an hour behind the newest, and not beyond',
		[
			{ list: ['a@0 indexed'], expected: [] },
			{ list: ['c@30 failed', 'a@0 indexed'], at: 30, expected: [`c ${ADDED}`, `c ${FAILED}`] },
			{
				list: ['c@30 failed', 'b@16 indexed', 'a@0 indexed'],
				at: 31,
				expected: [`b ${ADDED}`, `b ${FINISHED}`],
			},
			{ list: ['c@30 failed', 'b@16 indexed', 'x@14 failed', 'a@0 indexed'], at: 32, expected: [] },
		],
	],
	[
		'one that the list leaves out for once is not new when it is back',
		[
			{ list: ['b@1 indexed', 'a@0 indexed'], expected: [] },
			{ list: ['a@0 indexed'], at: 2, expected: [] },
			{ list: ['b@1 indexed', 'a@0 indexed'], at: 3, expected: [] },
		],
	],
	[
		'an empty list after a full one is no reason for anything',
		[
			{ list: ['b@1 failed', 'a@0 indexed'], expected: [] },
			{ list: [], at: 2, expected: [] },
			{ list: ['b@1 failed', 'a@0 indexed'], at: 3, expected: [] },
		],
	],
	[
		'what is too long ago to be listed is asked for by its ID, until it has ended',
		[
			{ list: ['a@0 indexing'], expected: [] },
			{
				list: ['b@60 indexed'],
				at: 60,
				says: { a: 'indexing' },
				asks: ['a'],
				expected: [`b ${ADDED}`, `b ${FINISHED}`],
			},
			{
				list: ['b@60 indexed'],
				at: 61,
				says: { a: 'failed' },
				asks: ['a'],
				expected: [`a ${FAILED}`],
			},
			{ list: ['b@60 indexed'], at: 62, expected: [] },
		],
	],
	[
		'an ID that CometChat no longer knows is forgotten without an event',
		[
			{ list: ['b@1 indexing', 'a@0 indexing'], expected: [] },
			{ list: ['a@0 indexing'], asks: ['b'], expected: [] },
			{ list: ['a@0 indexing'], expected: [] },
		],
	],
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
		'one without a time of creation has that of the one behind it, so that it is neither lost nor repeated',
		[
			{ list: ['b@0 indexed', 'old indexed', 'a@-60 indexed'], expected: [] },
			{
				list: ['new failed', 'c@1 indexed', 'b@0 indexed', 'old indexed'],
				at: 1,
				expected: [`c ${ADDED}`, `c ${FINISHED}`, `new ${ADDED}`, `new ${FAILED}`],
			},
			{ list: ['new failed', 'c@1 indexed', 'b@0 indexed', 'old indexed'], at: 2, expected: [] },
			{
				list: ['e@60 queued', 'new failed', 'c@1 indexed', 'old indexed'],
				at: 60,
				expected: [`e ${ADDED}`],
			},
			{ list: ['e@60 indexing', 'new failed', 'c@1 indexed', 'old indexed'], at: 61, expected: [] },
		],
	],
	[
		'what is not done after a week, and not listed, is given up, and that is told',
		[
			{ list: ['b@1 indexing', 'a@0 indexing'], expected: [] },
			{
				list: ['b@1 indexing'],
				at: (6 * DAY_MS) / MINUTE_MS,
				asks: ['a'],
				says: { a: 'indexing' },
				expected: [],
			},
			{
				list: ['b@1 indexing'],
				at: (8 * DAY_MS) / MINUTE_MS,
				asks: ['a'],
				says: { a: 'indexing' },
				givenUp: 1,
				expected: [],
			},
			{ list: ['b@1 failed'], at: (9 * DAY_MS) / MINUTE_MS, expected: [`b ${FAILED}`] },
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
		'one that is listed and that CometChat has no status for is there all the same',
		[
			{ list: [], expected: [] },
			{ list: ['a@1 queued'], at: 1, expected: [`a ${ADDED}`] },
			{ list: ['a@1 queued'], at: 2, asks: ['a'], expected: [] },
			{ list: ['a@1 failed'], at: 3, expected: [`a ${FAILED}`] },
		],
	],
	[
		'of more than 1,000 that come at once, it is told how many are not watched',
		[
			{ list: [], expected: [] },
			{
				list: MANY,
				at: 1,
				expected: MANY.map((one) => `${one.slice(0, -11)} ${ADDED}`).reverse(),
				givenUp: 2,
			},
		],
	],
])('%s', (_, polls) => {
	play(polls);
});

test('what is said of a document that is no longer listed is what was known of it', () => {
	const checkpoint = play([{ list: ['a@0 indexing'], expected: [] }]);
	const { changes } = changesSince(checkpoint, [], [], new Map([['a', 'failed']]), START_MS);
	expect(changes).toEqual([
		{
			event: FAILED,
			record: {
				uniqueId: 'a',
				sourceName: 'a.pdf',
				type: 'uploads',
				createdAt: START_MS,
				status: 'failed',
			},
		},
	]);
});

test.each<[string, string[], number[] | undefined]>([
	['all have one', ['b@1', 'a@0'], [1, 0]],
	['one has none', ['c@2', 'b', 'a@0'], [2, 0, 0]],
	['the first have none', ['d', 'c', 'b@1', 'a@0'], [1, 1, 1, 0]],
	['there are none', [], []],
	['none has one', ['b', 'a'], undefined],
])('times of creation: %s', (_, list, minutes) => {
	const expected = minutes?.map((minute) => START_MS + minute * MINUTE_MS);
	expect(creationTimes(list.map(recordOf))).toEqual(expected);
});

test('at the end of the list, one without a time of creation counts as long ago', () => {
	expect(creationTimes(['b@1', 'a'].map(recordOf))?.at(-1)).toBe(0);
});

test('a time of creation that is no number counts as none', () => {
	const odd = [NaN, Infinity, given('2026-01-31'), null];
	const list = odd.map((createdAt, at) => ({ uniqueId: given(`${at}`), createdAt }));
	expect(creationTimes(list)).toBeUndefined();
});
