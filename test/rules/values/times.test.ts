import { shownTime } from '../../../nodes/CometChatKnowledgeBase/values/times';

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
