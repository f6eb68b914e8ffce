import {
	missingTexts,
	readExpectedTexts,
} from '../../../nodes/CometChatKnowledgeBase/resources/agent/answerCheck';
import { expectRefused } from '../expectRefused';

const texts = (...all: string[]) => all;

describe('Answer Must Contain', () => {
	test.each<[string, unknown, string[]]>([
		['nothing', '', []],
		['white space', ' \n', []],
		['one text', ' 9 to 5 ', ['9 to 5']],
		['a text a line', '9 to 5\r\n\n Monday, Friday ', ['9 to 5', 'Monday, Friday']],
		['several in a cell', '9 to 5; Monday, Friday;', ['9 to 5', 'Monday, Friday']],
		['alternatives', '9 to 5 | 9–5|\nSunday', ['9 to 5|9–5', 'Sunday']],
		['a list', ['9;', ' ', 5, null], ['9;', '5']],
		['what no reader sees', '\u200b\n**\n9\u200b', ['9\u200b']],
	])('%s is read', (_, value, expected) => {
		expect(readExpectedTexts(value, false)).toEqual(expected);
	});

	test.each([[{}], [true], [['9', {}]], ['|'], [';'], ['\u200b'], ['**']])(
		'%j is refused',
		(value) => {
			expectRefused(() => readExpectedTexts(value, false), "'Answer Must Contain'");
		},
	);

	test.each([
		['a text', '\n'.repeat(10_001)],
		['a list', Array(5001).fill('9')],
	])('%s that is very long is refused before it is split', (_, value) => {
		expectRefused(() => readExpectedTexts(value, true), 'too long');
	});

	test.each([[''], [' '], [null], [undefined], [[]], [['']], ['\u00ad']])(
		'%j of an expression is refused: every answer would pass',
		(value) => {
			expectRefused(() => readExpectedTexts(value, true), 'every answer would pass');
		},
	);
});

describe('An answer lacks', () => {
	const answer = 'We are open from 9 TO 5,\nin Köln too.';

	test.each<[string[], string[]]>([
		[[], []],
		[['9 to 5', 'OPEN'], []],
		[
			['9 to 5', 'Sunday', '10'],
			['Sunday', '10'],
		],
		[['KO\u0308LN'], []],
		[
			['a.*b', 'o.en'],
			['a.*b', 'o.en'],
		],
		[['9–5|9 to 5', 'Sunday|Saturday'], ['Sunday|Saturday']],
	])('of %j: %j', (expected, missing) => {
		expect(missingTexts(texts(...expected), answer)).toEqual(missing);
	});
});

test.each<[string, string, string]>([
	['apostrophes', "It's the boss' day", 'It’s the boss‘ day'],
	['quotation marks', 'a "table" or "tray"', 'a “table” or „tray‟'],
	['dashes', '9-5 - or 10-14', '9–5 — or 10\u201114'],
	['minus signs', '-4 °C', '\u22124 °C'],
	['ß and SS', 'STRASSE', 'Straße'],
	['ẞ and ss', 'strasse', 'STRAẞE'],
	['Turkish letters', 'istanbul, yildiz', 'İstanbul, yıldız'],
	['Greek letters at the end', 'ΟΔΟΣ Α', 'οδος α'],
	['marks of Markdown', '10 to 14 or _all_ day', '**10** to __14__ or `all` *day*'],
	['soft hyphens', 'opening hours', 'open\u00ading hours'],
	['characters without a width', 'opening hours', '\ufeffopen\u200bing\u2060 hours'],
	['both forms of a letter', 'KO\u0308LN', 'Köln'],
	['a letter with a hidden character in it', 'Köln', 'Ko\u200b\u0308ln'],
	['white space', '9 a.m. to 5', '9\u202fa.m.\n\u00a0to 5'],
])('%s look the same to a reader, and are the same for the check', (_, one, other) => {
	expect(missingTexts(texts(one), `x ${other} y`)).toEqual([]);
	expect(missingTexts(texts(other), `x ${one} y`)).toEqual([]);
});

test.each([
	['10', '1-0'],
	['9-5', '9 5'],
	['10\u00b2', '102'],
	['naive', 'naïve'],
	['9.5', '9,5'],
])('%s and %s are not', (one, other) => {
	expect(missingTexts(texts(one), other)).toEqual([one]);
});

test.each([
	['10 €', 'It costs 110 €.', false],
	['10 €', 'It costs 1.10 €.', false],
	['10', '10,50 €', false],
	['10 €', 'It costs 10 €, or (10 €).', true],
	['5 days', 'Within 15 days', false],
	['5 days', 'In 5 days.', true],
	['no', 'I know', false],
	['No', 'No, we are closed', true],
	['open', 'The opening hours', false],
	['10', '10km', true],
	['営業', '本日営業中', true],
	['مدرسة', 'المدرسة', true],
])('a number, and a word in Latin script, is found whole: %s in "%s": %s', (text, answer, isIn) => {
	expect(missingTexts(texts(text), answer)).toEqual(isIn ? [] : [text]);
});
