import type { IDataObject } from 'n8n-workflow';

import type { Rule, Service } from '../service/service';
import { startService } from '../service/service';
import type { Run } from './engine';
import { add, AUTH_KEY, FROM_ITEM, KEY } from './fixture';

/*
 * Tables that grow: a new way to break the node is a new row. A value is either sent as it is, or
 * refused in words before anything is sent. Nothing here is timed: what hangs meets jest's limit.
 * Values that no item can carry, and texts that are bad for regular expressions, are in
 * ../rules/hostile.test.ts.
 */

/** One for all rows: to start one for each would take longer than the rows. */
let running: Service;
const service = () => running;
beforeAll(async () => {
	running = await startService({ apiKey: KEY, authKey: AUTH_KEY, unknownAgents: 'create' });
});
beforeEach(() => running.reset());
afterAll(async () => await running.stop());

type Value = IDataObject[string];

const calm = { agent: 'support-bot', type: 'uploads', files: ['calm'] };
const parameters = { ...FROM_ITEM, sourceType: '={{ $json.type }}' };
const MEGABYTES_5 = 5_000_000;

/** How much anybody is ever shown, whatever the value or the answer. */
const MOST_CHARACTERS = 1500;

/** Runs a hostile item before a calm one. @returns The request of the hostile one. */
async function sent(hostile: IDataObject) {
	const items = [{ ...calm, ...hostile }, calm];
	const run = await add(service(), items, { parameters });
	expect(run.status).toBe('success');
	const [first, second, ...more] = service().requests();
	expect(more).toEqual([]);
	expect(second?.body).toEqual({ uniqueIds: calm.files });
	// A value that became a header, or took one away, would show here.
	expect(Object.keys(first?.headers ?? {})).toEqual(Object.keys(second?.headers ?? {}));
	return { request: first, output: run.output[0]?.json };
}

/** Runs a hostile item after a calm one: the run stops before either is sent. */
async function refused(hostile: IDataObject): Promise<Run> {
	const run = await add(service(), [calm, { ...calm, ...hostile }], { parameters });
	expect(service().log.length).toBe(0);
	expect(run.status).toBe('error');
	expect(run.error).toMatchObject({
		message: expect.stringMatching(/ \[item 1\] \(0 of 2 items applied, 1 failed, 1 not sent\)$/),
		description: expect.stringMatching(/^Nothing was sent for this item\. ./),
	});
	expectShort(run);
	return run;
}

