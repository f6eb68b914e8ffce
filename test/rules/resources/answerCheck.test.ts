import {
	lacking,
	readExpectedTexts,
} from '../../../nodes/CometChatKnowledgeBase/resources/agent/answerCheck';
import { given } from '../../../nodes/CometChatKnowledgeBase/values/shown';
import { expectRefused } from '../expectRefused';

const texts = (...all: string[]) => all.map((text) => given(text));

describe('Answer Must Contain', () => {
	test.each<[string, unknown, string[]]>([
		['nothing', '', []],
		['white space', ' \n', []],
		['one text', ' 9 to 5 ', ['9 to 5']],
		['a text a line', '9 to 5\r\n\n Monday, Friday ', ['9 to 5', 'Monday, Friday']],
		['several in a cell', '9 to 5; Monday, Friday;', ['9 to 5', 'Monday, Friday']],
		['alternatives', '9 to 5 | 9–5|\nSunday', ['9 to 5|9–5', 'Sunday']],
		['a list', ['9;', ' ', 5, null], ['9;', '5']],
	])('%s is read', (_, value, expected) => {
		expect(readExpectedTexts(value, false)).toEqual(expected);
	});

	test.each([[{}], [true], [['9', {}]], ['|'], [';']])('%j is refused', (value) => {
		expectRefused(readExpectedTexts(value, false), "'Answer Must Contain'");
	});

	test.each([[''], [' '], [null], [undefined], [[]], [['']]])(
		'%j of an expression is refused: any answer would pass',
		(value) => {
			expectRefused(readExpectedTexts(value, true), 'any answer would pass');
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
		expect(lacking(texts(...expected), answer)).toEqual(missing);
	});
});
