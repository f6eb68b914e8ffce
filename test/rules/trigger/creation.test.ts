import { creationTimes } from '../../../nodes/CometChatKnowledgeBase/trigger/creation';
import { given } from '../../../nodes/CometChatKnowledgeBase/values/shown';

const START_MS = Date.UTC(2026, 0, 31, 12);
const MINUTE_MS = 60_000;

const listOf = (times: Array<string | number | null | undefined>) =>
	times.map((createdAt, at) => ({
		uniqueId: given(`${at}`),
		createdAt: typeof createdAt === 'string' ? given(createdAt) : createdAt,
	}));
const atMinute = (minute: number | undefined) =>
	minute === undefined ? undefined : START_MS + minute * MINUTE_MS;

test.each<[string, Array<number | undefined>, number[] | undefined]>([
	['all have one', [1, 0], [1, 0]],
	['one has none', [2, undefined, 0], [2, 0, 0]],
	['the first have none', [undefined, undefined, 1, 0], [1, 1, 1, 0]],
	['there are none', [], []],
	['none has one', [undefined, undefined], undefined],
])('times of creation: %s', (_, minutes, expected) => {
	expect(creationTimes(listOf(minutes.map(atMinute)))).toEqual(expected?.map(atMinute));
});

test('at the end of the list, one without a time of creation counts as long ago', () => {
	expect(creationTimes(listOf([START_MS, undefined]))).toEqual([START_MS, 0]);
});

test.each<[string, string | number | null]>([
	['no number', '2026-01-31'],
	['null', null],
	['not a number', NaN],
	['without end', Infinity],
	['negative', -START_MS],
	['0', 0],
	['of a time before there was a knowledge base', Date.UTC(2019, 11, 31)],
	['in seconds, the same', Date.UTC(2019, 11, 31) / 1000],
])('a time of creation that cannot be one counts as none: %s', (_, odd) => {
	expect(creationTimes(listOf([odd]))).toBeUndefined();
	expect(creationTimes(listOf([odd, START_MS]))).toEqual([START_MS, START_MS]);
});

test.each([Date.UTC(2020, 0), START_MS, Date.UTC(2100, 0)])(
	'a time of creation in seconds is the same as in milliseconds: %d',
	(ms) => {
		expect(creationTimes(listOf([ms / 1000]))).toEqual([ms]);
		expect(creationTimes(listOf([ms]))).toEqual([ms]);
	},
);