function expectShort({ error, output }: Run) {
	const words = [error?.message, error?.description, JSON.stringify(output[0]?.json.error ?? '')];
	for (const text of words) {
		expect((text ?? '').length).toBeLessThan(MOST_CHARACTERS);
		// n8n shows some messages as HTML.
		expect(text ?? '').not.toMatch(/[<>\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
	}
}

const pathOf = (uid: string, sourceType: string) =>
	`/v3/ai-agents/agent-builder/agents/${encodeURIComponent(uid)}/knowledge-base/${encodeURIComponent(sourceType)}/add`;

describe('File IDs: an ID of any characters that can be seen is sent as it is', () => {
	test.each([
		['a climb out of a folder', '../../etc/passwd'],
		['two dots', '..'],
		['encoded dots and slash', '%2e%2e%2f'],
		['dots encoded twice', '%252e%252e'],
		['backslashes', 'C:\\a\\..\\b'],
		['an address', 'https://user:pass@example.com:1/x?y=1#z'],
		['a query', 'a?x=1'],
		['a fragment', 'a#frag'],
		['signs of a query', 'a&b=c;d+e'],
		['a comma', 'a,b'],
		['encoded line breaks', 'a%0d%0aX-Evil: 1'],
		['encoded NUL', 'a%00'],
		['quotes', `a"b'c\`d`],
		['a statement', "'; DROP TABLE files; --"],
		['a script', '<script>alert(1)</script>'],
		['an entity', '&lt;b&gt;'],
		['an expression of n8n', '={{ $json.agent }}'],
		['a template', '${7*7}{{7*7}}'],
		['a lookup', '${jndi:ldap://127.0.0.1/a}'],
		['patterns of a replacement', "$& $1 $$ $' $`"],
		['composed letters', '\u00e9'],
		['decomposed letters', 'e\u0301'],
		['wide characters', '．．／ａ'],
		['an emoji', '🙂'],
		['an emoji with a variation', '❤\ufe0f'],
		['the last character of all planes', '\u{1f9ff}\u{20000}'],
		['a character that is in no alphabet', '\ufffd'],
		['a space inside', 'a b\u00a0c'],
		['the name of every prototype', '__proto__'],
		['the name of every constructor', 'constructor'],
		['the name of a method', 'toString'],
		['the name of another method', 'hasOwnProperty'],
		['the word null', 'null'],
		['the word undefined', 'undefined'],
		['the word true', 'true'],
		['the word NaN', 'NaN'],
		['digits beyond all numbers', '9007199254740993'],
		['a number with zeros before it', '007'],
		['the longest ID', 'x'.repeat(1000)],
	])('%s', async (_, id) => {
		const { request, output } = await sent({ files: [id, { uniqueId: `${id}2`.slice(-1000) }] });
		const uniqueIds = [...new Set([id, `${id}2`.slice(-1000)])];
		expect(request).toMatchObject({ body: { uniqueIds }, path: pathOf('support-bot', 'uploads') });
		expect(output).toMatchObject({ success: true, uniqueIds });
	});
});

describe('File IDs: what looks like one ID and is several, or the other way round, is told apart', () => {
	test.each<[string, Value, string[]]>([
		['a text with line breaks holds IDs, not headers', 'a\r\nX-Evil: 1', ['a', 'X-Evil: 1']],
		['composed and decomposed letters are two', ['\u00e9', 'e\u0301'], ['\u00e9', 'e\u0301']],
		['narrow and wide letters are two', ['a', 'ａ'], ['a', 'ａ']],
		['a number and its text are one', [1, '1', '01', '1.0'], ['1', '01', '1.0']],
		['minus zero is zero', [-0], ['0']],
		['a byte order mark around an ID is white space', '\ufeffa\ufeff', ['a']],
		[
			'JSON text with names of prototypes',
			'["__proto__","constructor"]',
			['__proto__', 'constructor'],
		],
		[
			'a record with names of prototypes beside its ID',
			'{"__proto__":{"uniqueId":"evil"},"constructor":1,"uploadId":"a"}',
			['a'],
		],
		[
			'a record whose ID is such a name',
			[{ uniqueId: '__proto__' }, { id: 'toString' }],
			['__proto__', 'toString'],
		],
		['JSON text with the same key twice', '{"id":"a","id":"b"}', ['b']],
		['JSON text with escapes', '["\\u0061\\ud83d\\ude42"]', ['a🙂']],
	])('%s', async (_, files, uniqueIds) => {
		const { request } = await sent({ files });
		expect(request?.body).toEqual({ uniqueIds });
	});
});

describe('File IDs: what is no list of IDs is refused, and nothing is sent', () => {
	const nested = (depth: number) => {
		let list: object = ['a'];
		for (let level = 1; level < depth; level++) list = [list];
		return list;
	};

	test.each<[string, Value]>([
		['a NUL', ['a\u0000b']],
		['a control character', ['a\u001b[31mb']],
		['a control character of the second block', ['a\u0085b']],
		['DEL', ['a\u007f']],
		['a header behind a line break', ['a\r\nX-Evil: 1']],
		['a line separator', ['a\u2028b']],
		['a text direction override', 'gpj.\u202eexe'],
		['a text direction isolate', 'a\u2066b'],
		['a zero-width space', 'a\u200bb'],
		['a zero-width joiner, also in an emoji', '👩\u200d💻'],
		['a byte order mark inside', 'a\ufeffb'],
		['a soft hyphen', 'a\u00adb'],
		['an invisible tag', 'a\u{e0041}'],
		['the first half of a character', ['a\ud83d']],
		['the second half of a character', ['\ude42a']],
		['a lone half in JSON text', '["\\ud83d"]'],
		['a NUL in JSON text', '["a\\u0000"]'],
		['a script with an invisible character', ['<img src=x onerror=alert(1)>\u200b!']],
		['a negative number', [-1]],
		['a number beyond the safe ones', [Number.MAX_SAFE_INTEGER + 1]],
		['a number in powers of ten', [1e21]],
		['the largest number', Number.MAX_VALUE],
		['a fraction', 0.1],
		['not a number', [NaN]],
		['infinity', [Infinity]],
		['infinity in JSON text', '[1e999]'],
		['a number that loses digits in JSON text', '[9007199254740993]'],
		['a list in a list', [['a']]],
		['a thousand lists in each other', nested(1000)],
		['a hundred thousand lists in each other, as JSON text', '['.repeat(1e5) + ']'.repeat(1e5)],
		[
			'a hundred thousand records in each other, as JSON text',
			'{"a":'.repeat(1e5) + '1' + '}'.repeat(1e5),
		],
		['an open bracket', '['],
		['an open record', '{"a":'],
		['a web page in JSON text', '[<script>alert(1)</script>]'],
		['JSON text with something behind it', '["a"] and more'],
		['an object that became text', '[object Object]'],
		['an object that became text inside a list', ['[object Object]']],
		['a record that has its ID only in its prototype, as JSON text', '{"__proto__":{"id":"x"}}'],
		['a record whose ID is a record', '{"id":{"id":"x"}}'],
		['a record with names of prototypes', '{"constructor":"x","toString":"x"}'],
		['a record with a script as its name', [{ '<script>alert(1)</script>': 1 }]],
		['a record with huge names', [{ ['<'.repeat(1e6)]: 1, ['y'.repeat(1e6)]: 2 }]],
		[
			'a record of a hundred thousand fields',
			Object.fromEntries(Array.from({ length: 1e5 }, (_, i) => [`k${i}`, i])),
		],
		['a document of 5 MB', 'x'.repeat(MEGABYTES_5)],
		['a document of 5 MB of tags', '<'.repeat(MEGABYTES_5)],
		['5 MB of invisible characters', '\u200b'.repeat(MEGABYTES_5)],
		['5 MB of control characters in a list', ['\u0001'.repeat(MEGABYTES_5)]],
		['5 MB of halves of characters', '\ud800'.repeat(MEGABYTES_5)],
		['5 MB of brackets', '['.repeat(MEGABYTES_5)],
		['5 MB of what looks like JSON', `[${'x'.repeat(MEGABYTES_5)}`],
		['5 MB of spaces between two letters', `a${' '.repeat(MEGABYTES_5)}b`],
		['5 MB of commas', ','.repeat(MEGABYTES_5)],
		['5 MB of white space', ' \t\u00a0\ufeff'.repeat(MEGABYTES_5 / 4)],
	])('%s', async (_, files) => {
		const { error } = await refused({ files });
		expect(error?.message).toMatch(/^(?:The \d+(?:st|nd|rd|th) entry of )?'File IDs' /);
	});

	test('the place of one bad entry among a hundred thousand is named', async () => {
		const files = Array.from({ length: 100_000 }, (_, index) => `f${index}`);
		const { error } = await refused({ files: files.with(99_998, 'a\u0000') });
		expect(error?.message).toContain(
			`The 99999th entry of 'File IDs' has an invisible character (U+0000)`,
		);
	});
});

describe('File IDs: however many there are, they go in one request, each once', () => {
	/** In place of `toEqual`, which would print megabytes, and take minutes to compare them. */
	const expectSame = (found: string[] | undefined, ids: string[]) => {
		expect(found?.length).toBe(ids.length);
		expect(found?.find((id, index) => id !== ids[index])).toBeUndefined();
	};
	const many = Array.from({ length: 100_000 }, (_, index) => `file-${index}`);

	test.each<[string, Value]>([
		['a list', many],
		['a text with commas', many.join()],
		['a text with line breaks', many.join('\r\n')],
		['JSON text', JSON.stringify(many)],
		['records', many.map((id) => ({ uploadId: id, fileName: '<b>' }))],
		['records as JSON text', JSON.stringify(many.map((id) => ({ id })))],
		['a list that repeats them all', [...many, ...many]],
	])('a hundred thousand as %s', async (_, files) => {
		const { request } = await sent({ files });
		expectSame(request?.uniqueIds, many);
		expect(service().files('support-bot', 'uploads').length).toBe(100_001);
	});

	test('5 MB of one ID and commas are one ID', async () => {
		const { request } = await sent({ files: 'a,'.repeat(MEGABYTES_5 / 2) });
		expect(request?.body).toEqual({ uniqueIds: ['a'] });
	});

	test('5 MB of IDs and commas all arrive', async () => {
		const ids = Array.from({ length: MEGABYTES_5 / 1000 }, (_, index) =>
			`${index}`.padEnd(999, 'x'),
		);
		const { request } = await sent({ files: ids.join() });
		expectSame(request?.uniqueIds, ids);
	});
});

describe.each([
	['Agent', 'agent' as const],
	['Source Type', 'type' as const],
])('%s', (label, field) => {
	const expectPath = async (value: Value, text: string) => {
		const { request, output } = await sent({ [field]: value });
		const uid = field === 'agent' ? text : calm.agent;
		const sourceType = field === 'type' ? text : calm.type;
		const uniqueIds = calm.files;
		expect(request).toMatchObject({ uid, sourceType, path: pathOf(uid, sourceType) });
		expect(request?.body).toEqual({ uniqueIds });
		expect(output).toMatchObject({ success: true, uid, sourceType, uniqueIds });
	};

	describe('what stays one part of the address is sent as it is, encoded', () => {
		test.each([
			['a query', 'a?x=1'],
			['a question mark', '?'],
			['a fragment', '#frag'],
			['signs of a query', 'a&b=c;d+e'],
			['a semicolon', 'a;b'],
			['dots inside', 'a..b'],
			['as many dots as have room, and a letter', `${'.'.repeat(254)}a`],
			['a user name and host', 'user@host:80'],
			['quotes', `a"b'c\`d`],
			['angle brackets', '<b>'],
			['brackets', '[::1]{}|^*~!()$,'],
			['an expression of n8n', '={{ $json.files }}'],
			['a template', '${7*7}{{7*7}}'],
			['patterns of a replacement', "$& $1 $$ $' $`"],
			['a space inside', 'a b\u00a0c'],
			['composed letters', '\u00e9'],
			['decomposed letters', 'e\u0301'],
			['wide letters', 'ａｂ'],
			['an emoji', '🙂❤\ufe0f'],
			['characters beyond the first plane', '\u{20000}'],
			['the name of every prototype', '__proto__'],
			['the name of every constructor', 'constructor'],
			['the name of a method', 'toString'],
			['the name of another method', 'hasOwnProperty'],
			['the word null', 'null'],
			['the word undefined', 'undefined'],
			['an object that became text', '[object Object]'],
			['text that looks like JSON', '["a"]'],
			['the name of another action', 'add'],
			['the longest value', 'é'.repeat(255)],
		])('%s', async (_, value) => await expectPath(value, value));

		test.each<[string, Value, string]>([
			['a whole number', 42, '42'],
			['minus zero', -0, '0'],
			['a byte order mark around it', '\ufeffa\ufeff', 'a'],
			['line breaks around it', '\r\na\r\n', 'a'],
		])('%s', async (_, value, text) => await expectPath(value, text));
	});

	describe('what could leave its place in the address is refused, and nothing is sent', () => {
		test.each<[string, Value]>([
			['a dot', '.'],
			['two dots', '..'],
			['two dots and white space', ' ..\t'],
			['many dots', '......'],
			['dots before a semicolon', '..;'],
			['a slash', '/'],
			['a climb', '../../v2/users'],
			['a climb from inside', 'a/../b'],
			['another host', '//example.com'],
			['an address', 'https://example.com/'],
			['a backslash', '..\\..'],
			['an encoded dot', '%2e%2e'],
			['an encoded slash', 'a%2fb'],
			['an encoded backslash', 'a%5cb'],
			['an encoded NUL', 'a%00'],
			['an encoded line break', 'a%0d%0aX-Evil: 1'],
			['a slash encoded twice', 'a%252fb'],
			['dots in an old encoding', '%c0%ae%c0%ae'],
			['a percent sign alone', '100%'],
			['wide dots', '．．'],
			['small dots', '﹒﹒'],
			['one dot leaders', '․․'],
			['a two dot leader', '‥'],
			['an ellipsis', '…'],
			['a wide slash', 'a／b'],
			['a letter with a slash in it', 'a℀b'],
			['a wide backslash', 'a＼b'],
			['a small backslash', 'a﹨b'],
			['a wide percent sign', '％2e％2e'],
			['a small percent sign', '﹪2e'],
			['a header behind a line break', 'a\r\nX-Evil: 1'],
			['a second request line', 'a HTTP/1.1\r\nHost: example.com'],
			['a NUL', 'a\u0000b'],
			['a control character', 'a\u001bb'],
			['a text direction override', 'a\u202eb'],
			['a zero-width space', 'a\u200bb'],
			['a byte order mark inside', 'a\ufeffb'],
			['half a character', 'a\ud800'],
			['a script', '<script>alert(1)</script>'],
			['one character too many', 'x'.repeat(256)],
			['5 MB', 'x'.repeat(MEGABYTES_5)],
			['5 MB of dots', '.'.repeat(MEGABYTES_5)],
			['5 MB of tags', '<'.repeat(MEGABYTES_5)],
			['5 MB of invisible characters', '\u200b'.repeat(MEGABYTES_5)],
			['5 MB of characters that become eighteen each', '\ufdfa'.repeat(MEGABYTES_5)],
			['5 MB of white space', ' '.repeat(MEGABYTES_5)],
			['nothing', ''],
			['null', null],
			['true', true],
			['a negative number', -1],
			['a fraction', 1.5],
			['a number beyond the safe ones', Number.MAX_SAFE_INTEGER + 1],
			['a number in powers of ten', 1e21],
			['not a number', NaN],
			['infinity', Infinity],
			['a list', ['support-bot']],
			['a record', { value: { value: 'support-bot' } }],
			['a record of prototype names', { constructor: 'a', toString: 'b' }],
		])('%s', async (_, value) => {
			const { error } = await refused({ [field]: value });
			expect(error?.message.startsWith(`'${label}' `)).toBe(true);
		});
	});
});

test('in a run that goes on, hostile items fail in their place and the others are sent', async () => {
	const hostile = [
		{ agent: '../x' },
		{ type: 'a\r\nb' },
		{ files: '\u200b'.repeat(MEGABYTES_5) },
		{ files: ['<b>\u0000'] },
	];
	const items = hostile.flatMap((item) => [{ ...calm, ...item }, calm]);
	const { output } = await add(service(), items, { parameters, onError: 'continueRegularOutput' });
	expect(service().requests()).toHaveLength(4);
	expect(output.map(({ json }) => Object.keys(json)[0])).toEqual(
		hostile.flatMap(() => ['error', 'success']),
	);
	expect(JSON.stringify(output).length).toBeLessThan(8 * MOST_CHARACTERS);
	expect(JSON.stringify(output)).not.toMatch(/[<>]/);
});

test('items that share requests stay with their own agent and source type, however these are called', async () => {
	const pairs = [
		['a b', 'c'],
		['a', 'b c'],
		['a', 'b","c'],
		['a","b', 'c'],
		['__proto__', 'constructor'],
		['constructor', '__proto__'],
		['é', 'x'],
		['e\u0301', 'x'],
	];
	const items = [1, 2].flatMap((round) =>
		pairs.map(([agent, type], pair) => ({ agent, type, files: [`${pair}.${round}`, '__proto__'] })),
	);
	for (const keepOrder of [true, false]) {
		service().reset();
		const options = { combineItems: true, keepOrder };
		const { output } = await add(service(), items, { parameters, options });
		expect(output.map(({ json }) => json.success)).toEqual(items.map(() => true));
		for (const [pair, [agent = '', type = '']] of pairs.entries()) {
			const files = service().files(agent, type).sort();
			expect(files).toEqual([`${pair}.1`, `${pair}.2`, '__proto__']);
		}
	}
});

describe('A hostile answer is told in a few words, and nothing of it is kept beside them', () => {
	const nested = (depth: number, open: string, close: string) =>
		`${open.repeat(depth)}1${close.repeat(depth)}`;
	const error = (of: object) => JSON.stringify({ error: of });
	const refusal = 'CometChat refused the request';
	const long = 'x'.repeat(MEGABYTES_5);

	test.each<[string, Rule, string, string]>([
		['5 MB of text', { status: 400, body: long }, refusal, 'xxx…'],
		[
			'5 MB of white space',
			{ status: 400, body: ' '.repeat(MEGABYTES_5) },
			refusal,
			'the answer is empty.',
		],
		[
			'a word behind 5 MB of white space',
			{ status: 400, body: `${' '.repeat(MEGABYTES_5)}no` },
			refusal,
			': no.',
		],
		[
			'5 MB of NUL',
			{ status: 400, body: '\u0000'.repeat(MEGABYTES_5) },
			refusal,
			': nothing that can be shown.',
		],
		[
			'5 MB of tags',
			{ status: 400, body: '<title '.repeat(MEGABYTES_5 / 7) },
			refusal,
			': a web page, not data.',
		],
		[
			'a web page with a title of 5 MB',
			{ status: 400, body: `<title>${long}` },
			refusal,
			': a web page, not data.',
		],
		[
			'a web page with tags in its title',
			{ status: 400, body: '<title>&lt;b&gt; "x"</title>' },
			refusal,
			'titled',
		],
		['a message of 5 MB', { status: 400, body: error({ message: long }) }, refusal, 'xxx…'],
		['5 MB without a message', { status: 400, body: error({ other: long }) }, refusal, 'xxx…'],
		[
			'a message of a million parts',
			{ status: 400, body: JSON.stringify({ message: new Array(1e6).fill('x') }) },
			refusal,
			'x; x',
		],
		[
			'lists nested deep',
			{ status: 400, body: nested(1e5, '[', ']') },
			refusal,
			': data that can not be shown.',
		],
		[
			'records nested deep',
			{ status: 400, body: nested(1e5, '{"a":', '}') },
			refusal,
			': data that can not be shown.',
		],
		[
			'a message nested deep',
			{ status: 400, body: `{"error":{"message":${nested(1e5, '[', ']')}}}` },
			refusal,
			': data that can not be shown.',
		],
		[
			'a message of control characters',
			{ status: 400, message: '\u0000\u001b\u0007\u200b\u202e' },
			refusal,
			': nothing that can be shown.',
		],
		[
			'a message with control characters',
			{ status: 400, message: 'a\u0000b\r\nc\u202ed' },
			refusal,
			': a b c d.',
		],
		[
			'a message of halves of characters',
			{ status: 400, body: '{"error":{"message":"\\ud800a\\udc00"}}' },
			refusal,
			': a.',
		],
		[
			'a message cut inside a character',
			{ status: 400, message: `${'x'.repeat(299)}🙂🙂` },
			refusal,
			'xxx…',
		],
		[
			'a message of tags',
			{ status: 400, message: '<img src=x onerror=alert(1)>' },
			refusal,
			': img src=x onerror=alert(1).',
		],
		[
			'a message that is a number',
			{ status: 400, body: error({ message: 5 }) },
			refusal,
			'{"error":{"message":5}}.',
		],
		[
			'a code of 10 kB',
			{ status: 400, code: 'X'.repeat(10_000), message: 'm', envelope: 'gateway' },
			refusal,
			'status 400: m.',
		],
		[
			'a code with tags',
			{ status: 400, code: '<b>', message: 'm', envelope: 'gateway' },
			refusal,
			'status 400: m.',
		],
		...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'].map(
			(code): [string, Rule, string, string] => [
				`the code ${code}`,
				{ status: 400, code, message: 'm', envelope: 'gateway' },
				refusal,
				`status 400 (${code}): m.`,
			],
		),
		[
			'a body of prototype names',
			{ status: 400, body: '{"__proto__":{"message":"evil"},"constructor":{"message":"evil"}}' },
			refusal,
			'__proto__',
		],
		[
			'a code in a prototype',
			{
				status: 400,
				body: '{"error":{"__proto__":{"code":"ERR_AGENT_NOT_FOUND","message":"evil"},"message":"m"}}',
			},
			refusal,
			'status 400: m.',
		],
		[
			'success in a prototype',
			{ status: 200, body: '{"__proto__":{"success":true}}' },
			'CometChat did not confirm the change',
			'__proto__',
		],
		[
			'success in a list',
			{ status: 200, body: '[{"success":true}]' },
			'CometChat did not confirm the change',
			'success',
		],
		[
			'success nested deep',
			{ status: 200, body: nested(1e5, '{"success":', '}') },
			'CometChat did not confirm the change',
			': data that can not be shown.',
		],
		[
			'a header of 10 kB',
			{ status: 400, headers: { 'X-Big': 'x'.repeat(10_000) }, message: 'm' },
			refusal,
			': m.',
		],
		[
			'a header with the name of every prototype',
			{ status: 400, headers: { __proto__x: 'a', constructor: 'b' }, message: 'm' },
			refusal,
			': m.',
		],
		[
			'headers larger than Node takes',
			{ status: 400, headers: { 'X-Big': 'x'.repeat(100_000) } },
			'The connection to CometChat was lost',
			'HPE_HEADER_OVERFLOW',
		],
		[
			'a place to go to of 10 kB',
			{ status: 302, headers: { Location: `http://127.0.0.1:9/${'x'.repeat(10_000)}` } },
			'CometChat sent the request on to another address',
			'status 302',
		],
		[
			'a status that does not exist',
			{ status: 799, message: 'm' },
			'CometChat is not able to answer right now',
			'status 799',
		],
	])('%s', async (_, rule, message, said) => {
		service().script(rule);
		const run = await add(service(), [calm]);
		expect(service().requests()).toHaveLength(1);
		expect(run.error?.message).toBe(`${message} [item 0]`);
		expect(run.error?.description).toContain(said);
		expect(run.error?.description).not.toContain('evil.');
		expectShort(run);
		expect(run.stored.length).toBeLessThan(20 * MOST_CHARACTERS);
	});

	test('a run that goes on, goes on behind each of them', async () => {
		const bodies = [
			long,
			nested(1e5, '[', ']'),
			nested(1e5, '{"a":', '}'),
			error({ code: 'constructor' }),
		];
		service().script(...bodies.map((body) => ({ status: 400, body })));
		const run = await add(service(), [...bodies.map(() => calm), calm], {
			onError: 'continueRegularOutput',
		});
		expect(run.output.map(({ json }) => json.success ?? json.error)).toMatchObject([
			...bodies.map((_, item) => ({
				item,
				message: `${refusal} [item ${item}]`,
				effect: 'not applied',
			})),
			true,
		]);
		expect(run.stored.length).toBeLessThan(20 * MOST_CHARACTERS);
	});

	test('5 MB around a success are dropped', async () => {
		service().script({
			status: 200,
			body: JSON.stringify({ success: true, junk: long }),
			apply: true,
		});
		const { output, stored } = await add(service(), [calm]);
		expect(output[0]?.json.success).toBe(true);
		expect(stored.length).toBeLessThan(20 * MOST_CHARACTERS);
	});
});

describe('Retry-After is a pause that can be kept, or one that is told, or nothing', () => {
	const options = { maxAttempts: 3, maxWaitSeconds: 0 };

	test.each([
		['a number that is no number any more', '1e309'],
		['a power of ten', '1e3'],
		['a negative number', '-5'],
		['minus zero', '-0'],
		['a sixteenth', '0x10'],
		['a sign', '+5'],
		['a space inside', '1 0'],
		['two pauses', '5, 5'],
		['the word Infinity', 'Infinity'],
		['the word NaN', 'NaN'],
		['nothing', ''],
		['a script', '<script>alert(1)</script>'],
		['a prototype name', '__proto__'],
		['a day that does not exist', 'Fri, 99 Foo 2026 99:99:99 GMT'],
		['a date of 10 kB', `Fri, ${'1'.repeat(10_000)}`],
		['open brackets behind a day', `Fri, ${'('.repeat(10_000)}`],
	])('%s is nothing: our own pauses, and as many attempts as allowed', async (_, retryAfter) => {
		service().script({ times: Infinity, status: 503, retryAfter });
		const run = await add(service(), [calm], { options });
		expect(service().requests()).toHaveLength(3);
		expect(run.error?.description).toContain('The item was sent 3 times.');
		expectShort(run);
	});

	test.each([
		['twenty digits', '99999999999999999999'],
		['a thousand digits', '9'.repeat(1000)],
		['10 kB of digits', '9'.repeat(10_000)],
		['a fraction of 10 kB', `1.${'9'.repeat(10_000)}`],
		['the last year of HTTP', 'Fri, 31 Dec 9999 23:59:59 GMT'],
	])(
		'%s is a pause too long: the item is sent once, and the words say so',
		async (_, retryAfter) => {
			for (const status of [429, 503]) {
				service().reset();
				service().script({ status, retryAfter });
				const run = await add(service(), [calm, { ...calm, files: ['b'] }], {
					options,
					onError: 'continueRegularOutput',
				});
				const isForAll = status === 429;
				expect(service().requests()).toHaveLength(isForAll ? 1 : 2);
				expect(run.output[0]?.json.error).toMatchObject({
					attempts: 1,
					description: expect.stringMatching(/CometChat asked to wait \d{1,9} s; 'Max Wait/),
				});
				expect(run.output[1]?.json).toMatchObject(
					isForAll ? { error: { attempts: 0, effect: 'not applied' } } : { success: true },
				);
				expectShort(run);
			}
		},
	);

	test.each([
		['a date that has passed', 'Thu, 01 Jan 1970 00:00:00 GMT'],
		['zero', '0'],
		['zero with 10 kB of zeros', '0'.repeat(10_000)],
	])('%s is no pause longer than our own', async (_, retryAfter) => {
		service().script({ times: 2, status: 429, retryAfter });
		const { output } = await add(service(), [calm], { options });
		expect(output[0]?.json.success).toBe(true);
		expect(service().requests()).toHaveLength(3);
	});

	test.each([
		['x-ratelimit-reset', '9'.repeat(10_000)],
		['x-ratelimit-reset', '-1'],
		['x-rate-limit-reset', '1e309'],
		['date', `Fri, ${'('.repeat(10_000)}`],
	])('%s that makes no sense is nothing', async (header, value) => {
		service().script({ times: Infinity, status: 429, headers: { [header]: value } });
		const run = await add(service(), [calm], { options });
		expect(service().requests()).toHaveLength(3);
		expectShort(run);
	});
});
