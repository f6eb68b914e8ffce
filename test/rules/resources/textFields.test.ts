import {
	readTextWords,
	readTitle,
} from '../../../nodes/CometChatKnowledgeBase/resources/text/textFields';
import { refusal } from '../expectRefused';

test('a title of 500 and a text of 5000 characters are taken', () => {
	expect(readTitle('t'.repeat(500))).toBe('t'.repeat(500));
	expect(readTextWords('x'.repeat(5000))).toBe('x'.repeat(5000));
});

test.each<[string, () => unknown, string, string]>([
	['a longer title', () => readTitle('t'.repeat(501)), "'Title' has 501 characters", 'Shorten'],
	[
		'a longer text',
		() => readTextWords('x'.repeat(5001)),
		"'Text' has 5001 characters",
		"'Convert to File'",
	],
	['very much of nothing', () => readTitle(' '.repeat(501)), "'Title' has 501 char", 'Shorten'],
	['no title', () => readTitle(' '), "'Title' is empty", 'Give a text'],
	['no text', () => readTextWords(''), "'Text' is empty", 'Give a text'],
	['a text nobody can see', () => readTextWords('\u200b \u00ad'), "'Text' is empty", 'Give a text'],
	['a text that is none', () => readTextWords([1]), "'Text' is not a text", 'Give a text'],
])('%s is refused, with what to do', (_, read, what, hint) => {
	expect(refusal(read)).toMatchObject({
		title: expect.stringContaining(what),
		hint: expect.stringContaining(hint),
	});
});
