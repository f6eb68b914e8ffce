import {
	normalizeUrl,
	readUrl,
} from '../../../nodes/CometChatKnowledgeBase/resources/website/crawl/url';
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
])('%j is a URL that CometChat can crawl', (given, url) => {
	expect(readUrl(given)).toBe(url);
});

test('a domain with an umlaut can be crawled after any number of URLs', () => {
	for (let at = 0; at < 100_000; at++) readUrl('https://bücher.example');
	expect(readUrl('https://bücher.example')).toBe('https://xn--bcher-kva.example/');
});

test.each<[unknown, string]>([
	[undefined, 'is empty'],
	[['https://example.com'], 'is a list, not text'],
	[7, 'not on the internet'],
	['', 'is empty'],
	['3.14', 'not on the internet'],
	['mailto:anna', 'is not a valid URL'],
	['localhost:5678', 'not on the internet'],
	['menu', 'not on the internet'],
	['ftp://example.com/', 'is not a valid URL'],
	['https://', 'is not a valid URL'],
	['https://exa mple.com', 'is not a valid URL'],
	['https://example.com/\u200b', 'is not a valid URL'],
	[`https://example.com/${'a'.repeat(2000)}`, 'is not a valid URL'],
	...[
		...['localhost:5678', 'intranet', 'intranet.', '127.0.0.1', '127.1', '2130706433'],
		...['0x7f.0.0.1', '10.0.0.8', '169.254.169.254', '93.184.216.34', '[::1]', '[fd00::1]'],
	].map((host): [string, string] => [`http://${host}/`, 'not on the internet']),
])('%j is refused: it %s', (given, what) => {
	const words = expect.stringMatching(/^'Website URL' /);
	expect(refusal(() => readUrl(given))).toMatchObject({ title: words });
	expect(refusal(() => readUrl(given))).toMatchObject({ title: expect.stringContaining(what) });
});

test('A user name or a password in a URL is refused and not shown', () => {
	const issue = refusal(() => readUrl('https://anna:s3cret@example.com/'));
	expect(issue).toMatchObject({ title: "'Website URL' contains a user name or a password" });
	expect(JSON.stringify(issue)).not.toMatch(/anna|s3cret/);
});

test.each<[string, string, boolean]>([
	['https://example.com', 'https://example.com/', true],
	['https://example.com/help/', 'https://example.com/help', true],
	['https://Example.com/help', 'https://example.com/help', true],
	['https://example.com/#a', 'https://example.com/', true],
	['https://example.com/?', 'https://example.com/', true],
	['https://example.com./', 'https://example.com:443/', true],
	['https://example.com/caf%c3%a9', 'https://example.com/café', true],
	['https://example.com/cafe%CC%81', 'https://example.com/caf%C3%A9', true],
	['https://example.com/a%2fb', 'https://example.com/a%2Fb', true],
	['https://example.com/a%2Fb', 'https://example.com/a/b', false],
	['https://example.com/%ff', 'https://example.com/%FF', true],
	['https://example.com/help', 'https://example.com/Help', false],
	['https://example.com/?a=1', 'https://example.com/?a=2', false],
	['http://example.com/', 'https://example.com/', true],
	['https://example.com/', 'https://www.example.com/', true],
	['http://www.example.com/help', 'https://example.com/help/', true],
	['https://docs.example.com/', 'https://example.com/', false],
	['https://www2.example.com/', 'https://example.com/', false],
	['http://example.com:8080/', 'https://example.com/', false],
	['example.com', 'https://example.com/', false],
	['Price list.pdf', 'Price list.pdf', true],
])('%s and %s: the same URL: %s', (one, other, isSame) => {
	expect(normalizeUrl(one) === normalizeUrl(other)).toBe(isSame);
});
