import {
	checkFile,
	renamed,
	sentName,
	UnsendableFile,
} from '../../../nodes/CometChatKnowledgeBase/files/fileInfo';
import { refusal } from '../expectRefused';
import { composed } from '../../../nodes/CometChatKnowledgeBase/values/names';

const OCTETS = 'application/octet-stream';
const PDF = 'application/pdf';
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const read = (fileName: string, mimeType = OCTETS, fileSize = 1) =>
	checkFile('data', { fileName, mimeType, fileSize });

test.each([
	['a.pdf', PDF],
	['a.TXT', 'text/plain'],
	['a.b.docx', DOCX],
	['Übersicht 2026 (neu).csv', 'text/csv'],
	['.md', 'text/markdown'],
])('The type of %s is told by the end of its name', (name, mimeType) => {
	expect(read(name, 'image/png')).toEqual({ fileName: name, mimeType, fileSize: 1 });
});

test.each([
	['notes', 'text/plain', 'notes.txt'],
	['', PDF, 'file.pdf'],
	['notes', ' Text/CSV ; header=present', 'notes.csv'],
	[' Report v1.2 ', PDF, 'Report v1.2.pdf'],
	['Terms etc.', 'text/plain', 'Terms etc.txt'],
])('"%s" has no such end: it gets that of the type %s', (name, type, fileName) => {
	expect(read(name, type)).toMatchObject({ fileName });
});

test.each([
	...['a.exe', 'a.doc', 'a.pdf.zip', 'a.', 'a', 'a.tostring', 'a.__proto__', 'Report v1.2'],
	...['archive.tar.gz', 'song.mp3', '.env', 'page.HTML', 'a.pdfx'],
])('%s is refused', (name) => {
	expect(refusal(() => read(name))).toMatchObject({
		title: `The file in 'data', "${name}", is not of a type that CometChat takes`,
		hint: expect.stringMatching(/takes PDF, TXT, .* rename it\.$/),
	});
});

test.each(['archive.tar.gz', 'song.mp3', '.env', 'page.XHTML', 'a.7z', 'a.png'])(
	'%s is refused whatever type n8n gives: its end says another, and CometChat may look at either',
	(name) => {
		expect(refusal(() => read(name, PDF))).toHaveProperty('hint');
	},
);

test.each([
	['a\u202Efdp.pdf', 'a(U+202E)fdp.pdf'],
	[`${'a'.repeat(252)}.pdf`, `${'a'.repeat(60)}…`],
])('the name %j is refused', (name, shown) => {
	expect(refusal(() => read(name))).toMatchObject({
		title: `The file in 'data' has a name that CometChat does not take: "${shown}"`,
		hint: expect.stringContaining('Rename it before this node'),
	});
});

test.each([
	['/tmp/in/a.pdf', 'a.pdf'],
	['\n../../a.pdf ', 'a.pdf'],
	[`${'a'.repeat(251)}.pdf`, `${'a'.repeat(251)}.pdf`],
	// As macOS writes it, with its marks as characters of their own.
	['Mu\u0308ller.pdf', 'M\u00fcller.pdf'],
])('%j is sent without its folder and as all others write it: %s', (given, fileName) => {
	expect(read(given)).toMatchObject({ fileName });
});

test.each([
	['North/prices.pdf', 'a.pdf', 'North - prices.pdf'],
	[' /North\\2026 / ./prices ', 'a.pdf', 'North - 2026 - prices.pdf'],
	['../prices', 'a.PDF', '.. - prices.pdf'],
	['Prices.', 'a.pdf', 'Prices.pdf'],
	['PRICES.PDF', 'a.pdf', 'PRICES.PDF'],
	['prices.txt', 'a.pdf', 'prices.txt.pdf'],
	['prices.pdf', 'a.exe', 'prices.pdf.exe'],
	['prices', 'notes', 'prices.txt'],
	['Mu\u0308ller', 'a.pdf', 'M\u00fcller.pdf'],
	[' / ', 'a.pdf', 'a.pdf'],
	['', '/tmp/a.pdf', 'a.pdf'],
])('with the name %j, %s is sent as %s', (wanted, fileName, sent) => {
	const mimeType = fileName === 'notes' ? 'text/plain' : OCTETS;
	expect(sentName(renamed({ fileName, mimeType }, wanted))).toBe(sent);
});

test.each([
	['a.png', PDF],
	['notes', OCTETS],
])('the name of %s, a file of type %s that cannot be sent, stays', (fileName, mimeType) => {
	expect(sentName({ fileName, mimeType })).toBe(fileName);
});

test.each([
	['a.png', OCTETS, 1, true],
	['a.json', 'image/png', 1, true],
	['login', 'text/html; charset=utf-8', 1, false],
	['', PDF, 0, false],
])(
	'%s of type %s and %i bytes is known by its name all the same: %p',
	(...[name, type, size, isKnown]) => {
		const issue = refusal(() => read(name, type, size));
		expect([issue instanceof UnsendableFile, issue?.more.fileName !== undefined]).toEqual([
			...[isKnown, isKnown],
		]);
	},
);

test.each([
	['Mu\u0308ller.pdf', 'M\u00fcller.pdf', true],
	[' a.pdf', 'a.pdf', true],
	['A.pdf', 'a.pdf', false],
	['Muller.pdf', 'M\u00fcller.pdf', false],
	['\uff41.pdf', 'a.pdf', false],
])('%s and %s are one name: %s', (one, other, isSame) => {
	expect(composed(one) === composed(other)).toBe(isSame);
});
