import type {
	Checkpoint,
	Known,
	Unfinished,
} from '../../../nodes/CometChatKnowledgeBase/trigger/checkpoint';
import {
	areTooManyToCome,
	emptyCheckpoint,
	nextCheckpoint,
} from '../../../nodes/CometChatKnowledgeBase/trigger/checkpoint';
import { given } from '../../../nodes/CometChatKnowledgeBase/values/shown';

const ACCOUNT = 'https://app.api-us.cometchat.io/v3';
const NOW_MS = Date.UTC(2026, 0, 31, 12);
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const minutesAgo = (minutes: number, id = `${minutes} minutes ago`): Known => ({
	id,
	createdMs: NOW_MS - minutes * MINUTE_MS,
});
const NOTHING: Checkpoint = {
	account: ACCOUNT,
	floorMs: 0,
	recent: [],
	unfinished: [],
	askFrom: 0,
};
const listedOf = (known: Known[]) => ({
	records: known.map(({ id }) => ({ uniqueId: given(id) })),
	times: known.map(({ createdMs }) => createdMs),
	asOfMs: NOW_MS,
});
const afterSeeing = (known: Known[], before = NOTHING) =>
	nextCheckpoint(before, listedOf(known), []).next;
/** Ten seconds apart, newest first. */
const fiveFrom = (minutes: number) =>
	Array.from({ length: 5 }, (_, at) => minutesAgo(minutes + at / 6, `${minutes}.${at}`));
const named = ({ recent }: Checkpoint) => recent.map(({ id }) => id);

test('what was created from a quarter of an hour before the fifth newest on is remembered by its IDs, the rest by one time', () => {
	const others = [minutesAgo(19, 'a'), minutesAgo(5 + 4 / 6 + 15.1, 'b'), minutesAgo(300, 'c')];
	const next = afterSeeing([...fiveFrom(5), ...others]);
	expect(named(next)).toEqual([...fiveFrom(5).map(({ id }) => id), 'a']);
	expect(next.floorMs).toBe(NOW_MS - (5 + 4 / 6 + 15) * MINUTE_MS);
});

test.each<[string, Known[], number]>([
	['the list is empty', [], 20],
	['the newest were deleted', [minutesAgo(100)], 20],
	['there are newer ones', [2, 2, 2, 2, 3].map((ago, at) => minutesAgo(ago, `${at}`)), 18],
	['one of them is to come', [{ id: 'x', createdMs: NOW_MS * 1000 }, ...fiveFrom(2)], 17 + 4 / 6],
	['all of them are to come', [{ id: 'x', createdMs: NOW_MS + 1 }], 15],
])('the time until which all is known never goes back: %s', (_, known, floor) => {
	const before = { ...NOTHING, floorMs: NOW_MS - 20 * MINUTE_MS };
	const { floorMs } = afterSeeing(known, before);
	expect((NOW_MS - floorMs) / MINUTE_MS).toBeCloseTo(floor, 6);
});

test('but to the present, if a wrong clock has put it into the future', () => {
	const { floorMs } = afterSeeing([], { ...NOTHING, floorMs: NOW_MS + DAY_MS });
	expect(floorMs).toBe(NOW_MS);
});

test('those to come are remembered by their IDs, 2,000 at most, and move nothing as long as they are no more', () => {
	const toCome = (count: number) =>
		Array.from({ length: count }, (_, at) => minutesAgo(at - count, `${at}`));
	const few = afterSeeing([...toCome(2000), ...fiveFrom(5)]);
	expect(few.recent).toHaveLength(2005);
	expect(few.floorMs).toBe(NOW_MS - (5 + 4 / 6 + 15) * MINUTE_MS);
	const many = afterSeeing([...toCome(2003), ...fiveFrom(5)]);
	expect(many.recent).toHaveLength(2000);
	expect(many.floorMs).toBe(NOW_MS + 3 * MINUTE_MS);
});

test.each<[string, number, number, boolean]>([
	['2,000 that are dated two days ahead', 2000, 2 * DAY_MS, false],
	['2,001 of them', 2001, 2 * DAY_MS, true],
	['2,001 by a clock that is up to a day off', 2001, DAY_MS, false],
])('so many cannot be told from what comes after them: %s', (_, count, aheadMs, expected) => {
	const times = [...Array<number>(count).fill(NOW_MS + aheadMs), NOW_MS];
	expect(areTooManyToCome({ times, asOfMs: NOW_MS })).toBe(expected);
});

test('what the list does not show for once is known all the same', () => {
	const before = afterSeeing([minutesAgo(5), minutesAgo(6)]);
	expect(named(afterSeeing([minutesAgo(4)], before))).toEqual([
		'4 minutes ago',
		'5 minutes ago',
		'6 minutes ago',
	]);
});

test.each<[string, number[], boolean, number]>([
	[
		'of an empty account the last day is new, should its list have been empty by mistake',
		[],
		true,
		NOW_MS - DAY_MS,
	],
	['of a list that was read to its end, what is not on it', [3, 2, 1], true, 0],
	['of one that goes on, what it has shown', [3, 2, 1], false, 1],
])('before the first poll, known is all but this: %s', (_, times, isWhole, floorMs) => {
	expect(emptyCheckpoint(ACCOUNT, { times, asOfMs: NOW_MS, isWhole }).floorMs).toBe(floorMs);
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

test('at most 10,000 documents are watched: those that were there first, and it is told which are not', () => {
	const unfinished: Unfinished[] = Array.from({ length: 10_003 }, (_, at) => {
		return { record: { uniqueId: given(`${at}`) }, sinceMs: at };
	});
	const { next, tooMany } = nextCheckpoint(NOTHING, listedOf([]), unfinished);
	expect(next.unfinished).toEqual(unfinished.slice(0, 10_000));
	expect(tooMany).toEqual(unfinished.slice(10_000));
});
