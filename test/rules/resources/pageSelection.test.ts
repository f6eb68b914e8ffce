import { readFilterLines } from '../../../nodes/CometChatKnowledgeBase/resources/website/crawlWebsite';
import { containsAny } from '../../../nodes/CometChatKnowledgeBase/resources/website/crawl/url';
import { refusal } from '../expectRefused';

test.each<[string[], boolean]>([
	[[], false],
	[['/help/'], true],
	[['/blog/', '/help/'], true],
	[['/blog/'], false],
	[['/Help/'], false],
])('https://a.example/help/1 contains one of %j: %s', (parts, isSo) => {
	expect(containsAny('https://a.example/help/1', parts)).toBe(isSo);
});

test.each([
	['https://a.example/caf%C3%A9', 'café'],
	['https://a.example/café', 'caf%c3%a9'],
	['https://a.example/cafe%CC%81', 'café'],
])('%s contains %s: both are compared decoded', (url, text) => {
	expect(containsAny(url, [text])).toBe(true);
});

test.each<[unknown, string[]]>([
	[7, ['7']],
	[
		['/help/', 2025],
		['/help/', '2025'],
	],
	['/help/', ['/help/']],
	[' /help/ \n\n/faq/,/help/', ['/help/', '/faq/']],
	[
		['/help/', ' /faq/ '],
		['/help/', '/faq/'],
	],
])('%j gives the parts %j', (value, expected) => {
	expect(readFilterLines('URLs With', value)).toEqual(expected);
});

test.each<[unknown, string]>([
	[null, 'is empty'],
	[' , \n', 'is empty'],
	[[], 'is empty'],
	[['/help/', true], 'is true, not text'],
	[{ part: '/help/' }, 'is an object, not text'],
	['/help/*', 'wildcard'],
	[Array.from({ length: 1001 }, () => '/a/'), 'contains more than 1000 texts'],
])('%j is refused: it %s', (value, what) => {
	expect(refusal(() => readFilterLines('URLs With', value))).toMatchObject({
		title: expect.stringMatching(`^'URLs With' (.*)?${what}`),
	});
});

test('a text that is very long is refused before it is split', () => {
	expect(refusal(() => readFilterLines('URLs With', '\n'.repeat(1001)))).toMatchObject({
		title: "'URLs With' contains more than 1000 texts",
	});
});
