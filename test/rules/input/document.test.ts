import { ValidationIssue } from '../../../nodes/CometChatKnowledgeBase/values/validationIssue';
import {
	hasDocumentEnd,
	readDocument,
	sameName,
	sentName,
} from '../../../nodes/CometChatKnowledgeBase/input/document';

const OCTETS = 'application/octet-stream';
const read = (fileName: string, mimeType = OCTETS, fileSize = 1) =>
	readDocument('data', { fileName, mimeType, fileSize });
const TAKES = 'CometChat takes PDF, TXT, DOCX, CSV and MD files of up to 50 MB.';
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

describe('The type is told by the end of the name', () => {
	test.each([
		['a.pdf', 'application/pdf'],
		['a.TXT', 'text/plain'],
		['a.b.docx', DOCX],
		['Übersicht 2026 (neu).csv', 'text/csv'],
		['.md', 'text/markdown'],
	])('%s', (name, mimeType) => {
		expect(read(name, 'image/png')).toEqual({ fileName: name, mimeType, fileSize: 1 });
	});

	test.each([
		['a name without an end', 'notes', 'text/plain', 'notes.txt'],
		['no name', '', 'application/pdf', 'file.pdf'],
		['a dot alone', '.', 'application/pdf', 'file.pdf'],
		['a type with white space', 'notes', ' text/csv ; header=present', 'notes.csv'],
		['a type with more behind it', 'notes', 'Text/Markdown; charset=utf-8', 'notes.md'],
		['a version', 'Report v1.2', 'application/pdf', 'Report v1.2.pdf'],
		['a version with words', 'Report v2.0 (final)', 'application/pdf', 'Report v2.0 (final).pdf'],
		['a date', 'Protokoll 21.11.2026', 'application/pdf', 'Protokoll 21.11.2026.pdf'],
		['one letter', 'plan.b', DOCX, 'plan.b.docx'],
		['six letters', 'plan.second', DOCX, 'plan.second.docx'],
		['a long word', 'plan.september', DOCX, 'plan.september.docx'],
		['words', 'notes.of-meeting', 'text/csv', 'notes.of-meeting.csv'],
		['another alphabet', 'отчёт.док', DOCX, 'отчёт.док.docx'],
		['a dot', 'Terms etc.', 'text/plain', 'Terms etc.txt'],
		['white space', ' Report v1.2 ', 'application/pdf', 'Report v1.2.pdf'],
	])('of %s by the type that n8n gives, which becomes its end', (_, name, type, fileName) => {
		expect(read(name, type)).toMatchObject({ fileName });
	});

	test.each([
		...[
			'a.exe',
			'a.doc',
			'a.pdf.zip',
			'a.',
			'a',
			'a.tostring',
			'a.__proto__',
			'Report v1.2',
			'a.b',
		],
		...['archive.tar.gz', 'song.mp3', '.env', 'page.HTML', 'a.pdfx'],
	])('%s is refused', (name) => {
		expect(read(name)).toMatchObject({
			what: `The file in 'data', "${name}", is not of a type that CometChat takes`,
			remedy: `${TAKES} Convert it; if only the ending (.pdf) is missing, rename it.`,
		});
	});

	test('no name is refused if the type is none that CometChat takes, either', () => {
		expect(read('', 'image/png')).toEqual({
			what: `The file in 'data' has no name, and its type, "image/png", is none that CometChat takes`,
			remedy: `${TAKES} Give it a name that ends in its type before this node.`,
		});
	});

	test.each(['archive.tar.gz', 'song.mp3', '.env', 'page.XHTML', 'a.7z'])(
		'%s is refused whatever type n8n gives: its end says another',
		(name) => {
			expect(read(name, 'application/pdf')).toBeInstanceOf(ValidationIssue);
		},
	);

	test('a wrong end is not mended by the right type: CometChat may look at either', () => {
		expect(read('a.png', 'application/pdf')).toBeInstanceOf(ValidationIssue);
	});
});

describe('The size', () => {
	const split = `${TAKES} Split it, or make it smaller.`;
	test.each([
		[
			0,
			'is empty',
			'Open it where it comes from: if it has content there, the node before this one did not get it.',
		],
		[50_000_001, 'has 50.0 MB, more than CometChat takes', split],
		[123_456_789, 'has 123.5 MB, more than CometChat takes', split],
	])('%i bytes are refused', (size, words, remedy) => {
		const what = `The file in 'data', "a.pdf", ${words}`;
		expect(read('a.pdf', OCTETS, size)).toMatchObject({ what, remedy });
	});

	test.each([1, 50_000_000])('%i bytes are taken', (size) => {
		expect(read('a.pdf', OCTETS, size)).toMatchObject({ fileSize: size });
	});
});

describe('The name', () => {
	test.each([
		['a.png', 'application/pdf', 'a.png'],
		['notes', OCTETS, 'notes'],
	])('of %s, a file of type %s that cannot be sent, stays', (fileName, mimeType, expected) => {
		expect(sentName({ fileName, mimeType })).toBe(expected);
	});

	test.each([
		[' a.pdf ', true],
		['a.png', false],
		['a', false],
	])('%j has the end of a document: %p', (name, has) => {
		expect(hasDocumentEnd(name)).toBe(has);
	});

	test.each([
		['/tmp/in/a.pdf', 'a.pdf'],
		['C:\\Files\\a.pdf', 'a.pdf'],
		['../../a.pdf', 'a.pdf'],
		[' a.pdf ', 'a.pdf'],
		['\n/tmp/a.pdf', 'a.pdf'],
	])('%s is sent without its folder', (given, fileName) => {
		expect(read(given)).toMatchObject({ fileName });
	});

	const rename = 'Rename it before this node.';
	test.each([
		[
			'invisible characters',
			'a\u202Efdp.pdf',
			'has an invisible character (U+202E) in its name: "a(U+202E)fdp.pdf"',
			rename,
		],
		[
			'a line break',
			'a\n/b.pdf',
			'has an invisible character (U+000A) in its name: "a(U+000A)/b.pdf"',
			rename,
		],
		[
			'more than 255 characters',
			`${'a'.repeat(252)}.pdf`,
			`has a name of 256 characters: "${'a'.repeat(60)}…"`,
			'Rename it before this node to at most 255 characters.',
		],
	])('with %s is refused', (_, name, words, remedy) => {
		expect(read(name)).toEqual({ what: `The file in 'data' ${words}`, remedy });
	});

	test('of 255 characters is taken', () => {
		const fileName = `${'a'.repeat(251)}.pdf`;
		expect(read(fileName)).toMatchObject({ fileName });
	});

	test('as macOS writes it, with its marks as characters of their own, is sent as all others write it', () => {
		expect(read('Mu\u0308ller.pdf')).toMatchObject({ fileName: 'M\u00fcller.pdf' });
	});

	test.each([
		['in two spellings', 'Mu\u0308ller.pdf', 'M\u00fcller.pdf', true],
		['with white space around it', ' a.pdf', 'a.pdf', true],
		['in upper and lower case', 'A.pdf', 'a.pdf', false],
		['with and without a mark', 'Muller.pdf', 'M\u00fcller.pdf', false],
		['with a wide letter, which is another one', '\uff41.pdf', 'a.pdf', false],
	])('%s is one or two: %s, %s', (_, one, other, isSame) => {
		expect(sameName(one, other)).toBe(isSame);
	});
});
