import { agentPicker, readSourceType } from '../../nodes/CometChatKnowledgeBase/fields/fields';
import { Redaction } from '../../nodes/CometChatKnowledgeBase/http/redaction';
import { FILE_IDS, readIds } from '../../nodes/CometChatKnowledgeBase/fields/ids';
import type { ServiceResponse } from '../../nodes/CometChatKnowledgeBase/http/attemptResult';
import { connectionOf } from '../../nodes/CometChatKnowledgeBase/http/attemptResult';
import { invisibleCharacter, quoted } from '../../nodes/CometChatKnowledgeBase/text/quoting';
import { toResultSync, UserError } from '../../nodes/CometChatKnowledgeBase/text/failure';
import { apiErrorOf } from './apiErrorOf';
import { expectInWords, MOST_CHARACTERS } from './expectRefused';

const { read: readUid } = agentPicker();

/*
 * For all rooms that read texts; other hostile values are in their own folders. Nothing is timed here: an endless
 * match reaches Jest's limit.
 */

describe('A text that is bad for regular expressions is read like any other', () => {
	const key = '0123456789abcdef'.repeat(3).slice(0, 40);
	const account = { baseUrl: 'https://app.api-us.cometchat.io/v3', apiKey: key };
	const redaction = new Redaction(account);
	const answer = (body: unknown): ServiceResponse => ({
		kind: 'response',
		status: 400,
		headers: {},
		body: redaction.json(body),
	});

	const texts = (length: number): Array<[string, string]> => [
		['invisible characters', '\u200b'.repeat(length)],
		['control characters', '\u0000'.repeat(length)],
		['whole characters beyond the first plane', '🙂'.repeat(length)],
		['dots, and then a letter', `${'.'.repeat(length)}a`],
		['steps out of a folder', '../'.repeat(length / 3)],
		['steps that are encoded again and again', `%${'25'.repeat(length / 2)}2e`],
		['white space between letters', `a${' '.repeat(length)}b`],
		['braces', '{'.repeat(length)],
		['backslashes in a bracket', `["${'\\'.repeat(length)}`],
		['letters that become eighteen each', '\ufdfa'.repeat(length)],
		['accents on one letter', `a${'\u0301'.repeat(length)}`],
		['titles that never end', '<title'.repeat(length / 6)],
		['a tag behind white space', `${' '.repeat(length)}<`],
		['starts of the key', key.slice(0, 4).repeat(length / 4)],
		['keys without their ends', key.slice(0, -1).repeat(length / key.length)],
		['the word timeout, almost', 'timeou'.repeat(length / 6)],
	];

	test.each(texts(2_000_000))('%s', (_, text) => {
		for (const value of [text, [text]]) {
			const found = toResultSync(() => readIds(value, FILE_IDS));
			if (found instanceof UserError) expectInWords(found, "'File IDs'");
		}
		for (const [read, label] of [
			[() => readUid(text), "'Agent'"],
			[() => readSourceType(text), "'Source Type'"],
		] as const) {
			const found = toResultSync<unknown>(read);
			if (found instanceof UserError) expectInWords(found, label);
			if (typeof found === 'string') expect(found.length).toBeLessThanOrEqual(255);
		}
		expect(quoted(text).length).toBeLessThan(MOST_CHARACTERS);
		expect((invisibleCharacter(text) ?? '').length).toBeLessThan(10);
		for (const body of [
			text,
			{ message: text },
			{ message: [text, text] },
			{ error: { code: text } },
		]) {
			const { detail = '', code } = apiErrorOf(answer(body)).more;
			expect(detail.length).toBeLessThan(MOST_CHARACTERS);
			expect(detail).not.toContain(key.slice(0, 20));
			expect(detail).not.toMatch(/[<>\p{Cc}\p{Cf}\p{Cs}]/u);
			expect((code ?? '').length).toBeLessThanOrEqual(80);
		}
		const networkFailure = apiErrorOf({ kind: 'network failure', code: 'ECONNRESET', text });
		expect(networkFailure.more.detail?.length).toBeLessThan(MOST_CHARACTERS);
		expect(redaction.text(text)).not.toContain(key);
		expect(connectionOf({ kind: 'network failure', code: text, text })).toBeUndefined();
	});
});
