import {
	isUnredacted,
	Redaction,
	withoutSignedLinks,
} from '../../../nodes/CometChatKnowledgeBase/http/redaction';

const KEY = ['0f1e2d3c4b', '5a69788796', 'a5b4c3d2e1', 'f001234567'].join('');
const redaction = new Redaction({ apiKey: KEY });
const REMOVED = '[API Key] (removed)';

describe('The API key is removed from a text', () => {
	test.each([
		['whole', `The key ${KEY} is bad: ${KEY}.`, `The key ${REMOVED} is bad: ${REMOVED}.`],
		['in JSON', `{"apikey":"${KEY}"}`, `{"apikey":"${REMOVED}"}`],
		['in a URL', `https://a.example/?key=${KEY}&a=1`, `https://a.example/?key=${REMOVED}&a=1`],
		['inside a word', `doc-n${KEY}-1`, `doc-n${REMOVED}-1`],
		['masked by CometChat', `The ${KEY.slice(0, 5)}…${KEY.slice(-5)} key`, `The ${REMOVED} key`],
		['masked with dots', `${KEY.slice(0, 4)}......${KEY.slice(-4)}.`, `${REMOVED}.`],
		['masked with stars', `${KEY.slice(0, 8)}${'*'.repeat(28)}${KEY.slice(-4)}`, REMOVED],
		['masked with letters', `${KEY.slice(0, 8)}xxxxxxxx${KEY.slice(-4)}`, REMOVED],
		['cut off', `${KEY.slice(0, 20)}, and so on`, `${REMOVED}, and so on`],
		['cut off after eight characters', `${KEY.slice(0, 8)}… and so on`, `${REMOVED} and so on`],
	])('%s', (_, text, redacted) => {
		expect(redaction.text(text)).toBe(redacted);
	});

	test('also a key with special characters of patterns and URLs', () => {
		const apiKey = '(a+$[b]*c?d|e.f^g{h}"\\/-&]';
		const own = new Redaction({ apiKey });
		for (const text of [apiKey, apiKey.slice(0, 12), `${apiKey.slice(0, 8)}…${apiKey.slice(-8)}`]) {
			expect(own.text(`x ${text} y`)).toBe(`x ${REMOVED} y`);
		}
	});
});

describe('A text without the API key is not changed', () => {
	const [start, end] = [KEY.slice(0, 4), KEY.slice(-4)];
	test.each([
		['an ID that begins and ends like the key', `${start}9a8b7c6d5e4f3a2b${end}`],
		['seven characters of the key', KEY.slice(0, 7)],
		['the placeholder of a user', 'Send your [API Key] as apikey: [API Key]'],
		[
			'signed links',
			'https://s3.example.com/a?X-Amz-Signature=01 [map](https://a.example/?q=1&key=A)',
		],
		['a text with line breaks and quotes', 'a "b"\r\n\t<c>\u00a0'],
	])('%s', (_, text) => {
		expect(redaction.text(text)).toBe(text);
		expect(isUnredacted(redaction.text(text))).toBe(true);
	});

	test.each([
		['too short for a key', 'data', 'No data here'],
		['none', '', 'anything'],
	])('of an account whose key is %s', (_, apiKey, text) => {
		expect(new Redaction({ apiKey }).text(text)).toBe(text);
	});
});

describe('JSON', () => {
	test('loses the API key in all texts and names, and keeps everything else', () => {
		const link = 'https://s3.example.com/a.pdf?X-Amz-Signature=0123';
		const body = { [KEY]: [{ deep: [KEY, 5, null, false], [link]: link }], text: `"${KEY}"` };
		expect(redaction.json(body)).toEqual({
			[REMOVED]: [{ deep: [REMOVED, 5, null, false], [link]: link }],
			text: `"${REMOVED}"`,
		});
		expect(JSON.stringify(body)).toContain(KEY);
	});
});

test.each([
	['550e8400-e29b-41d4-a716-446655440000', true],
	['[API Key]', true],
	[KEY, false],
	[`doc-${KEY}`, false],
	[KEY.slice(0, 8), false],
])('%s is unchanged by the removal: %p', (text, expected) => {
	expect(isUnredacted(redaction.text(text))).toBe(expected);
});

describe('The message of an error loses signed links, and no other links', () => {
	const link = 'https://s3.example.com/a.pdf';
	test.each([
		['Amazon', `${link}?X-Amz-Date=1&X-Amz-Signature=01`],
		['Google', `${link}?X-Goog-Signature=01`],
		['Azure', `${link}?sv=2024&sig=01%3D`],
		['CloudFront', `${link}?Expires=1&Signature=01&Key-Pair-Id=K`],
		['a token', `${link}?access_token=01`],
		['a key', `${link}?a=1&amp;api_key=01`],
		['a link without its start', 'a.pdf?token=01'],
	])('%s', (_, signed) => {
		expect(withoutSignedLinks(`Not stored at "${signed}".`)).toBe(
			'Not stored at "[link removed]".',
		);
	});

	test.each(['https://app.example.com/?page=2#plans', 'A key = 5, a token: 7', 'Which key?'])(
		'%s stays',
		(words) => expect(withoutSignedLinks(words)).toBe(words),
	);
});
