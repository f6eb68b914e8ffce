import { decideType } from '../../../nodes/CometChatKnowledgeBase/fields/fileType';

const OCTETS = 'application/octet-stream';
const PDF = 'application/pdf';
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const TXT = 'text/plain';

const bytesOf = (text: string) => Uint8Array.from(text, (one) => one.charCodeAt(0));
const utf16 = (text: string, bom = '\xFF\xFE') => `${bom}${text.replace(/[^]/g, '$&\0')}`;

const PDF_BYTES = '%PDF-1.7\n%\xE2\xE3';
const ZIP = 'PK\x03\x04\x14\0\x06\0';
const OLD_OFFICE = '\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1';
const SIGN_IN = '<!DOCTYPE html><html><title>Sign in</title>';
const ERROR = '{"error":{"code":"InvalidAuthenticationToken","message":"Expired"}}';

function decided(fileName: string, mimeType: string, start: string): string {
	const type = decideType({ fileName, mimeType }, bytesOf(start));
	return 'why' in type ? type.why : type.extension;
}

test.each<[string, string, string, string]>([
	// The extension fits the bytes, for any generic MIME type.
	['a.pdf', PDF, PDF_BYTES, 'pdf'],
	['a.pdf', '', PDF_BYTES, 'pdf'],
	['a.pdf', 'image/png', PDF_BYTES, 'pdf'],
	['a.PDF', TXT, `${'\n'.repeat(1023)}%PDF-1.4`, 'pdf'],
	['a.docx', OCTETS, ZIP, 'docx'],
	['a.docx', 'application/zip', 'PK\x07\x08', 'docx'],
	['a.md', TXT, '# Opening hours', 'md'],
	['a.csv', 'application/vnd.ms-excel', 'id;price', 'csv'],
	['a.txt', 'text/csv', 'id;price', 'txt'],
	['a.txt', '', 'Hello', 'txt'],
	// Some servers send every file as text/html.
	['a.pdf', 'text/html', PDF_BYTES, 'pdf'],
	// Only the MIME type identifies the file.
	['Intro to Node.js', DOCX, ZIP, 'docx'],
	['Report v1.2', ` ${PDF.toUpperCase()}; x=y`, PDF_BYTES, 'pdf'],
	['Prices', 'text/csv; charset=utf-8', 'id,price', 'csv'],
	['report.doc', DOCX, ZIP, 'docx'],
	// The bytes decide.
	['notes.txt', DOCX, ZIP, 'docx'],
	['prices.csv', PDF, PDF_BYTES, 'pdf'],
	['notes.docx', PDF, PDF_BYTES, 'pdf'],
	['notes.txt', PDF, 'Hello', 'txt'],
	// A web page, JSON or XML with another extension.
	['faq.md', 'text/html', '# FAQ', 'has the MIME type "text/html"'],
	['faq.txt', 'application/json; charset=utf-8', 'x', 'has the MIME type "application/json"'],
	['faq.csv', 'application/problem+json', 'x', 'has the MIME type "application/problem+json"'],
	['faq.csv', 'text/xml', 'x', 'has the MIME type "text/xml"'],
	['faq.md', 'application/vnd.api+json', 'x', 'has the MIME type "application/vnd.api+json"'],
	['faq.md', 'text/html; charset=utf-8', SIGN_IN, 'is a web page'],
	['faq.pdf', 'text/html', SIGN_IN, 'is a web page'],
	['faq.docx', 'application/json', ERROR, 'looks like an error message'],
	// The bytes are of another type.
	['notes.txt', OCTETS, ZIP, 'is a DOCX, XLSX or ZIP file'],
	['notes.md', OCTETS, PDF_BYTES, 'is a PDF file'],
	['notes.txt', TXT, '\x89PNG\r\n', 'is a picture'],
	['notes.txt', TXT, '{\\rtf1\\ansi', 'is an RTF file'],
	['old.docx', DOCX, OLD_OFFICE, 'is an old Office file, or is protected by a password'],
	['old.pdf', PDF, OLD_OFFICE, 'is an old Office file, or is protected by a password'],
	['a.pdf', TXT, 'Not found', 'is not a PDF file'],
	['a.pdf', PDF, `${'\n'.repeat(1025)}%PDF-1.4`, 'is not a PDF file'],
	['a.docx', DOCX, 'Not found', 'is not a DOCX file'],
	['a.tar.gz', PDF, '\x1F\x8B', 'is not a PDF file'],
	['login', TXT, SIGN_IN, 'is a web page'],
	// A web page may mention the format.
	['a.pdf', PDF, '<html><p>%PDF-', 'is a web page'],
])('%s of type "%s" that starts with %j: %s', (fileName, mimeType, start, expected) => {
	expect(decided(fileName, mimeType, start)).toBe(expected);
});

describe('A text that starts like', () => {
	test.each([
		SIGN_IN,
		'\xEF\xBB\xBF \n<HTML lang="en">',
		'<?xml version="1.0"?>\n<!-- saved -->\n<!DOCTYPE html PUBLIC "-">',
		'<!--[if IE]><html><![endif]--><html>',
		'<head><meta charset="utf-8">',
		'<meta http-equiv="refresh" content="0;url=/login">',
		utf16(SIGN_IN),
		utf16(SIGN_IN, ''),
		`\xFE\xFF${'<html>'.replace(/./g, '\0$&')}`,
	])('a web page is refused: %j', (start) => {
		expect(decided('a.md', TXT, start)).toBe('is a web page');
	});

	test.each([
		ERROR,
		` \n${ERROR}`,
		utf16(ERROR),
		'{"timestamp":"2026-11-26T00:00:00Z","status":401,"path":"/"}',
		'{"object":"error","status":404}',
		'{ "statusCode": 403, "x": 1 }',
		'{"code":1040,"message":"Not allowed"}',
		'{"ok":false}',
		'{"success": false, "data": {}}',
		'{"message":"Not Found","documentation_url":"https://example.com"}',
		'{"detail":"Not authenticated"}',
		'[{"message":"Session expired","errorCode":"INVALID_SESSION_ID"}]',
		'{"odata.error":{"code":"-2147024891"}}',
		'{"error_summary":"path/not_found/"}',
		'<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code>',
		'<?xml version="1.0"?><d:error xmlns:d="DAV:">',
	])('an error object is refused: %j', (start) => {
		expect(decided('a.txt', TXT, start)).toBe('looks like an error message');
	});

	test.each([
		'# HTML\n```html\n<!DOCTYPE html>',
		'`<html>` is the root of a page',
		'<p align="center"><img src="logo.png"></p>\n\n# Product',
		'<!-- markdownlint-disable -->\n# Guide',
		'<script setup>\nimport x from "y"',
		'<headline>, <bodywork>',
		'"<html>";"price"',
		'"error","message"\n"E1","Not found"',
		'[Prices](prices.md)',
		'[{date}] Opening hours',
		'{{ company }}',
		'{% if x %}',
		'{"name":"Chair","code":450,"description":"What error 404 means"}',
		'[{"id":1,"default":"x","status":"open","message":"Hello"}]',
		`{"title":"Handbook","text":"${'x'.repeat(300)}","error":"Error"}`,
		'<?xml version="1.0"?><products>',
		'PKW-Preise 2026',
		'GIF89a is a format',
		utf16('Caf\xE9, prices'),
		utf16('Prices', ''),
		'\xEF\xBB\xBFid;price',
		'Gr\xFC\xDFe',
	])('something else is a text: %j', (start) => {
		for (const name of ['a.md', 'a.txt', 'a.csv']) {
			expect(decided(name, OCTETS, start)).toBe(name.slice(2));
		}
	});
});
