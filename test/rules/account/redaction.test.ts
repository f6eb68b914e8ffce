import { isWhole, Redaction } from '../../../nodes/CometChatKnowledgeBase/account/redaction';
import { Secret } from '../../../nodes/CometChatKnowledgeBase/values/json';

const KEY = ['0f1e2d3c4b', '5a69788796', 'a5b4c3d2e1', 'f001234567'].join('');
const redaction = new Redaction({ apiKey: KEY });
const ADDRESS = 'https://s3.example.com/a.pdf?X-Amz-Signature=0123';

const percent = [...KEY].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('');

describe('What a service repeats of the key is taken out of a text', () => {
	test.each([
		['whole', `The key ${KEY} is bad: ${KEY}`, 'The key [API Key] is bad: [API Key]'],
		['masked', `The ${KEY.slice(0, 5)}…${KEY.slice(-5)} key`, 'The [API Key] key'],
		['masked with letters', `${KEY.slice(0, 4)}xxxxxxxx${KEY.slice(-4)}`, '[API Key]'],
		['masked with a word', `${KEY.slice(0, 4)}[hidden]${KEY.slice(-4)}`, '[API Key]'],
		['its first half', `${KEY.slice(0, 20)} and so on`, '[API Key] and so on'],
		['percent-encoded', `a=${percent}&b`, 'a=[API Key]&b'],
		['not at all', 'The key is bad', 'The key is bad'],
	])('%s', (_, text, redacted) => {
		expect(redaction.text(text)).toBe(redacted);
	});

	test.each(['', 'a', 'ab', 'abc', 'apikey: '])('in Base64 behind %j', (before) => {
		for (const encoded of [btoa(`${before}${KEY}`), btoa(`${before}${KEY} and more`)]) {
			const { length } = encoded;
			expect(redaction.text(encoded)).toContain('[API Key]');
			expect(redaction.text(encoded).length).toBeLessThan(length - 40);
		}
	});

	test('with signs in it that mean something to a pattern, to an address and to JSON', () => {
		const apiKey = '(a+$[b]*c?d|e.f^g{h}"\\/';
		const hidden = new Redaction({ apiKey });
		for (const text of [
			apiKey,
			`(a+$…{h}"\\/`.replace('{h}', 'h}'),
			encodeURIComponent(apiKey),
			JSON.stringify([apiKey]),
			btoa(apiKey),
			btoa(`?>${apiKey}`).replaceAll('+', '-').replaceAll('/', '_'),
		]) {
			expect(hidden.text(`x ${text} y`)).toContain('[API Key]');
		}
	});
});

describe('What begins and ends like the key is not taken for it, where it may be an ID', () => {
	const [start, end] = [KEY.slice(0, 4), KEY.slice(-4)];
	test.each([
		['24 digits', `${start}9a8b7c6d5e4f3a2b${end}`],
		['a UUID', `${start}9a8b-7c6d-5e4f-3a2b-1c0d9e8f${end}`],
		['the two ends alone', `${start}${end}`],
	])('%s', (_, id) => {
		expect(redaction.text(id)).toBe(id);
	});

	test.each([
		['too short for a key', 'data', 'No data here'],
		['none', '', 'anything'],
	])('nor anything of a key that is %s', (_, apiKey, text) => {
		expect(new Redaction({ apiKey }).text(text)).toBe(text);
	});
});

describe('Signed addresses are taken out of a text', () => {
	test.each([
		['quoted', `See "${ADDRESS}".`, 'See "[address]".'],
		['beside the key', `${KEY} ${ADDRESS}`, '[API Key] [address]'],
	])('%s', (_, text, redacted) => {
		expect(redaction.text(text)).toBe(redacted ?? text);
	});

	test('also where the mark lies between two pieces of a word that has no end', () => {
		for (const before of [8190, 8191, 8192]) {
			const text = redaction.text(`${'a'.repeat(before)}X-Amz-Signature=0123456789`);
			expect(text).not.toContain('0123456789');
		}
	});
});

describe('JSON', () => {
	test('is redacted in all of its texts and names, and what is no text stays', () => {
		const body = { [KEY]: [{ deep: [KEY, 5, null, false], [ADDRESS]: 'x' }], text: `"${KEY}"` };
		expect(redaction.json(body)).toEqual({
			'[API Key]': [{ deep: ['[API Key]', 5, null, false], '[address]': 'x' }],
			text: '"[API Key]"',
		});
		expect(JSON.stringify(body)).toContain(KEY);
	});

	test('an address to upload to can be used, and nothing else', () => {
		const body = redaction.json({ uploads: [{ uploadId: 'u', presignedUrl: ADDRESS }] });
		const [upload] = Object(body).uploads;
		const { presignedUrl } = upload;
		expect(presignedUrl).toBeInstanceOf(Secret);
		expect(presignedUrl.use((url: string) => url)).toBe(ADDRESS);
		expect(JSON.stringify(body)).toBe('{"uploads":[{"uploadId":"u","presignedUrl":"[address]"}]}');
		expect(`${presignedUrl}`).toBe('[address]');
		expect(Object.values(presignedUrl)).toEqual(['[address]']);
	});

	test.each([
		['lists', '['.repeat(100_000) + ']'.repeat(100_000)],
		['records', '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000)],
	])('%s nested without end are cut, and can be written', (_, text) => {
		const body = redaction.json({ success: true, deep: JSON.parse(text) });
		expect(body).toMatchObject({ success: true });
		expect(JSON.stringify(body)).toContain('data that cannot be shown');
	});
});

test.each([
	['550e8400-e29b-41d4-a716-446655440000', true],
	[KEY, false],
	[`doc-${KEY}`, false],
	[ADDRESS, false],
])('%s is whole: %p', (text, expected) => {
	expect(isWhole(redaction.text(text))).toBe(expected);
});
