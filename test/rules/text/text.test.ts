import { findNothing, isNothing, readText } from '../../../nodes/CometChatKnowledgeBase/text/text';
import { refusal } from '../expectRefused';

const read = (value: unknown) => readText(value, "'Title'", 'Give a text.');

test.each<[unknown, string]>([
	['Opening hours', 'Opening hours'],
	['', ''],
	[' 7 ', ' 7 '],
	[2025, '2025'],
	[0, '0'],
	[-1.5, '-1.5'],
])('%j is the text %j', (value, text) => {
	expect(read(value)).toBe(text);
});

test.each<[unknown, string]>([
	[undefined, 'empty'],
	[null, 'empty'],
	[true, 'true, not text'],
	[false, 'false, not text'],
	[NaN, 'NaN, not text'],
	[Infinity, 'Infinity, not text'],
	[['a'], 'a list, not text'],
	[{ a: 1 }, 'an object, not text'],
	[new Date(0), 'an object, not text'],
	[10n, 'a bigint, not text'],
])('%p is refused with a message: it is %s', (value, what) => {
	expect(refusal(() => read(value))).toMatchObject({
		title: `'Title' is ${what}`,
		hint: 'Give a text.',
	});
});

describe('The text of an expression that found nothing', () => {
	test.each([
		'undefined',
		'null',
		'NaN',
		'[object Object]',
		'Invalid date',
		'Invalid DateTime',
		' null ',
	])('is no text: %j', (text) => {
		expect([isNothing(text), findNothing(`Offer ${text}.pdf`)]).toEqual([true, text.trim()]);
	});

	test.each(['None', 'Nan', 'Null', 'None of our rooms', 'undefined-ness of null', '', 'Invalid'])(
		'is not %j as a whole',
		(text) => {
			expect(isNothing(text)).toBe(false);
		},
	);

	test.each(['annulled', 'Nullable', 'undefinedX', 'nanometer', 'object Object', 'invalid date'])(
		'is not within %j',
		(text) => {
			expect(findNothing(text)).toBeUndefined();
		},
	);
});
