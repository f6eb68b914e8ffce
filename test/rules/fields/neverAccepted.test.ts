import type { Kind } from '../../../nodes/CometChatKnowledgeBase/fields/neverAccepted';
import { rejectionOf } from '../../../nodes/CometChatKnowledgeBase/fields/neverAccepted';

const OCTETS = 'application/octet-stream';
const PDF = 'application/pdf';
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

test.each<[name: string, mimeType: string, fileSize: number | undefined, kind: Kind | undefined]>([
	// Temporary, hidden and system files of any type and size.
	['~$Report.docx', DOCX, 162, 'system'],
	['Team/2026/~$Report.docx', DOCX, 162, 'system'],
	['.~lock.Prices.csv#', OCTETS, 80, 'system'],
	['.~lock.notes.txt', 'text/plain', 80, 'system'],
	['._handbook.pdf', PDF, 4096, 'system'],
	['.DS_Store', OCTETS, 6148, 'system'],
	['C:\\share\\Thumbs.db', OCTETS, 0, 'system'],
	['thumbs.DB', PDF, 1, 'system'],
	['Desktop.ini', 'text/plain', 1, 'system'],
	[' .hidden.md', 'text/markdown', 1, 'system'],
	// Similar names.
	['Thumbs.db.txt', 'text/plain', 1, undefined],
	['My desktop.ini.md', 'text/markdown', 1, undefined],
	['Report ~$.docx', DOCX, 1, undefined],
	['~Report.docx', DOCX, 1, undefined],
	['v1.2/Report.docx', DOCX, 1, undefined],
	// Other types.
	['image001.png', 'image/png', 1, 'type'],
	['logo.svg', 'image/svg+xml', 1, 'type'],
	['places.kml', 'application/vnd.google-earth.kml+xml', 1, 'type'],
	['archive.tar.gz', 'application/gzip', 1, 'type'],
	['list.pdf.zip', OCTETS, undefined, 'type'],
	['prices.XLSX', OCTETS, 0, 'type'],
	['README', OCTETS, 1, 'type'],
	['', 'image/png', 1, 'type'],
	['a.tostring', OCTETS, 1, 'type'],
	['a.__proto__', OCTETS, 1, 'type'],
	['invoice.xml', 'application/xml', 1, 'type'],
	['invite.html', 'text/html; charset=utf-8', 1, 'type'],
	['data.json', 'application/json', 1, 'type'],
	// A web page or an error that a server may have returned instead of the file.
	['login', 'text/html', 1, undefined],
	['signin.aspx', 'text/html', 1, undefined],
	['prices.xlsx', 'application/json', 0, undefined],
	['faq.md', 'text/html', 1, undefined],
	// Accepted by extension or MIME type; the content is checked later.
	['a.PDF', OCTETS, 1, undefined],
	['notes', 'text/plain', 1, undefined],
	['Intro to Node.js', DOCX, 1, undefined],
	['', PDF, undefined, undefined],
	// By size.
	['a.pdf', PDF, 0, 'empty'],
	['notes', ' Text/CSV ; header=present', 0, 'empty'],
	['a.pdf', PDF, undefined, undefined],
	['a.pdf', PDF, 50_000_000, undefined],
	['a.pdf', PDF, 50_000_001, 'size'],
])('%s of type %s with %s bytes is rejected as: %s', (name, mimeType, fileSize, kind) => {
	expect(rejectionOf({ ownName: name, fileName: name, mimeType, fileSize })).toBe(kind);
});

test('A lock file is recognized with any name in CometChat', () => {
	const names = { ownName: '~$Report.docx', fileName: 'Team - Report.docx' };
	expect(rejectionOf({ ...names, mimeType: DOCX, fileSize: 162 })).toBe('system');
});
