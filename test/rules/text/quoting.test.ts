import {
	truncate,
	invisibleCharacter,
	quoted,
} from '../../../nodes/CometChatKnowledgeBase/text/quoting';

test.each([
	['as it is', 'a b-c', '"a b-c"'],
	['with what nobody sees spelled out', 'a\u200Bb\nc', '"a(U+200B)b(U+000A)c"'],
	['with half a character', 'a\uD800b', '"a(U+D800)b"'],
	['without what n8n would take for HTML', '<b>a</b>', '"‹b›a‹/b›"'],
	['cut behind them', 'a'.repeat(61), `"${'a'.repeat(60)}…"`],
])('A text from outside is quoted in a message %s', (_, text, expected) => {
	expect(quoted(text)).toBe(expected);
});

test('A text is never shortened within a character', () => {
	expect(truncate('ab\u{1F600}c', 3)).toBe('ab…');
	expect(truncate('ab\u{1F600}', 4)).toBe('ab\u{1F600}');
});

test.each([
	['the first of several', 'a\u200Bb\u0000', 'U+200B'],
	['one of four digits at least', '\t', 'U+0009'],
	['none in plain text, in a space or in an umlaut', 'ä b', undefined],
])('The invisible character: %s', (_, text, expected) => {
	expect(invisibleCharacter(text)).toBe(expected);
});
