import fc from 'fast-check';

import { splitText } from '../../../nodes/CometChatKnowledgeBase/resources/text/splitText';

test.each<[string, string, string[]]>([
	[
		'as many whole paragraphs as there is room for',
		'aaaa aaaa\n\nbbb\n \n\ncccc cccc cccc\n\nddd',
		['aaaa aaaa\n\nbbb', 'cccc cccc cccc\n\nddd'],
	],
	[
		'a long paragraph at the end of a line',
		'aaaaaaaaaaaa\nbbb ccc ddd eee',
		['aaaaaaaaaaaa', 'bbb ccc ddd eee'],
	],
	['or of a sentence', 'Aaaa aaaa aa. Bbb ccc ddd.', ['Aaaa aaaa aa.', 'Bbb ccc ddd.']],
	['or of a word', 'aaaa bbbb cccc dddd eeee', ['aaaa bbbb cccc dddd', 'eeee']],
	['or where it has to be', 'a'.repeat(45), ['a'.repeat(20), 'a'.repeat(20), 'a'.repeat(5)]],
	['but in no character', `${'a'.repeat(19)}🙂\r\nb`, ['a'.repeat(19), '🙂\nb']],
	['and not after a few words', `I. ${'a'.repeat(30)}`, [`I. ${'a'.repeat(17)}`, 'a'.repeat(13)]],
])('A text is split: %s', (_, text, parts) => {
	expect(splitText(text, 20)).toEqual(parts);
});

const anyText = fc
	.array(
		fc.oneof(
			fc.constantFrom(...['\n\n', '\n', ' ', '. ', '   ', '\n \n', '🙂', '\r\n\r\n', '\t']),
			fc.integer({ min: 1, max: 60 }).map((length) => 'x'.repeat(length)),
		),
		{ maxLength: 80 },
	)
	.map((pieces) => pieces.join(''));

test('whatever the text: no part is empty or too long, and nothing but white space is lost', () => {
	fc.assert(
		fc.property(anyText, fc.integer({ min: 4, max: 50 }), (text, longest) => {
			const parts = splitText(text, longest);
			const bare = (one: string) => one.replace(/\s/g, '');
			expect(parts.map(bare).join('')).toBe(bare(text));
			for (const part of parts) {
				expect(part.length).toBeLessThanOrEqual(longest);
				expect(part === '' && parts.length > 1).toBe(false);
				expect(part).toBe(part.trim());
			}
		}),
		{ numRuns: 1000, seed: 1 },
	);
});
