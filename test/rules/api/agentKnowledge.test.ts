import { agentPicker, readSourceType } from '../../../nodes/CometChatKnowledgeBase/fields/fields';
import { knowledgeRequest } from '../../../nodes/CometChatKnowledgeBase/api/agents';
import { refusal } from '../expectRefused';

const { read: readUid } = agentPicker();

describe('A value in the path stays one part of it', () => {
	test.each<[string, unknown, string]>([
		['a space', 'a b', 'a%20b'],
		['dots at its end', 'a..', 'a..'],
		['a dot and a parameter behind it', 'a.;b', 'a.%3Bb'],
		['another alphabet', 'агент', encodeURIComponent('агент')],
		['a climb', '../../v2/users', '..%2F..%2Fv2%2Fusers'],
		['what a gateway may decode', '%2e%2e', '%252e%252e'],
		['a backslash', 'a\\b', 'a%5Cb'],
		['wide dots', '．．', encodeURIComponent('．．')],
		['white space around it', '  a-1\n', 'a-1'],
		['a whole number', 42, '42'],
		['as many characters as are allowed', 'a'.repeat(255), 'a'.repeat(255)],
	])('%s is encoded', (_, value, encoded) => {
		const uid = readUid({ mode: 'id', value });
		const sourceType = readSourceType(value);
		const { url } = knowledgeRequest({ operation: 'add', uid, sourceType, uniqueIds: ['x'] });
		expect(url).toBe(`/ai-agents/agent-builder/agents/${encoded}/knowledge-base/${encoded}/add`);
	});

	test.each<[string, unknown]>([
		['a dot', '.'],
		['two dots with white space around', ' ..\t'],
		['a line break', 'a\nb'],
		['a zero-width space', 'a\u200bb'],
		['more than any ID has', 'a'.repeat(256)],
		['nothing', ''],
		['null', null],
		['a list', ['a']],
		['a negative number', -1],
		['a fraction', 1.5],
		['a number that has lost digits', 2 ** 53],
	])('%s is refused with a message', (_, value) => {
		expect(refusal(() => readUid(value))).toMatchObject({
			title: expect.stringMatching(/^'Agent' /),
		});
		expect(refusal(() => readSourceType(value))).toMatchObject({
			title: expect.stringMatching(/^'Source Type' /),
		});
	});

	test('the message names the value and the advice', () => {
		expect(refusal(() => readUid('a\u200bb'))).toMatchObject({
			title: `'Agent' is "a(U+200B)b", which is not an ID`,
			hint: 'Choose the agent from the list, or enter the ID.',
		});
	});
});

describe("Agent and Operation are read from n8n's values", () => {
	test.each<[string, unknown, string]>([
		['picked from the list', { __rl: true, mode: 'list', value: 'a-1' }, 'a-1'],
		['a number from an expression', { __rl: true, mode: 'id', value: 7 }, '7'],
		['a text in place of the locator', 'a-1', 'a-1'],
	])('%s', (_, value, uid) => {
		expect(readUid(value)).toBe(uid);
	});
});
