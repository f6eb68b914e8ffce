import {
	isSameAddress,
	readAddress,
} from '../../../nodes/CometChatKnowledgeBase/resources/website/address';
import { ValidationIssue } from '../../../nodes/CometChatKnowledgeBase/values/validationIssue';

test.each<[string, string]>([
	['https://docs.example.com', 'https://docs.example.com/'],
	['  http://example.com/help \n', 'http://example.com/help'],
	['HTTPS://Docs.Example.com/A?b=C', 'https://docs.example.com/A?b=C'],
	['https://example.com:8443/', 'https://example.com:8443/'],
	['https://example.com/help#top', 'https://example.com/help'],
	['https://bücher.example', 'https://xn--bcher-kva.example/'],
	['https://93.184.216.34/', 'https://93.184.216.34/'],
	['https://172.32.0.1/', 'https://172.32.0.1/'],
	[
		'https://[2606:2800:220:1:248:1893:25c8:1946]/',
		'https://[2606:2800:220:1:248:1893:25c8:1946]/',
	],
	['https://localhost.example.com/', 'https://localhost.example.com/'],
])('%j is an address that CometChat can crawl', (given, address) => {
	expect(readAddress(given)).toBe(address);
});

test.each<[unknown, string]>([
	[undefined, 'is not a text'],
	[7, 'is not a text'],
	['', 'is empty'],
	['docs.example.com', 'is no full address'],
	['docs.example.com:8443/help', 'is no full address'],
	['ftp://example.com/', 'is no full address'],
	['file:///etc/passwd', 'is no full address'],
	['javascript:alert(1)', 'is no full address'],
	['https://', 'is no full address'],
	['https://exa mple.com', 'has a space'],
	['https://example.com/\u200b', 'has a space or an invisible character'],
	['https://example.com/a\nhttps://example.com/b', 'has a space'],
	[`https://example.com/${'a'.repeat(2000)}`, 'has 2020 characters'],
	['https://localhost/', 'not on the internet'],
	['http://localhost:5678/', 'not on the internet'],
	['https://intranet/', 'not on the internet'],
	['https://wiki.local/', 'not on the internet'],
	['https://wiki.internal./', 'not on the internet'],
	['http://127.0.0.1/', 'not on the internet'],
	['http://127.1/', 'not on the internet'],
	['http://2130706433/', 'not on the internet'],
	['http://0x7f.0.0.1/', 'not on the internet'],
	['http://10.0.0.8/', 'not on the internet'],
	['http://172.16.0.1/', 'not on the internet'],
	['http://192.168.1.1/', 'not on the internet'],
	['http://169.254.169.254/latest/meta-data/', 'not on the internet'],
	['http://100.64.0.1/', 'not on the internet'],
	['http://0.0.0.0/', 'not on the internet'],
	['http://[::1]/', 'not on the internet'],
	['http://[::ffff:10.0.0.1]/', 'not on the internet'],
	['http://[fd00::1]/', 'not on the internet'],
	['http://[fe80::1]/', 'not on the internet'],
])('%j is refused: it %s', (given, what) => {
	const issue = readAddress(given);
	expect(issue).toBeInstanceOf(ValidationIssue);
	expect(issue instanceof ValidationIssue && issue.what).toContain(what);
	expect(issue instanceof ValidationIssue && issue.what).toMatch(/^'Address' /);
});

test('A user name or a password in an address is refused and not shown', () => {
	const issue = readAddress('https://anna:s3cret@example.com/');
	const { what, remedy } = issue instanceof ValidationIssue ? issue : { what: '', remedy: '' };
	expect(what).toBe("'Address' holds a user name or a password");
	expect(`${what} ${remedy}`).not.toMatch(/anna|s3cret/);
});

test.each<[string, string, boolean]>([
	['https://example.com', 'https://example.com/', true],
	['https://example.com/help/', 'https://example.com/help', true],
	['https://Example.com/help', 'https://example.com/help', true],
	['https://example.com:443/', 'https://example.com/', true],
	['https://example.com/#a', 'https://example.com/', true],
	['https://example.com/help', 'https://example.com/Help', false],
	['http://example.com/', 'https://example.com/', false],
	['https://example.com/', 'https://www.example.com/', false],
	['https://example.com/?a=1', 'https://example.com/', false],
	['https://example.com/a', 'https://example.com/a/b', false],
	['example.com', 'https://example.com/', false],
	['Price list.pdf', 'Price list.pdf', true],
])('%s and %s: the same address: %s', (one, other, isSame) => {
	expect(isSameAddress(one, other)).toBe(isSame);
	expect(isSameAddress(other, one)).toBe(isSame);
});
