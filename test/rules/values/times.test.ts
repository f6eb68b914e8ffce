import { readTime, shownTime } from '../../../nodes/CometChatKnowledgeBase/values/times';
import { ValidationIssue } from '../../../nodes/CometChatKnowledgeBase/values/validationIssue';

const TIME = Date.UTC(2026, 10, 21, 14, 3);

test.each<[unknown, string, string | undefined]>([
	[TIME, 'Europe/Berlin', '21 Nov 2026, 15:03 CET'],
	[TIME, 'Asia/Tokyo', '21 Nov 2026, 23:03 GMT+9'],
	[Date.UTC(2026, 0, 31, 23, 59), 'Asia/Tokyo', '1 Feb 2026, 08:59 GMT+9'],
	// Neither is a time zone, though n8n may name them.
	[TIME, 'DEFAULT', '21 Nov 2026, 14:03 UTC'],
	[TIME, '', '21 Nov 2026, 14:03 UTC'],
	...['2026-11-21', undefined, null, NaN, 8.64e15 + 1].map(
		(value): [unknown, string, undefined] => [value, 'UTC', undefined],
	),
])('%p in %p is shown as %p', (value, timeZone, shown) => {
	expect(shownTime(value, timeZone)).toBe(shown);
});

describe('The time of a file', () => {
	test.each<[string, unknown]>([
		['ISO 8601 in UTC', '2026-11-21T14:03:00Z'],
		['with a zone', ' 2026-11-21T15:03:00.000+01:00'],
		['of a web server', 'Sat, 21 Nov 2026 14:03:00 GMT'],
		['in milliseconds', TIME],
		['in milliseconds as text', String(TIME)],
		['in seconds', TIME / 1000],
		['a date of JavaScript', new Date(TIME)],
	])('is read: %s', (_, value) => {
		expect(readTime(value, "'Modified'")).toBe(TIME);
	});

	test.each<[string, unknown]>([
		['nothing', undefined],
		['null', null],
		['an empty text', ''],
		['a text without a zone', '2026-11-21 14:03:00'],
		['a day', '2026-11-21'],
	])('is not known: %s', (_, value) => {
		expect(readTime(value, "'Modified'")).toBeUndefined();
	});

	test.each<[string, unknown]>([
		['words', 'yesterday'],
		['a switch', true],
		['an object', { date: TIME }],
		['a list', [TIME]],
		['a date that is none', new Date(NaN)],
	])('is refused: %s', (_, value) => {
		expect(readTime(value, "'Modified'")).toBeInstanceOf(ValidationIssue);
	});
});
