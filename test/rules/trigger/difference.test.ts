import type { Document } from '../../../nodes/CometChatKnowledgeBase/api/documents';
import {
	withCreationTime,
	difference,
	firstState,
	readState,
	toAskFor,
} from '../../../nodes/CometChatKnowledgeBase/trigger/difference';
import type { State } from '../../../nodes/CometChatKnowledgeBase/trigger/difference';

const START_MS = Date.UTC(2026, 0, 31, 12);
const MINUTE_MS = 60_000;
const DAY = 24 * 60;

/** Makes a document: `b@3 indexing` was created in minute 3. */
function recordOf(text: string): Document {
	const [, uniqueId = '', minute, status] = /^(\w+)(?:@(-?[\d.]+))?(?: (\w+))?$/.exec(text) ?? [];
	const createdAt = minute === undefined ? undefined : START_MS + Number(minute) * MINUTE_MS;
	return {
		uniqueId: uniqueId,
		sourceName: `${uniqueId}.pdf`,
		type: 'uploads',
		status: status,
		createdAt,
	};
}

/** A poll: the list, newest first, and the statuses of the requested documents. */
interface Poll {
	list: string[];
	/** Left out: CometChat knows none of them. */
	says?: Record<string, string>;
	/** The IDs without a response. */
	silentOn?: string[];
	/** In minutes since the start. */
	at?: number;
	expected: string[];
	/** The IDs that the poll must request. */
	asks?: string[];
}

function play(polls: Poll[]): void {
	let state: State | undefined;
	for (const { list, says = {}, silentOn = [], at = 0, expected, asks = [] } of polls) {
		const nowMs = START_MS + at * MINUTE_MS;
		const listed = withCreationTime(list.map(recordOf));
		const before: State = state ?? firstState('account', { listed }, nowMs);
		expect(toAskFor(before, listed)).toEqual(asks);
		const statuses = new Map(
			asks.filter((id) => !silentOn.includes(id)).map((id) => [id, says[id] ?? 'notFound']),
		);
		const found = difference(before, { listed }, statuses, nowMs);
		expect(found.events.map(({ event, record }) => `${record.uniqueId} ${event}`)).toEqual(
			expected,
		);
		state = found.state;
	}
}

const ADDED = 'documentAdded';
const FAILED = 'indexingFailed';
const FINISHED = 'indexingFinished';
const STUCK = 'stuck';

