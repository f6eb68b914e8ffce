import {
	matchesSelection,
	readAddressParts,
} from '../../../nodes/CometChatKnowledgeBase/resources/website/pageSelection';
import { refusal } from '../expectRefused';

const parts = (...texts: string[]) => texts;

test.each<[string, string[], string[], boolean]>([
	['https://a.example/help/1', [], [], true],
	['https://a.example/help/1', ['/help/'], [], true],
	['https://a.example/help/1', ['/blog/', '/help/'], [], true],
	['https://a.example/help/1', ['/blog/'], [], false],
	['https://a.example/help/1', ['/Help/'], [], false],
	['https://a.example/help/1', ['/help/'], ['/1'], false],
	['https://a.example/help/1', ['/help/'], ['/2'], true],
])('%s with %j and without %j counts: %s', (address, include, exclude, isFit) => {
	expect(
		matchesSelection(address, { include: parts(...include), exclude: parts(...exclude) }),
	).toBe(isFit);
});

test.each<[unknown, string[]]>([
	['', []],
	[null, []],
	['/help/', ['/help/']],
	[' /help/ \n\n/faq/,/help/', ['/help/', '/faq/']],
	[
		['/help/', ' /faq/ '],
		['/help/', '/faq/'],
	],
])('%j gives the parts %j', (value, expected) => {
	expect(readAddressParts('Addresses With', value)).toEqual(expected);
});

test.each<[unknown, string]>([
	[7, 'holds something that is not a text'],
	[['/help/', 1], 'holds something that is not a text'],
	['/help/*', 'wildcard'],
	[Array.from({ length: 101 }, (_, at) => `/${at}/`), 'holds more than 100 parts'],
])('%j is refused: it %s', (value, what) => {
	expect(refusal(() => readAddressParts('Addresses With', value))).toMatchObject({
		title: expect.stringMatching(`^'Addresses With' .*${what}`),
	});
});

test('a text that is very long is refused before it is split', () => {
	expect(refusal(() => readAddressParts('Addresses With', '\n'.repeat(1001)))).toMatchObject({
		title: "'Addresses With' holds more than 100 parts",
	});
});
