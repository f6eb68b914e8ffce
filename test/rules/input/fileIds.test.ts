import { ValidationIssue } from '../../../nodes/CometChatKnowledgeBase/values/validationIssue';
import {
	insteadOfId,
	filesReader,
	NO_FILE_IDS,
	readFileIds,
	readFileIdsOrSkip,
	unlikeIds,
} from '../../../nodes/CometChatKnowledgeBase/input/fileIds';
import { readOptions } from '../../../nodes/CometChatKnowledgeBase/input/options';
import { given } from '../../../nodes/CometChatKnowledgeBase/values/shown';

const UUID = '550e8400-e29b-41d4-a716-446655440000';

describe('File IDs takes what an upload node hands over', () => {
	test.each<[string, unknown, string[]]>([
		['a list of texts', ['a', 'b'], ['a', 'b']],
		['one ID', UUID, [UUID]],
		['one whole number', 42, ['42']],
		['a big integer', BigInt('90071992547409931'), ['90071992547409931']],
		['the smallest one', BigInt(0), ['0']],
		['a list of whole numbers', [0, 7, Number.MAX_SAFE_INTEGER], ['0', '7', '9007199254740991']],
		['texts and numbers mixed', ['a', 1], ['a', '1']],
		['records with uniqueId', [{ uniqueId: 'a', status: 'indexed' }], ['a']],
		['records with uploadId', [{ uploadId: 'a' }, { uploadId: 'b' }], ['a', 'b']],
		['records with id', [{ id: 5 }], ['5']],
		['one record outside a list', { uploadId: 'a' }, ['a']],
		['uniqueId before uploadId before id', [{ id: 1, uploadId: 'u', uniqueId: 'q' }], ['q']],
		['the next field where the first is null', [{ uniqueId: null, id: 'x' }], ['x']],
		['a text with commas', 'a,b , c', ['a', 'b', 'c']],
		['a text with new lines of any kind', 'a\nb\r\nc\rd', ['a', 'b', 'c', 'd']],
		['a text with empty lines and a comma at its end', '\n a,\n\n b,', ['a', 'b']],
		['a text with white space between commas', 'a, ,b', ['a', 'b']],
		['a text with a bracket in it', 'a[0],b', ['a[0]', 'b']],
		['a list as JSON text', '["a", 2, {"uploadId": "c"}]', ['a', '2', 'c']],
		['a record as JSON text', ' {"uniqueId": "a"} ', ['a']],
		['white space around IDs', ['  a ', '\tb\n'], ['a', 'b']],
		['a comma inside an entry of a list, as part of the ID', ['a,b'], ['a,b']],
		['a text with line breaks, which holds IDs and no headers', 'a\r\nX: 1', ['a', 'X: 1']],
		['a byte order mark around an ID', '\ufeffa\ufeff', ['a']],
		['minus zero', [-0], ['0']],
		['numbers in other spellings', [1, '01', '1.0'], ['1', '01', '1.0']],
		['letters composed, decomposed and wide', ['é', 'e\u0301', 'ａ'], ['é', 'e\u0301', 'ａ']],
		['names of prototypes', '["__proto__","constructor"]', ['__proto__', 'constructor']],
		['a record with such names beside its ID', '{"__proto__":{"id":"x"},"uploadId":"a"}', ['a']],
		['a record whose ID is such a name', [{ id: '__proto__' }], ['__proto__']],
		['JSON text with the same key twice', '{"id":"a","id":"b"}', ['b']],
		['JSON text with escapes', '["\\u0061\\ud83d\\ude42"]', ['a🙂']],
		['IDs with other alphabets and symbols', ['ü/ñ?#%🙂', '__proto__'], ['ü/ñ?#%🙂', '__proto__']],
	])('%s', (_, value, ids) => {
		expect(readFileIds(value)).toEqual({ ids, repeated: 0 });
	});
});

describe('A repeated ID is sent once, at its first place', () => {
	test.each<[string, unknown, string[], number]>([
		['in a list', ['b', 'a', 'b', 'c', 'a'], ['b', 'a', 'c'], 2],
		['as text and number', ['1', 1, ' 1 '], ['1'], 2],
		['in a text', 'x,x', ['x'], 1],
	])('%s', (_, value, ids, repeated) => {
		expect(readFileIds(value)).toEqual({ ids, repeated });
	});

	test('letters of another case are another ID', () => {
		expect(readFileIds(['a', 'A'])).toEqual({ ids: ['a', 'A'], repeated: 0 });
	});
});

