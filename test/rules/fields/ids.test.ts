import { FILE_IDS, readIds } from '../../../nodes/CometChatKnowledgeBase/fields/ids';
import { refusal } from '../expectRefused';

const read = (value: unknown) => readIds(value, FILE_IDS);

/** IDs with signs of URLs, patterns and numbers, and with letters that have several forms. */
const VISIBLE = [
	...['a?x=1', '?', '#frag', 'a&b=c;d+e', 'a..b', `${'.'.repeat(254)}a`, 'user@host:80', '$&'],
	...['&lt;b&gt;', 'é', 'e\u0301', 'ａｂ', '🙂❤\ufe0f', '\u{20000}', '\ufffd', 'é'.repeat(255)],
	...['constructor', '__proto__', 'null', 'undefined', 'true', 'NaN', '9007199254740993', '007'],
];

describe('File IDs accepts the output of an upload node', () => {
	test.each<[string, unknown, string[]]>([
		['one whole number', 42, ['42']],
		['whole numbers', [-0, 7, Number.MAX_SAFE_INTEGER], ['0', '7', '9007199254740991']],
		['records with uniqueId', [{ uniqueId: 'a', status: 'indexed' }], ['a']],
		['uniqueId before uploadId', [{ id: 1, uploadId: 'u', uniqueId: 'q' }], ['q']],
		['the next field where the first is null', [{ uniqueId: null, uploadId: 5 }], ['5']],
		["a record of CometChat's, with name and type", [{ uniqueId: 'a', mimeType: 'x/y' }], ['a']],
		['a text with commas and new lines', '\n a,\n\n b,c\r\nd\re ,', ['a', 'b', 'c', 'd', 'e']],
		[
			'quotes, semicolons, bullets and back-ticks around IDs',
			'"a";\'b\'；`c`\n- d\n* e',
			[...'abcde'],
		],
		['rows of Add Files and Sync Folder', { uniqueIds: ['a', 'b'] }, ['a', 'b']],
		[
			'such rows as JSON text',
			'[{ "uniqueIds": ["a", "b"] }, { "uniqueId": "c" }]',
			['a', 'b', 'c'],
		],
		['a hyphen that an ID begins with', '-a', ['-a']],
		['a list as JSON text', '["a", 2, {"uploadId": "c"}]', ['a', '2', 'c']],
		['white space and byte order marks around IDs', ['  a ', '\tb\n', '\ufeffc'], ['a', 'b', 'c']],
		['a comma inside an entry of a list, as part of the ID', ['a,b'], ['a,b']],
		['a repeated ID once, at its first place', ['b', 'a', 'b', 1, '1', ' a '], ['b', 'a', '1']],
		['upper and lower case as two', ['a', 'A'], ['a', 'A']],
		['visible characters that lead nowhere else unchanged', VISIBLE, VISIBLE],
		...[undefined, null, ' ,\n, ', [], '[]'].map((none): [string, unknown, string[]] => [
			`${JSON.stringify(none)} as none`,
			none,
			[],
		]),
	])('%s', (_, value, ids) => {
		expect(read(value)).toEqual(ids);
	});
});

describe('Any other value is refused, with its place, its content, and the operation for a new file', () => {
	const hole = ['a', 'b', 'c'];
	delete hole[1];

	test.each<[unknown, string]>([
		[['a', null], "Value 2 of 'File IDs' is empty"],
		[hole, "Value 2 of 'File IDs' is empty"],
		[[['a'], 'b'], `'File IDs' is "["a"]", which is not an ID`],
		[['a', ' '], "Value 2 of 'File IDs' is empty"],
		[[{ b: 1, size: 3 }], `'File IDs' is "{"b":1,"size":3}", which is not an ID`],
		[[{ id: 5, name: 'a row of a table' }], `'File IDs' is "{"id":5,`],
		[[{ uniqueId: { a: 1 } }], `'File IDs' is "{"a":1}", which is not an ID`],
		['..', `'File IDs' is "..", which is not an ID`],
		[[1.5], `'File IDs' is "1.5", which is not an ID`],
		[[-1], `'File IDs' is "-1", which is not an ID`],
		[true, `'File IDs' is "true", which is not an ID`],
		['["a", ', `'File IDs' is "["a", which is not an ID`],
		['{ "uniqueIds": ["a"', `'File IDs' is "{ "uniqueIds": ["a", which is not an ID`],
		['the price list', `'File IDs' is "the price list", which is not an ID`],
		['a, b<br>', `Value 2 of 'File IDs' is "b‹br›", which is not an ID`],
		['[object Object]', `'File IDs' is "[object Object]", which is not an ID`],
		[['[object Object]'], `'File IDs' is "[object Object]", which is not an ID`],
		[['a\u200bb'], `'File IDs' is "a(U+200B)b", which is not an ID`],
		['x'.repeat(256), `'File IDs' is "${'x'.repeat(60)}…", which is not an ID`],
		[{ fileName: 'a.md', mimeType: 'x/y' }, `'File IDs' is "{"fileName":"a.md",`],
		[{ id: 'id:1', name: 'a.docx', type: 'file' }, `'File IDs' is "{"id":"id:1",`],
	])('%j', (value, what) => {
		expect(refusal(() => read(value))).toMatchObject({
			title: expect.stringContaining(what),
			hint: expect.stringContaining('To upload a file and add it to an agent'),
		});
	});
});
