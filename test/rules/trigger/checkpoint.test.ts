import type {
	Checkpoint,
	Known,
	Unfinished,
} from '../../../nodes/CometChatKnowledgeBase/trigger/checkpoint';
import {
	emptyCheckpoint,
	nextCheckpoint,
	readCheckpoint,
} from '../../../nodes/CometChatKnowledgeBase/trigger/checkpoint';
import { given } from '../../../nodes/CometChatKnowledgeBase/values/shown';

const ACCOUNT = 'https://app.api-us.cometchat.io/v3';
const NOW_MS = Date.UTC(2026, 0, 31, 12);
const MINUTE_MS = 60_000;

const good = {
	version: 1,
	account: ACCOUNT,
	floorMs: NOW_MS,
	recent: [{ id: 'a', createdMs: NOW_MS }],
	unfinished: [{ record: { uniqueId: 'a', sourceName: 'a.pdf', createdAt: 1 }, sinceMs: NOW_MS }],
};

test('what a poll has left is taken up by the next one, also after n8n has kept it as JSON', () => {
	expect(readCheckpoint(JSON.parse(JSON.stringify(good)), ACCOUNT)).toEqual(good);
	const least = { record: { uniqueId: 'a' }, sinceMs: NOW_MS };
	expect(readCheckpoint({ ...good, recent: [], unfinished: [least] }, ACCOUNT)).toBeDefined();
});

test.each<[string, unknown]>([
	['nothing', undefined],
	['a text', 'checkpoint'],
	['a list', [good]],
	['of another version', { ...good, version: 2 }],
	['of another account', { ...good, account: 'https://other.api-us.cometchat.io/v3' }],
	['without an account', { ...good, account: undefined }],
	['without a floor', { ...good, floorMs: null }],
	['with a floor that JSON does not know', { ...good, floorMs: Infinity }],
	['without what is known', { ...good, recent: undefined }],
	['with an ID that is none', { ...good, recent: [{ id: '', createdMs: 1 }] }],
	['with a document without a time', { ...good, recent: [{ id: 'a' }] }],
	['with nothing in place of a document', { ...good, recent: [null] }],
	['without what is unfinished', { ...good, unfinished: {} }],
	['with something unfinished that is none', { ...good, unfinished: ['a'] }],
	['with nothing in place of it', { ...good, unfinished: [null] }],
	['with something unfinished that is no document', { ...good, unfinished: [{ sinceMs: 1 }] }],
	[
		'with something unfinished without an ID',
		{ ...good, unfinished: [{ record: {}, sinceMs: 1 }] },
	],
	[
		'with something unfinished without a time',
		{ ...good, unfinished: [{ record: { uniqueId: 'a' } }] },
	],
	[
		'with a name that is none',
		{ ...good, unfinished: [{ record: { uniqueId: 'a', sourceName: 7 }, sinceMs: 1 }] },
	],
	[
		'with a time of creation that is none',
		{ ...good, unfinished: [{ record: { uniqueId: 'a', createdAt: 'now' }, sinceMs: 1 }] },
	],
])('a state that is no checkpoint of this account is begun afresh, whole: %s', (_, state) => {
	expect(readCheckpoint(state, ACCOUNT)).toBeUndefined();
});

const minutesAgo = (minutes: number, id = `${minutes} minutes ago`): Known => ({
	id,
	createdMs: NOW_MS - minutes * MINUTE_MS,
});
const afterSeeing = (known: Known[], before = emptyCheckpoint(ACCOUNT, false, NOW_MS)) =>
	nextCheckpoint(before, known, [], NOW_MS).next;
const named = ({ recent }: Checkpoint) => recent.map(({ id }) => id);

test('the quarter of an hour before the newest document is remembered by its IDs, the rest by one time', () => {
	const next = afterSeeing([minutesAgo(20), minutesAgo(5), minutesAgo(19), minutesAgo(300)]);
	expect(named(next)).toEqual(['5 minutes ago', '19 minutes ago']);
	expect(next.floorMs).toBe(NOW_MS - 20 * MINUTE_MS);
});

test.each<[string, Known[], number]>([
	['the list is empty', [], 20],
	['the newest were deleted', [minutesAgo(100)], 20],
	['there are newer ones', [minutesAgo(3)], 18],
	['one comes from a clock that is wrong', [{ id: 'x', createdMs: NOW_MS * 1000 }], 15],
])(
	'the time until which all is known never goes back, nor ahead of our clock: %s',
	(_, known, floor) => {
		const before = afterSeeing([minutesAgo(5), minutesAgo(19)]);
		const { floorMs } = afterSeeing(known, before);
		expect((NOW_MS - floorMs) / MINUTE_MS).toBe(floor);
	},
);

test('what the list does not show for once is known all the same', () => {
	const before = afterSeeing([minutesAgo(5), minutesAgo(6)]);
	expect(named(afterSeeing([minutesAgo(4)], before))).toEqual([
		'4 minutes ago',
		'5 minutes ago',
		'6 minutes ago',
	]);
});

test('of an empty account the last day is new, should its list have been empty by mistake', () => {
	const { floorMs } = nextCheckpoint(emptyCheckpoint(ACCOUNT, true, NOW_MS), [], [], NOW_MS).next;
	expect(floorMs).toBe(NOW_MS - 24 * 60 * MINUTE_MS);
});

test.each<[string, (at: number) => number]>([
	['a millisecond apart', (at) => NOW_MS - at],
	['of one millisecond', () => NOW_MS],
	['in pairs', (at) => NOW_MS - Math.floor(at / 2)],
])(
	'at most 500 IDs are remembered, however many come at once, and none is unknown: %s',
	(_, timeOf) => {
		const known = Array.from({ length: 3000 }, (__, at) => ({
			id: `${at}`,
			createdMs: timeOf(at),
		}));
		const next = afterSeeing(known);
		const ids = new Set(named(next));
		expect(ids.size).toBeLessThanOrEqual(500);
		const unknown = known.filter(({ id, createdMs }) => createdMs > next.floorMs && !ids.has(id));
		expect(unknown).toEqual([]);
	},
);

test('at most 1,000 documents are watched: those that were there first, and it is told which are not', () => {
	const unfinished: Unfinished[] = Array.from({ length: 1003 }, (_, at) => {
		return { record: { uniqueId: given(`${at}`) }, sinceMs: at };
	});
	const { next, tooMany } = nextCheckpoint(
		emptyCheckpoint(ACCOUNT, false, NOW_MS),
		[],
		unfinished,
		NOW_MS,
	);
	expect(next.unfinished).toEqual(unfinished.slice(0, 1000));
	expect(tooMany).toEqual(unfinished.slice(1000));
});

test('with a million documents in an account, a checkpoint has less than 250 KB', () => {
	const id = (at: number) => `550e8400-e29b-41d4-a716-${String(at).padStart(12, '0')}`;
	const known = Array.from({ length: 1_000_000 }, (_, at) => ({
		id: id(at),
		createdMs: NOW_MS - at,
	}));
	const unfinished = known.slice(0, 2000).map(({ id: uniqueId, createdMs: createdAt }) => {
		const record = {
			uniqueId: given(uniqueId),
			sourceName: given('n'.repeat(60)),
			type: 'text-details' as const,
			createdAt,
		};
		return { record, sinceMs: NOW_MS };
	});
	const before = emptyCheckpoint(ACCOUNT, false, NOW_MS);
	const { next } = nextCheckpoint(before, known, unfinished, NOW_MS);
	expect(JSON.stringify(next).length).toBeLessThan(250_000);
});