describe("An ID is like CometChat's own if its pages show such a one", () => {
	test.each<[string, string, boolean]>([
		['a UUID', UUID, true],
		['a UUID in capital letters', UUID.toUpperCase(), true],
		['24 hexadecimal digits', '60f7b3b3b3b3b3b3b3b3b3b3', true],
		['23 of them', '60f7b3b3b3b3b3b3b3b3b3b', false],
		['25 of them', '60f7b3b3b3b3b3b3b3b3b3b3b', false],
		['24 digits of which one is not hexadecimal', '60f7b3b3b3b3b3b3b3b3b3bg', false],
		['a UUID without its dashes', UUID.replaceAll('-', ''), false],
		['a UUID with something before it', `x${UUID}`, false],
		['a UUID with something behind it', `${UUID}.pdf`, false],
		['an ID of Google Drive', '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms', false],
		['a name', 'guide.pdf', false],
		['a number', '42', false],
	])('%s', (_, id, isLike) => {
		expect(unlikeIds([given(id)])).toEqual(isLike ? [] : [id]);
	});
});

describe('An item without any file ID is told from one with a wrong one', () => {
	test.each<[string, unknown]>([
		['nothing', undefined],
		['null', null],
		['an empty text', ''],
		['a text of white space and separators', ' ,\n, '],
		['an empty list', []],
		['an empty list as JSON text', '[]'],
	])('%s', (_, value) => {
		expect(readFileIds(value)).toBe(NO_FILE_IDS);
	});
});

describe('A file is told from the ID of one, and Document: Upload is named for it', () => {
	const drive = { kind: 'drive#file', mimeType: 'application/pdf', id: '1Ab', name: 'a.pdf' };

	test.each<[string, unknown, string]>([
		["n8n's binary data", { fileName: 'a', mimeType: 'text/plain', fileExtension: '' }, 'a'],
		["n8n's binary data, kept on disk", { ...drive, id: 'filesystem-v2:x' }, 'a.pdf'],
		['all binary data of an item', { file_0: { fileName: 'a.md', mimeType: 'x/y' } }, 'a.md'],
		['what a form gives', [{ filename: 'a.pdf', mimetype: 'application/pdf', size: 3 }], 'a.pdf'],
		['all fields of a form', { Document: { filename: 'a.b', mimetype: 'x/y' }, at: '9' }, 'a.b'],
		["an entry of Google Drive, whose ID is Drive's", drive, 'a.pdf'],
		['an entry of Dropbox', { id: 'id:1', name: 'a.docx', type: 'file' }, 'a.docx'],
		['a name that ends like a document, and no ID', { name: 'A.PDF', size: 1 }, 'A.PDF'],
		['a file as JSON text', JSON.stringify(drive), 'a.pdf'],
	])('%s', (_, value, name) => {
		expect(readFileIds(value)).toMatchObject({
			what: `'File IDs' is a file ("${name}"), and not the ID of one`,
			remedy: expect.stringContaining('For a file itself, use Document: Upload'),
		});
	});

	test.each<[string, object]>([
		["a record of CometChat's, with name and type", { ...drive, uniqueId: 'a' }],
		['what an upload gives, with name and type', { ...drive, uploadId: 'a' }],
		['a record of another node, with a name alone', { id: 'a', name: 'x.pdf' }],
		['a record of another node, with a type of its own', { id: 'a', name: 'x', type: 'uploads' }],
		['a record of another node, whose name is empty', { id: 'a', name: '', type: 'file' }],
	])('%s is an ID as before', (_, record) => {
		expect(readFileIds([record])).toEqual({ ids: ['a'], repeated: 0 });
	});

	const options = readOptions({});

	test('an item that names no file, but has one, is told so', () => {
		if (options instanceof ValidationIssue) throw new Error(options.what);
		expect(readFileIdsOrSkip('', options, {}, ['a.pdf'])).toMatchObject({
			what: `'File IDs' is empty, and the item has a file ("a.pdf")`,
			remedy: expect.stringContaining('use Document: Upload'),
		});
		expect(readFileIdsOrSkip('', options, {})).toMatchObject({ what: "'File IDs' is empty" });
		const skips = { ...options, ifNoFileIds: 'skip' as const };
		expect(readFileIdsOrSkip('', skips, {}, ['a.pdf'])).toMatchObject({ kind: 'skipped' });
	});

	test.each<[string, string[], string[], string | undefined]>([
		[
			'a name',
			['x', 'price-list.PDF'],
			['a.pdf'],
			'"price-list.PDF" looks like the name of a file',
		],
		['an ID, beside a file', ['x'], ['a.pdf'], 'The item has a file ("a.pdf")'],
		['an ID, beside several', ['x'], ['a', 'b'], 'The item has files ("a", "b")'],
		['an ID, beside five', ['x'], [...'abcde'], 'The item has files ("a", "b", "c", "d", "e"):'],
		[
			'an ID, beside more',
			['x'],
			[...'abcdef'],
			'The item has files ("a", "b", "c", "d", "e", …):',
		],
		['an ID', ['550e8400', 'v1.2', 'x.y'], [], undefined],
	])('of %s that CometChat does not know is said what to do', (_, ids, attached, words) => {
		const said = insteadOfId(ids, attached);
		expect(said?.slice(0, words?.length)).toBe(words);
	});
});