/** The maximum number of watched documents, newest first. */
const thousand = (status: string) =>
	Array.from({ length: 1000 }, (_, at) => `t${at}@-${at / 100} ${status}`);

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
				asks: ['a', 'b', 'c'],
				says: { a: 'indexing' },
				silentOn: ['b', 'c'],
				expected: [],
			},
			{
				list: [],
				at: 2,
				asks: ['b', 'c', 'a'],
				says: { b: 'failed' },
				silentOn: ['c', 'a'],
				expected: [`b ${FAILED}`],
			},
			{
				list: [],
				at: 3,
				asks: ['c', 'a'],
				says: { a: 'indexed', c: 'indexed' },
				expected: [`c ${FINISHED}`, `a ${FINISHED}`],
			},
		],
	],
	[
		'one more than are watched is watched when it is seen once there is room',
		[
			{ list: thousand('indexing'), expected: [] },
			{
				list: ['y@2 failed', 'x@1 indexing', ...thousand('indexing')],
				at: 2,
				expected: [`x ${ADDED}`, `y ${ADDED}`, `y ${FAILED}`],
			},
			{ list: ['x@1 indexing', ...thousand('indexing')], at: 3, expected: [] },
			{
				list: ['x@1 indexing', ...thousand('indexed')],
				at: 4,
				expected: Array.from({ length: 1000 }, (_, at) => `t${999 - at} ${FINISHED}`),
			},
			{ list: ['x@1 failed'], at: 5, expected: [`x ${FAILED}`] },
		],
	],
	[
		'one that is not indexed after two hours is stuck, once, and its end is told all the same',
		[
			{ list: ['a@0 indexing'], expected: [] },
			{ list: ['a@0 indexing'], at: 119, expected: [] },
			{ list: ['a@0 indexing'], at: 120, expected: [`a ${STUCK}`] },
			{ list: ['a@0 indexing'], at: 999, expected: [] },
			{ list: ['a@0 failed'], at: 1000, expected: [`a ${FAILED}`] },
		],
	],
	[
		'one that CometChat does not answer for, or does not know, is not stuck',
		[
			{ list: ['b@0 indexing', 'a@0 indexing'], expected: [] },
			{ list: [], at: 120, asks: ['a', 'b'], silentOn: ['a'], expected: [] },
			{ list: [], at: 121, asks: ['a', 'b'], says: { a: 'queued' }, expected: [`a ${STUCK}`] },
		],
	],
	[
		'after seven days one is given up that the list does not show, whatever CometChat says of it',
		[
			{ list: ['b@0 indexing', 'a@0 indexing'], expected: [] },
			{
				list: ['b@0 indexing'],
				at: 7 * DAY,
				asks: ['a'],
				says: { a: 'indexing' },
				expected: [`a ${STUCK}`, `b ${STUCK}`],
			},
			{ list: ['b@0 indexing'], at: 7 * DAY + 1, asks: ['a'], silentOn: ['a'], expected: [] },
			{ list: ['b@0 queued'], at: 7 * DAY + 2, asks: ['b'], expected: [] },
			{ list: ['b@0 indexed'], at: 7 * DAY + 3, expected: [`b ${FINISHED}`] },
		],
	],
	[
		'a document that one answer leaves out is still watched',
		[
			{ list: ['a@0 indexing'], expected: [] },
			{ list: [], at: 1, asks: ['a'], expected: [] },
			{ list: [], at: 2, asks: ['a'], says: { a: 'indexing' }, expected: [] },
			{ list: [], at: 3, asks: ['a'], expected: [] },
			{ list: [], at: 4, asks: ['a'], says: { a: 'failed' }, expected: [`a ${FAILED}`] },
		],
	],
	[
		'a document that two answers in a row leave out is deleted; one that the list has left out is not new',
		[
			{ list: ['c@1 failed', 'b@0 indexing', 'a@-15 failed'], expected: [] },
			{ list: ['c@1 failed'], at: 1, asks: ['b'], expected: [] },
			{ list: [], at: 1.5, asks: ['b'], expected: [] },
			{ list: [], at: 2, expected: [] },
			{ list: ['c@1 failed', 'b@0 failed', 'a@-15 failed'], at: 3, expected: [] },
		],
	],
	[
		'of more than 500 in a quarter of an hour, those behind the newest 500 are known all the same',
		[
			{ list: thousand('failed'), expected: [] },
			{
				list: ['x@1 failed', ...thousand('failed').slice(0, 501)],
				at: 1,
				expected: [`x ${ADDED}`, `x ${FAILED}`],
			},
		],
	],
])('%s', (_, polls) => {
	play(polls);
});

const ACCOUNT = 'https://app.api-us.cometchat.io/v3';

const RECORD = {
	uniqueId: 'a',
	sourceName: 'a.pdf',
	type: 'uploads',
	createdAt: 1,
};
const STATE: State = {
	account: ACCOUNT,
	sinceMs: START_MS,
	seen: [['a', START_MS]],
	watched: [
		{ record: RECORD, sinceMs: START_MS, isStuck: true },
		{ record: { uniqueId: 'b' }, sinceMs: START_MS },
	],
};

test('the next poll continues with the state of the last poll, after n8n has saved it as JSON', () => {
	expect(readState(JSON.stringify(STATE), ACCOUNT)).toEqual(STATE);
});

test.each<[string, unknown]>([
	['nothing', undefined],
	['no state', 'state'],
	['of another account', { ...STATE, account: 'https://other.api-us.cometchat.io/v3' }],
	['of no time', { ...STATE, sinceMs: null }],
	['with a document without a time', { ...STATE, seen: [['a']] }],
	['with a document without an ID', { ...STATE, seen: [[1, START_MS]] }],
	['without what is watched', { ...STATE, watched: {} }],
	['with something watched that is none', { ...STATE, watched: [null] }],
	['with nothing to be said of it', { ...STATE, watched: [{ sinceMs: START_MS }] }],
	['watched since nobody knows when', { ...STATE, watched: [{ record: RECORD }] }],
	['watched without an ID', { ...STATE, watched: [{ record: {}, sinceMs: START_MS }] }],
])('a state that does not belong to this account is replaced completely: %s', (_, state) => {
	expect(readState(JSON.stringify(state), ACCOUNT)).toBeUndefined();
});
