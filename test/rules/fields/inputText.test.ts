import { createHash } from 'node:crypto';

import { toTextFile } from '../../../nodes/CometChatKnowledgeBase/fields/inputText';
import { NoAcceptedFile } from '../../../nodes/CometChatKnowledgeBase/fields/neverAccepted';
import { expectInWords, refusal } from '../expectRefused';

const make = (name: string, text: unknown, startsWithName = false) =>
	toTextFile(name, text, startsWithName);
const called = (name: string) => make(name, 'Yes.').fileName;

test.each([
	['How do I open a .pdf', 'How do I open a .pdf.txt'],
	['What is Node.js?', 'What is Node.js?.txt'],
	['Terms etc.', 'Terms etc.txt'],
	['.NET support', '.NET support.txt'],
	['Read me.md', 'Read me.md'],
	['prices.CSV', 'prices.csv'],
	['notes.txt ', 'notes.txt'],
	[' How\r\n do\tI  pay? ', 'How do I pay?.txt'],
	['A\u0000B', 'A B.txt'],
	['Co\u00ADoperate\u200B \uFEFF\u202E\u2066now', 'Cooperate now.txt'],
	[
		'\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645',
		'\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645.txt',
	],
	['Family \u{1F468}\u200D\u{1F469}', 'Family \u{1F468}\u200D\u{1F469}.txt'],
	['Half \uD83D', 'Half.txt'],
	['Mu\u0308ller', 'M\u00fcller.txt'],
	['Price/performance \\ value', 'Price-performance - value.txt'],
])('The document %j is called %j', (name, fileName) => {
	expect(called(name)).toBe(fileName);
});

const long = 'word '.repeat(60);

test.each([
	['after a word', long, `${'word '.repeat(39).trim()}.txt`],
	['and keeps its extension', `${long.trim()}.md`, `${'word '.repeat(39).trim()}.md`],
	['within a long word', `A ${'x'.repeat(300)}`, `A ${'x'.repeat(194)}.txt`],
	[
		'and no character is cut in two',
		'x'.repeat(195) + '\u{1F600}'.repeat(9),
		`${'x'.repeat(195)}.txt`,
	],
])('A name of more than 200 characters is cut %s', (_, name, fileName) => {
	expect(called(name)).toBe(fileName);
	expect(fileName.length).toBeLessThanOrEqual(200);
});

test('A name of 200 characters stays', () => {
	const name = `${'word '.repeat(39)}w.txt`;
	expect([name.length, called(name)]).toEqual([200, name]);
});

test.each(['???', '/', '\u{1F600}', ' - .txt'])('The name %j identifies no document', (name) => {
	const refused = refusal(() => called(name));
	expect(refused?.title).toMatch(/^'Document Name' is "/);
	expect(refused?.more.fileName).toBeUndefined();
});

test.each([
	['How do I pay?', 'How do I pay?\n\nYes.', 'text/plain'],
	['Price/value.md', '# Price/value\n\nYes.', 'text/markdown'],
	['prices.csv', 'Yes.', 'text/csv'],
])('%s starts with its name as a heading: %j', (name, content, mimeType) => {
	const file = make(name, 'Yes.', true);
	expect(file).toMatchObject({ content, mimeType, fileSize: content.length });
});

test('The content stays as it is, in UTF-8 and without a byte order mark', () => {
	const content = ' \u00dc\r\n\u4FA1\u683C\n';
	const file = make('a', `\uFEFF${content}`);
	const sha256 = createHash('sha256').update(Buffer.from(content, 'utf8')).digest('base64url');
	expect(file).toMatchObject({ content, sha256, fileSize: 12, remarks: [] });
});

test('A number is text', () => {
	expect(make('a', 42)).toMatchObject({ content: '42' });
});

test.each<[unknown, string]>([
	[undefined, 'is empty'],
	[null, 'is empty'],
	['', 'is empty'],
	[' \n\u200B', 'is empty'],
	[' undefined', 'is " undefined": the expression found nothing'],
	['null', 'is "null": the expression found nothing'],
	[NaN, 'is "NaN": the expression found nothing'],
	['[object Object]', 'is "[object Object]": the expression found nothing'],
])('The text %j is empty, also with a heading', (text, why) => {
	const refused = refusal(() => make('a', text, true));
	expect(refused).toBeInstanceOf(NoAcceptedFile);
	expect(refused).toMatchObject({
		title: `'Text' ${why}`,
		files: [{ kind: 'empty', name: 'a.txt' }],
		more: { fileName: 'a.txt' },
	});
	if (refused) expectInWords(refused, "'Text'");
});

test.each<[unknown, string]>([
	[true, 'is true, not text'],
	[[['a']], 'is a list, not text'],
	[{ a: 1 }, 'is an object, not text'],
	['Open: [object Object]', 'contains [object Object]'],
	['<!doctype html><p>Hi</p>', 'is a web page'],
	['\n<!-- x --><HTML lang="en">', 'is a web page'],
	['{"error": "not found"}', 'looks like an error message'],
	['%PDF-1.7', 'is a PDF file'],
])('The text %j is refused', (text, why) => {
	const refused = refusal(() => make('a', text, true));
	expect(refused).toMatchObject({ title: `'Text' ${why}`, more: { fileName: 'a.txt' } });
	expect(refused).not.toBeInstanceOf(NoAcceptedFile);
	if (refused) expectInWords(refused, "'Text'");
});

test('More than 50 MB are too large, whatever the number of characters', () => {
	const text = '\u00fc'.repeat(25_000_000);
	expect(make('a', text).fileSize).toBe(50_000_000);
	const refused = refusal(() => make('a', `${text}!`));
	expect(refused).toMatchObject({
		...{ title: "'Text' has 50000001 bytes, more than 50 MB", hasTooLarge: true },
		more: { fileName: 'a.txt' },
	});
});

test.each([
	['<p>Hello', 0],
	['a < b, c > d', 0],
	['<picture> of <people>', 0],
	['<p class="a">Hello</p><br/>', 1],
	['<H1>Hi</H1>\n<div>', 1],
])('The text %j has %d remarks', (text, count) => {
	const { remarks, content } = make('a', text);
	expect(content).toBe(text);
	expect(remarks).toHaveLength(count);
	for (const remark of remarks) expect(remark).toContain('The text contains HTML tags.');
});