describe('What becomes of an item without file IDs is for the user to say', () => {
	const read = (value: unknown, ifNoFileIds: string) => {
		const options = readOptions({ ifNoFileIds });
		if (options instanceof ValidationIssue) throw new Error(options.what);
		return readFileIdsOrSkip(value, options, { uid: 'x' });
	};

	test('it is refused', () => {
		expect(read([], 'fail')).toEqual({
			what: "'File IDs' is empty",
			remedy:
				"Check the expression in File IDs against this item's data. To leave such items out, set 'If No File IDs' under Options to Skip the Item.",
		});
	});

	test('or skipped, and its output says what it asked for and why nothing was done', () => {
		const reason = "The item has no file IDs, and 'If No File IDs' is set to skip it";
		const json = { success: false, uid: 'x', uniqueIds: [], skipped: true, reason };
		expect(read([], 'skip')).toEqual({ kind: 'skipped', json });
	});

	test.each(['fail', 'skip'])('one that has some, or wrong ones, is read (%s)', (choice) => {
		expect(read(['a'], choice)).toEqual({ ids: ['a'], repeated: 0 });
		expect(read([true], choice)).toMatchObject({ what: "'File IDs' is true" });
	});

	test('an issue that was found before stays', () => {
		const issue = new ValidationIssue('what', 'remedy');
		expect(read(issue, 'skip')).toBe(issue);
	});
});

describe('Which files an item means stands in the field that the user chose', () => {
	const read = (filesBy: unknown) => {
		const fields = new Map<string, unknown[]>([
			['filesBy', ['', filesBy]],
			['fileIds', [[], ['by ID']]],
			['pickedFiles', [[], ['picked']]],
		]);
		return filesReader((name) => (index) => fields.get(name)?.[index])(1);
	};

	test.each([
		['list', ['picked']],
		['ids', ['by ID']],
		['', ['by ID']],
	])('"%s": %j', (filesBy, value) => {
		expect(read(filesBy)).toEqual(value);
	});

	test('or in none, if what an expression gives is no choice', () => {
		expect(read('both')).toMatchObject({ what: "'Files' is not one of its choices" });
	});
});

