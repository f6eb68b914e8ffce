import {
	checkFile,
	renamed,
	sentName,
} from '../../../nodes/CometChatKnowledgeBase/fields/fileInfo';
import { refusal } from '../expectRefused';
import { normalizeName } from '../../../nodes/CometChatKnowledgeBase/text/names';

const OCTETS = 'application/octet-stream';
const PDF = 'application/pdf';
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
/** First bytes that fit all types. */
const START = new TextEncoder().encode(`PK%PDF-${' '.repeat(4089)}`);
const read = (fileName: string, mimeType = OCTETS, fileSize = 4096) =>
	checkFile('data', { fileName, mimeType, fileSize }, START);

test.each([
	['a.pdf', PDF],
	['a.TXT', 'text/plain'],
	['a.b.docx', DOCX],
	['Übersicht 2026 (neu).csv', 'text/csv'],
])('The type of %s follows from the end of its name', (name, mimeType) => {
	expect(read(name, 'image/png')).toEqual({ fileName: name, mimeType, fileSize: 4096 });
});

test.each([
	['notes', 'text/plain', 'notes.txt'],
	['Intro to Node.js', DOCX, 'Intro to Node.js.docx'],
	['notes', ' Text/CSV ; header=present', 'notes.csv'],
	[' Report v1.2 ', PDF, 'Report v1.2.pdf'],
	['Terms etc.', 'text/plain', 'Terms etc.txt'],
])('"%s" has no such end: it gets the end of the type %s', (name, type, fileName) => {
	expect(read(name, type)).toMatchObject({ fileName });
});

test('a web page instead of a file is refused, without the name of the file', () => {
	const refused = refusal(() => read('login', 'text/html; charset=utf-8'));
	expect(refused).toMatchObject({
		title: `The file in 'data', "login", is not of a type that CometChat accepts`,
		hint: expect.stringMatching(/add the missing extension .* CometChat accepts PDF, TXT, /),
	});
	expect(refused?.more.fileName).toBeUndefined();
});

test.each([
	['a\u202Efdp.pdf', 'a(U+202E)fdp.pdf'],
	[`${'a'.repeat(252)}.pdf`, `${'a'.repeat(60)}…`],
])('the name %j is refused', (name, shown) => {
	expect(refusal(() => read(name))).toMatchObject({
		title: `The file in 'data' has a name that is too long, or that contains invisible characters: "${shown}"`,
		hint: expect.stringContaining('Rename the file in a previous node'),
	});
});

test.each([
	['Invoice 11/2025.pdf', 'Invoice 11 - 2025.pdf'],
	['/tmp\\in/./a.pdf', 'tmp - in - a.pdf'],
	['\n../../a.pdf ', 'a.pdf'],
	[`${'a'.repeat(251)}.pdf`, `${'a'.repeat(251)}.pdf`],
	// As macOS writes the name, with separate marks.
	['Mu\u0308ller.pdf', 'M\u00fcller.pdf'],
])('%j is sent without slashes, and with each letter as one character: %s', (given, fileName) => {
	expect(read(given)).toMatchObject({ fileName });
});

test.each([
	['North/prices.pdf', 'a.pdf', 'North - prices.pdf'],
	[' /North\\2026 / ./prices ', 'a.pdf', 'North - 2026 - prices.pdf'],
	['../prices', 'a.PDF', 'prices.pdf'],
	['Prices.', 'a.pdf', 'Prices.pdf'],
	['PRICES.PDF', 'a.pdf', 'PRICES.PDF'],
	['prices.txt', 'a.pdf', 'prices.txt.pdf'],
	['prices.pdf', 'a.exe', 'prices.pdf.exe'],
	['prices', 'notes', 'prices.txt'],
	['Mu\u0308ller', 'a.pdf', 'M\u00fcller.pdf'],
	['Intro', 'Intro to Node.js', 'Intro.docx'],
	['x.pdf', '=.pdf', 'x.pdf'],
	['', '11/a.pdf', '11 - a.pdf'],
])('with the name %j, %s is sent as %s', (wanted, fileName, sent) => {
	const types: Record<string, string> = { notes: 'text/plain', 'Intro to Node.js': DOCX };
	const { [fileName]: mimeType = OCTETS } = types;
	expect(sentName(renamed({ fileName, mimeType }, wanted))).toBe(sent);
});

test.each([
	...['', ' ', '.pdf', '=.pdf', ' - .pdf', '///.md', '\u2019.docx', '\u{1F600}.txt', '../..'],
])('%j does not identify a file of an accepted type: it is refused', (name) => {
	const refused = refusal(() => read(name, PDF));
	expect(refused).toMatchObject({
		title: expect.stringMatching(/^The file in 'data' has (?:no name$|a name without letters)/),
		hint: expect.stringContaining("'Name in CometChat'"),
	});
	expect(refused?.more.fileName).toBeUndefined();
});

test.each(['1.pdf', 'Ü.pdf', '価格.pdf', 'прайс.md', 'أسعار.txt', '٣.csv', 'คู่มือ.pdf'])(
	'%s identifies a file',
	(name) => {
		expect(read(name)).toMatchObject({ fileName: name });
	},
);

test("a name from an empty expression is not replaced by the file's name", () => {
	const named = renamed({ fileName: 'a.pdf', mimeType: PDF }, ' / ');
	expect(refusal(() => read(named.fileName))?.title).toContain('has a name without letters');
});

test('of an incomplete file, n8n has only a part, as the error says', () => {
	expect(
		refusal(() =>
			checkFile('data', { fileName: 'x.pdf', mimeType: PDF, fileSize: 40 }, START.subarray(0, 5)),
		),
	).toMatchObject({
		title: 'n8n has only a part of "x.pdf" (5 of 40 bytes)',
		hint: expect.stringContaining('Run the workflow from the start'),
	});
});

test.each([
	['Mu\u0308ller.pdf', 'M\u00fcller.pdf', true],
	[' a.pdf', 'a.pdf', true],
	['a\u00a0 b.pdf', 'a b.pdf', true],
	['A.pdf', 'a.pdf', false],
	['Muller.pdf', 'M\u00fcller.pdf', false],
	['\uff41.pdf', 'a.pdf', false],
])('%s and %s are one name: %s', (one, other, isSame) => {
	expect(normalizeName(one) === normalizeName(other)).toBe(isSame);
});
