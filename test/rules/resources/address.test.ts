import {
	comparableAddress,
	readAddress,
} from '../../../nodes/CometChatKnowledgeBase/resources/website/crawl/address';
import { refusal } from '../expectRefused';

test.each<[string, string]>([
	['https://docs.example.com', 'https://docs.example.com/'],
	['  http://example.com/help \n', 'http://example.com/help'],
	['HTTPS://Docs.Example.com/A?b=C', 'https://docs.example.com/A?b=C'],
	['https://example.com/help#top', 'https://example.com/help'],
	['https://bücher.example', 'https://xn--bcher-kva.example/'],
	['docs.example.com', 'https://docs.example.com/'],
	['https://example.com/?token=A&sig=b%3D', 'https://example.com/?token=A&sig=b%3D'],
	['docs.example.com:8443/help', 'https://docs.example.com:8443/help'],
	['https://localhost.example.com/', 'https://localhost.example.com/'],
])('%j is an address that CometChat can crawl', (given, address) => {
	expect(readAddress(given)).toBe(address);
});

test.each<[unknown, string]>([
	[undefined, 'is empty'],
	[['https://example.com'], 'is a list, not text'],
	[7, 'is no full address'],
	['', 'is empty'],
	['3.14', 'is no full address'],
	['mailto:anna', 'is no full address'],
	['localhost:5678', 'not on the internet'],
	['menu', 'not on the internet'],
	['ftp://example.com/', 'is no full address'],
	['https://', 'is no full address'],
	['https://exa mple.com', 'is no full address'],
	['https://example.com/\u200b', 'is no full address'],
	[`https://example.com/${'a'.repeat(2000)}`, 'is no full address'],
	...[
		...['localhost:5678', 'intranet', 'wiki.local', 'wiki.internal.', '127.0.0.1', '127.1'],
		...['2130706433', '0x7f.0.0.1', '10.0.0.8', '172.16.0.1', '192.168.1.1', '169.254.169.254'],
		...['100.64.0.1', '0.0.0.0', '[::1]', '[::ffff:10.0.0.1]', '[fd00::1]', '[fe80::1]'],
	].map((host): [string, string] => [`http://${host}/`, 'not on the internet']),
])('%j is refused: it %s', (given, what) => {
	const words = expect.stringMatching(/^'Address' /);
	expect(refusal(() => readAddress(given))).toMatchObject({ title: words });
	expect(refusal(() => readAddress(given))).toMatchObject({ title: expect.stringContaining(what) });
});

test('A user name or a password in an address is refused and not shown', () => {
	const issue = refusal(() => readAddress('https://anna:s3cret@example.com/'));
	expect(issue).toMatchObject({ title: "'Address' holds a user name or a password" });
	expect(JSON.stringify(issue)).not.toMatch(/anna|s3cret/);
});

test.each<[string, string, boolean]>([
	['https://example.com', 'https://example.com/', true],
	['https://example.com/help/', 'https://example.com/help', true],
	['https://Example.com/help', 'https://example.com/help', true],
	['https://example.com/#a', 'https://example.com/', true],
	['https://example.com/help', 'https://example.com/Help', false],
	['http://example.com/', 'https://example.com/', false],
	['https://example.com/', 'https://www.example.com/', false],
	['example.com', 'https://example.com/', false],
	['Price list.pdf', 'Price list.pdf', true],
])('%s and %s: the same address: %s', (one, other, isSame) => {
	expect(comparableAddress(one) === comparableAddress(other)).toBe(isSame);
});