describe('Anything else is refused, with its place and what was found there', () => {
	const hole = ['a', 'b', 'c'];
	delete hole[1];

	test.each<[string, unknown, string]>([
		['null in a list', ['a', null], "The 2nd entry of 'File IDs' is null"],
		['undefined in a list', ['a', 'b', undefined], "The 3rd entry of 'File IDs' is missing"],
		['a hole in a list', hole, "The 2nd entry of 'File IDs' is missing"],
		['true', true, "'File IDs' is true"],
		['false in a list', ['a', false], "The 2nd entry of 'File IDs' is false"],
		['a nested list', [['a'], 'b'], "The 1st entry of 'File IDs' is a list inside the list"],
		['an empty text in a list', ['a', ' '], "The 2nd entry of 'File IDs' is an empty text"],
		[
			'an object without an ID',
			['a', { title: 'x', size: 3 }],
			`The 2nd entry of 'File IDs' is an object without an ID (it holds "title", "size")`,
		],
		[
			'an object with many fields and no ID',
			{ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 },
			`'File IDs' is an object without an ID (it holds "a", "b", "c", "d", "e")`,
		],
		['an empty object', [{}], "'File IDs' is an object without an ID (it holds nothing)"],
		[
			'an object whose ID is an object',
			[{ id: { a: 1 } }],
			"'File IDs' (its id) is a value of the kind object",
		],
		['an ID that is true', [{ uniqueId: true }], "'File IDs' (its uniqueId) is true"],
		['a fraction', [1.5], "'File IDs' is the number 1.5, which is no ID"],
		['a negative number', -1, "'File IDs' is the number -1, which is no ID"],
		['not a number', [NaN], "'File IDs' is the number NaN, which is no ID"],
		[
			'a number that has lost digits',
			[2 ** 53],
			"'File IDs' is the number 9007199254740992, which is no ID",
		],
		['a function', [() => 'a'], "'File IDs' is a value of the kind function"],
		['broken JSON', '["a", ', `'File IDs' starts like JSON but is not complete JSON: "["a","`],
		[
			'an object that became text',
			'[object Object]',
			`'File IDs' is "[object Object]", which is what a file or another object turns into when it stands inside a text`,
		],
		[
			'an object that became text in a list',
			['[object Object]'],
			`'File IDs' is "[object Object]", which is what a file or another object turns into when it stands inside a text`,
		],
		[
			'a zero-width space',
			['a\u200bb'],
			`'File IDs' has an invisible character (U+200B) in it: "a(U+200B)b"`,
		],
		[
			'a text direction mark',
			['\u202eb'],
			`'File IDs' has an invisible character (U+202E) in it: "(U+202E)b"`,
		],
		[
			'a line break inside an entry of a list',
			['a\nb'],
			`'File IDs' has an invisible character (U+000A) in it: "a(U+000A)b"`,
		],
		[
			'half a character',
			['a\ud800'],
			`'File IDs' has an invisible character (U+D800) in it: "a(U+D800)"`,
		],
	])('%s', (_, value, what) => {
		const refused = readFileIds(value);
		expect(refused).toBeInstanceOf(ValidationIssue);
		expect(refused).toMatchObject({ what, remedy: expect.stringMatching(/\.$/) });
	});

	test.each([
		[1, '1st'],
		[2, '2nd'],
		[3, '3rd'],
		[4, '4th'],
		[10, '10th'],
		[11, '11th'],
		[12, '12th'],
		[13, '13th'],
		[21, '21st'],
		[111, '111th'],
		[112, '112th'],
	])('place %i is called the %s', (place, words) => {
		const entries: unknown[] = new Array(place + 1).fill('x');
		entries[place - 1] = null;
		expect(readFileIds(entries)).toMatchObject({ what: expect.stringContaining(`The ${words} `) });
	});

	test('a document in the wrong field is refused with a short excerpt', () => {
		const refused = readFileIds('x'.repeat(5_000_000));
		expect(refused).toMatchObject({
			what: `'File IDs' has 5000000 characters, which no ID has: "${'x'.repeat(60)}…"`,
		});
	});

	test('an ID of a thousand characters is read', () => {
		expect(readFileIds('x'.repeat(1000))).toEqual({ ids: ['x'.repeat(1000)], repeated: 0 });
	});

	test('only a number that has lost digits is told to come as text', () => {
		const asText = 'Pass the ID as text.';
		expect(readFileIds(2 ** 53)).toMatchObject({ remedy: expect.stringContaining(asText) });
		for (const value of [-1, 1.5]) {
			expect(readFileIds(value)).toMatchObject({ remedy: expect.not.stringContaining(asText) });
		}
	});

	const many = Array.from({ length: 100_000 }, (_, index) => `file-${index}`);

	test.each<[string, unknown, number]>([
		['a list', many, 0],
		['a list that repeats them all', [...many, ...many], 100_000],
		['text with commas', many.join(), 0],
		['text with line breaks', many.join('\r\n'), 0],
		['JSON text', JSON.stringify(many), 0],
		['records as JSON text', JSON.stringify(many.map((id) => ({ id, fileName: '<b>' }))), 0],
	])('a hundred thousand IDs in one item are read: %s', (_, value, repeated) => {
		expect(readFileIds(value)).toEqual({ ids: many, repeated });
	});

	test('the place of one bad entry among a hundred thousand is named', () => {
		expect(readFileIds(many.with(99_998, 'a\u0000'))).toMatchObject({
			what: expect.stringContaining('The 99999th entry of'),
		});
	});

	test('5 MB of one ID and commas are one ID', () => {
		expect(readFileIds('a,'.repeat(2_500_000))).toMatchObject({ ids: ['a'] });
	});
});
