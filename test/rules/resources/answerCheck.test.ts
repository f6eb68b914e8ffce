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
		['null', null, []],
		['one text', ' 9 to 5 ', ['9 to 5']],
		['a text a line', '9 to 5\r\n\n Monday, Friday ', ['9 to 5', 'Monday, Friday']],
		['a list', ['9', ' ', 5, null], ['9', '5']],
	])('%s is read', (_, value, expected) => {
		expect(readExpectedTexts(value)).toEqual(expected);
	});

	test.each([[{}], [true], [['9', {}]]])('%j is refused', (value) => {
		expectRefused(readExpectedTexts(value), "'Answer Must Contain'");
	});
});

describe('An answer lacks', () => {
	const answer = 'We are open from 9 TO 5,\nin Köln too.';

	test.each<['all' | 'one', string[], string[]]>([
		['all', [], []],
		['all', ['9 to 5', 'OPEN'], []],
		['all', ['9 to 5', 'Sunday', '10'], ['Sunday', '10']],
		['all', ['KO\u0308LN'], []],
		['all', ['a.*b', 'o.en'], ['a.*b', 'o.en']],
		['one', ['Sunday', '9 to 5'], []],
		['one', ['Sunday', '10'], ['Sunday', '10']],
	])('of %s of %j: %j', (mode, expected, missing) => {
		expect(lacking({ texts: texts(...expected), mode }, answer)).toEqual(missing);
	});
});
