import { parseTime, shownTime } from '../../../nodes/CometChatKnowledgeBase/text/times';
import { toResultSync, UserError } from '../../../nodes/CometChatKnowledgeBase/text/failure';

const TIME = Date.UTC(2026, 10, 21, 14, 3);

test.each<[unknown, string, string | undefined]>([
	[TIME, 'Europe/Berlin', '21 Nov 2026, 15:03 CET'],
	// In seconds.
	[TIME / 1000, 'UTC', '21 Nov 2026, 14:03 UTC'],
	[Date.UTC(2026, 0, 31, 23, 59), 'Asia/Tokyo', '1 Feb 2026, 08:59 GMT+9'],
	// Unknown time zones, which n8n may return.
	[TIME, 'DEFAULT', '21 Nov 2026, 14:03 UTC'],
	[TIME, '', '21 Nov 2026, 14:03 UTC'],
	['2026-11-21', 'UTC', undefined],
	[8.64e15 + 1, 'UTC', undefined],
])('%p in %p is shown as %p', (value, timeZone, shown) => {
	expect(shownTime(value, timeZone)).toBe(shown);
});

const issue = expect.any(UserError);
test.each<[unknown, unknown]>([
	['2026-11-21T14:03:00Z', TIME],
	[' 2026-11-21T15:03:00.000+01:00', TIME],
	['Sat, 21 Nov 2026 14:03:00 GMT', TIME],
	[TIME, TIME],
	[String(TIME), TIME],
	[TIME / 1000, TIME],
	[new Date(TIME), TIME],
	[undefined, undefined],
	['', undefined],
	// Without a zone: in the workflow's zone.
	['2026-11-21 15:03:00', TIME],
	['2026-11-21', Date.UTC(2026, 10, 20, 23)],
	['0001-01-01T00:00:00Z', expect.any(Number)],
	['yesterday', issue],
	[{ date: TIME }, issue],
	[new Date(NaN), issue],
	[true, issue],
	// A date of a spreadsheet.
	[45989.58, issue],
	['45989.58', issue],
])('The time %p of a file is read as %p', (value, time) => {
	expect(toResultSync(() => parseTime(value, "'Modified'", 'Europe/Berlin'))).toEqual(time);
});

test('A refused time is shown', () => {
	const refusal = toResultSync(() => parseTime('45989.58', "'Last Modified'", 'UTC'));
	expect(refusal).toMatchObject({ title: `'Last Modified' is not a time: "45989.58"` });
});
