import {
	insteadOfId,
	NO_FILE_IDS,
	readFileIds,
	unlikeIds,
} from '../../../nodes/CometChatKnowledgeBase/input/fileIds';
import { refusal } from '../expectRefused';

const UUID = '550e8400-e29b-41d4-a716-446655440000';

describe('File IDs takes what an upload node hands over', () => {
	test.each<[string, unknown, string[]]>([
		['one whole number', 42, ['42']],
		['whole numbers', [-0, 7, Number.MAX_SAFE_INTEGER], ['0', '7', '9007199254740991']],
		['records with uniqueId', [{ uniqueId: 'a', status: 'indexed' }], ['a']],
		['uniqueId before uploadId before id', [{ id: 1, uploadId: 'u', uniqueId: 'q' }], ['q']],
		['the next field where the first is null', [{ uniqueId: null, id: 5 }], ['5']],
		['a text with commas and new lines', '\n a,\n\n b,c\r\nd\re ,', ['a', 'b', 'c', 'd', 'e']],
		['a list as JSON text', '["a", 2, {"uploadId": "c"}]', ['a', '2', 'c']],
		['white space and byte order marks around IDs', ['  a ', '\tb\n', '\ufeffc'], ['a', 'b', 'c']],
		['a comma inside an entry of a list, as part of the ID', ['a,b'], ['a,b']],
	])('%s', (_, value, ids) => {
		expect(readFileIds(value)).toMatchObject({ ids });
	});

	test.each<[unknown, string[], number]>([
		[['b', 'a', 'b', 'c', 'a'], ['b', 'a', 'c'], 2],
		[['1', 1, ' 1 '], ['1'], 2],
		[['a', 'A'], ['a', 'A'], 0],
	])('a repeated ID is sent once, at its first place: of %j', (value, ids, repeated) => {
		expect(readFileIds(value)).toEqual({ ids, repeated });
	});

	test('a hundred thousand IDs in one item are read', () => {
		const many = Array.from({ length: 100_000 }, (_, index) => `file-${index}`);
		const value = JSON.stringify(many.map((id) => ({ id, fileName: '<b>' })));
		expect(readFileIds(value)).toEqual({ ids: many, repeated: 0 });
	});

	test.each([undefined, null, ' ,\n, ', [], '[]'])('%j is no ID at all', (value) => {
		expect(readFileIds(value)).toBe(NO_FILE_IDS);
	});
});

test.each<[string, boolean]>([
	[UUID, true],
	['60f7b3b3b3b3b3b3b3b3b3b3', true],
	['60f7b3b3b3b3b3b3b3b3b3b3b', false],
	[UUID.replaceAll('-', ''), false],
	[`${UUID}.pdf`, false],
])("%s is like the IDs on CometChat's pages: %p", (id, isLike) => {
	expect(unlikeIds([id])).toEqual(isLike ? [] : [id]);
});

describe('A file is told from the ID of one, and Document: Upload is named for it', () => {
	const drive = { kind: 'drive#file', mimeType: 'application/pdf', id: '1Ab', name: 'a.pdf' };

	test.each<[string, unknown, string]>([
		["n8n's binary data", { fileName: 'a', mimeType: 'text/plain', fileExtension: '' }, 'a'],
		['all binary data of an item', { file_0: { fileName: 'a.md', mimeType: 'x/y' } }, 'a.md'],
		['what a form gives', [{ filename: 'a.pdf', mimetype: 'application/pdf', size: 3 }], 'a.pdf'],
		["an entry of Google Drive, whose ID is Drive's", drive, 'a.pdf'],
		['an entry of Dropbox', { id: 'id:1', name: 'a.docx', type: 'file' }, 'a.docx'],
		['a name that ends like a document, and no ID', { name: 'A.PDF', size: 1 }, 'A.PDF'],
	])('%s', (_, value, name) => {
		expect(refusal(() => readFileIds(value))).toMatchObject({
			what: `'File IDs' is a file ("${name}"), and not the ID of one`,
			remedy: expect.stringContaining('use Document: Upload'),
		});
	});

	test.each<[string, object]>([
		["a record of CometChat's, with name and type", { ...drive, uniqueId: 'a' }],
		['a record of another node, with a name alone', { id: 'a', name: 'x.pdf' }],
		['a record of another node, with a type of its own', { id: 'a', name: 'x', type: 'uploads' }],
	])('%s is an ID as before', (_, record) => {
		expect(readFileIds([record])).toEqual({ ids: ['a'], repeated: 0 });
	});

	test.each<[string[], string[], string | undefined]>([
		[['x', 'price-list.PDF'], ['a.pdf'], '"price-list.PDF" looks like the name of a file'],
		[['x'], ['a.pdf'], 'The item has a file ("a.pdf")'],
		[['x'], [...'abcdef'], 'The item has files ("a", "b", "c", "d", "e", …):'],
		[['550e8400', 'v1.2', 'x.y'], [], undefined],
	])('of %j beside the files %j, unknown to CometChat, is said: %s', (ids, attached, words) => {
		expect(insteadOfId(ids, attached)?.slice(0, words?.length)).toBe(words);
	});
});

describe('Anything else is refused, with its place and what was found there', () => {
	const hole = ['a', 'b', 'c'];
	delete hole[1];
	const asText = 'which is what a file or another object turns into when it stands inside a text';

	test.each<[unknown, string]>([
		[['a', null], "The 2nd entry of 'File IDs' is null"],
		[hole, "The 2nd entry of 'File IDs' is missing"],
		[[['a'], 'b'], "The 1st entry of 'File IDs' is a list inside the list"],
		[['a', ' '], "The 2nd entry of 'File IDs' is an empty text"],
		[[{ b: 1, size: 3 }], `'File IDs' is an object without an ID (it holds "b", "size")`],
		[[{ id: { a: 1 } }], "'File IDs' (its id) is a value of the kind object"],
		[[1.5], "'File IDs' is the number 1.5, which is no ID"],
		['["a", ', `'File IDs' starts like JSON but is not complete JSON: "["a","`],
		['[object Object]', `'File IDs' is "[object Object]", ${asText}`],
		[['a\u200bb'], `'File IDs' has an invisible character (U+200B) in it: "a(U+200B)b"`],
		['x'.repeat(1001), `'File IDs' has 1001 characters, which no ID has: "${'x'.repeat(60)}…"`],
	])('%j', (value, what) => {
		expect(refusal(() => readFileIds(value))).toMatchObject({
			what,
			remedy: expect.stringMatching(/\.$/),
		});
	});
});
