import { withoutKey } from '../../nodes/CometChatKnowledgeBase/account/account';
import { readSourceType, readUid } from '../../nodes/CometChatKnowledgeBase/input/identifiers';
import { ValidationIssue } from '../../nodes/CometChatKnowledgeBase/values/validationIssue';
import { invisibleCharacter, quoted } from '../../nodes/CometChatKnowledgeBase/values/quoting';
import { explain, serviceWords } from '../../nodes/CometChatKnowledgeBase/results/messages';
import { readFileIds } from '../../nodes/CometChatKnowledgeBase/input/fileIds';
import type { ServiceResponse } from '../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import {
	effectOf,
	isSuccess,
	isWrongAddress,
	toServiceResponse,
	toNetworkFailure,
} from '../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import { retryAfterMs } from '../../nodes/CometChatKnowledgeBase/requests/retryPolicy';

/*
 * Tables that grow: a new way to break the node is a new row. Nothing here is timed: what hangs meets
 * jest's limit.
 */

/** How much anybody is ever shown of a value. */
const MOST_CHARACTERS = 1000;

function expectComplaint(found: unknown, label: string): void {
	expect(found).toBeInstanceOf(ValidationIssue);
	if (!(found instanceof ValidationIssue)) return;
	expect(found.what).toContain(label);
	expect(found.what.length).toBeLessThan(MOST_CHARACTERS);
	expect(found.remedy).toMatch(/\.$/);
	expect(found.what + found.remedy).not.toMatch(/[<>\p{Cc}\p{Cf}\p{Cs}]/u);
}

/** A record or a list that refers to itself. */
function cyclic(kind: 'record' | 'list'): object {
	const record: Record<string, unknown> = {};
	record.id = record;
	const list: unknown[] = [];
	list.push(list);
	return kind === 'record' ? record : list;
}

function nested(depth: number): unknown {
	let list: unknown = 'a';
	for (let level = 0; level < depth; level++) list = [list];
	return list;
}

function listOfLength(length: number, ...first: unknown[]): unknown[] {
	first.length = length;
	return first;
}

const throwing = () => {
	throw new Error('<b>words of a stranger</b>');
};
const revoked = (target: object) => {
	const { proxy, revoke } = Proxy.revocable(target, {});
	revoke();
	return proxy;
};

describe('A value that is no plain data is refused in words, whatever it does when it is looked at', () => {
	test.each<[string, unknown]>([
		[
			'a record whose fields throw',
			{
				get id() {
					return throwing();
				},
				get value() {
					return throwing();
				},
			},
		],
		['a Proxy that throws', new Proxy({}, { get: throwing, ownKeys: throwing, has: throwing })],
		['a list behind a Proxy that throws', new Proxy(['a'], { get: throwing })],
		['a revoked Proxy', revoked({})],
		['a revoked Proxy of a list', revoked([])],
		['a record that can say no text', { toString: throwing, valueOf: throwing }],
		['a record with a text of its own', { toString: () => 'a' }],
		['a record with JSON of its own', { toJSON: () => 'a' }],
		['a record without a prototype', Object.create(null)],
		['a record in a record', { id: { id: 'a' }, value: { value: 'a' } }],
		['a record that holds itself', cyclic('record')],
		['a list that holds itself', cyclic('list')],
		['a hundred thousand lists in each other', nested(100_000)],
		['a list with a huge length and nothing in it', listOfLength(1e8)],
		['a list with the largest length', listOfLength(2 ** 32 - 1)],
		['a list with a huge length behind its first entry', listOfLength(1e8, 'a')],
		['a list in a list, with a huge length', [listOfLength(1e8)]],
		[
			'a record whose ID is a list with a huge length',
			{ id: listOfLength(1e8), value: listOfLength(1e8) },
		],
		['a record with a huge length', { length: 1e8 }],
		['a date', new Date(0)],
		['no date', new Date(NaN)],
		['a map', new Map([['id', 'a']])],
		['a set', new Set(['a'])],
		['a symbol', Symbol('a')],
		['a symbol in a list', [Symbol.iterator]],
		['a function', () => 'a'],
		['a class', class A {}],
		['an error', new Error('<b>')],
		['a regular expression', /a/],
		['a promise', Promise.resolve('a')],
		['a boxed text', Object('a')],
		['bytes', new Uint8Array(100_000)],
		['a buffer', new ArrayBuffer(100_000)],
		[
			'a generator',
			(function* () {
				yield 'a';
			})(),
		],
		['a negative big integer', BigInt(-5)],
		['a huge negative big integer', -(BigInt(10) ** BigInt(20_000))],
		['a huge big integer', BigInt(10) ** BigInt(20_000)],
		[
			'the names of every prototype',
			JSON.parse('{"__proto__":{"id":"a","value":"a"},"constructor":1}'),
		],
		['names of invisible characters', { ['\u200b'.repeat(9)]: 1, '\u202e': 2, '\u0000': 3 }],
		['a name of half a million tags', { ['<b>'.repeat(500_000)]: 1 }],
	])('%s', (_, value) => {
		expectComplaint(readFileIds(value), "'File IDs'");
		expectComplaint(readFileIds(['a', value]), "'File IDs'");
		expectComplaint(readUid(value), "'Agent'");
		expectComplaint(readUid({ __rl: true, mode: 'id', value }), "'Agent'");
		expectComplaint(readSourceType(value), "'Source Type'");
	});

	test.each<[string, unknown]>([
		['a hole', listOfLength(3, 'a')],
		['a list of undefined', [undefined]],
		['null behind an ID', ['a', null]],
		['a NUL', ['a\u0000b']],
		['a control character', ['a\u001b[31mb']],
		['a control character of the second block', ['a\u0085b']],
		['DEL', ['a\u007f']],
		['a header behind a line break', ['a\r\nX-Evil: 1']],
		['a line separator', ['a\u2028b']],
		['a text direction override', 'gpj.\u202eexe'],
		['a text direction isolate', 'a\u2066b'],
		['a zero-width joiner, also in an emoji', '👩\u200d💻'],
		['a byte order mark inside', 'a\ufeffb'],
		['a soft hyphen', 'a\u00adb'],
		['an invisible tag', 'a\u{e0041}'],
		['the first half of a character', ['a\ud83d']],
		['the second half of a character', ['\ude42a']],
		['a lone half in JSON text', '["\\ud83d"]'],
		['a NUL in JSON text', '["a\\u0000"]'],
		['a script with an invisible character', ['<img src=x onerror=alert(1)>\u200b!']],
		['the largest number', Number.MAX_VALUE],
		['infinity in JSON text', '[1e999]'],
		['a number that loses digits in JSON text', '[9007199254740993]'],
		['a hundred thousand lists in each other, as JSON text', '['.repeat(1e5) + ']'.repeat(1e5)],
		['a web page in JSON text', '[<script>alert(1)</script>]'],
		['JSON text with something behind it', '["a"] and more'],
		['an ID only in a prototype, as JSON text', '{"__proto__":{"id":"x"}}'],
		['a record with a script as its name', [{ '<script>alert(1)</script>': 1 }]],
	])('%s is no ID', (_, value) => {
		expectComplaint(readFileIds(value), "'File IDs'");
	});

	test.each<[string, unknown, string[]]>([
		[
			'a field that is computed',
			{
				get uploadId() {
					return 'a';
				},
			},
			['a'],
		],
		['a list behind a Proxy', new Proxy(['a', { id: 7 }], {}), ['a', '7']],
		['a record behind a Proxy', new Proxy({ id: 'a' }, {}), ['a']],
		['a big integer', [BigInt('9007199254740993')], ['9007199254740993']],
		['a list with a name beside its entries', Object.assign(['a'], { id: 'b' }), ['a']],
	])('%s is read like plain data', (_, value, ids) => {
		expect(readFileIds(value)).toEqual({ ids, repeated: 0 });
	});

	test('a field that gives another value each time is read once', () => {
		let times = 0;
		const changing = {
			get uniqueId() {
				times += 1;
				return times === 1 ? 'a' : { evil: true };
			},
		};
		expect(readFileIds([changing])).toEqual({ ids: ['a'], repeated: 0 });
		let looked = 0;
		const agent = {
			get value() {
				looked += 1;
				return looked === 1 ? 'a' : '../..';
			},
		};
		expect(readUid(agent)).toBe('a');
	});

	test('whatever one field holds, the item is refused and nothing is thrown', () => {
		for (const bad of [revoked([]), listOfLength(1e8), Symbol('a'), cyclic('record'), NaN]) {
			for (const read of [readUid, readSourceType, readFileIds]) {
				expect(read(bad)).toBeInstanceOf(ValidationIssue);
			}
		}
	});
});

describe('A list is looked at no more often than it has entries, and no further than its first bad one', () => {
	const counted = (entries: unknown[]) => {
		let looks = 0;
		const list = new Proxy(entries, {
			get(target, name, receiver) {
				if (typeof name === 'string' && /^\d+$/.test(name)) looks += 1;
				return Reflect.get(target, name, receiver);
			},
		});
		return { list, looks: () => looks };
	};

	test.each([
		['all good', 1000, undefined, 1000],
		['the first is bad', 1000, 0, 1],
		['the tenth is bad', 1000, 9, 10],
	])('%s', (_, length, bad, most) => {
		const entries: unknown[] = Array.from({ length }, (__, index) => `f${index}`);
		if (bad !== undefined) entries[bad] = null;
		const { list, looks } = counted(entries);
		readFileIds(list);
		expect(looks()).toBe(most);
	});
});

describe('A text that is bad for regular expressions is read like any other', () => {
	const key = '0123456789abcdef'.repeat(3).slice(0, 40);
	const account = { baseUrl: 'https://app.api-us.cometchat.io/v3', apiKey: key };
	const answer = (body: unknown): ServiceResponse => ({
		kind: 'response',
		status: 400,
		headers: {},
		body,
	});

	const texts = (length: number): Array<[string, string]> => [
		['invisible characters', '\u200b'.repeat(length)],
		['control characters', '\u0000'.repeat(length)],
		['first halves of characters', '\ud83d'.repeat(length)],
		['second halves of characters', '\ude42'.repeat(length)],
		['whole characters beyond the first plane', '🙂'.repeat(length)],
		['dots, and then a letter', `${'.'.repeat(length)}a`],
		['a slash behind dots', `${'.'.repeat(length)}/`],
		['steps out of a folder', '../'.repeat(length / 3)],
		['steps in wide characters', '．．／'.repeat(length / 3)],
		['steps that are encoded again and again', `%${'25'.repeat(length / 2)}2e`],
		['dots that become three each', '…'.repeat(length)],
		['white space between letters', `a${' '.repeat(length)}b`],
		['white space of many kinds between letters', `a${'\t\u00a0\ufeff\u2003'.repeat(length / 4)}b`],
		['line breaks between letters', `a${'\r\n'.repeat(length)}b`],
		['commas', ','.repeat(length)],
		['brackets', '['.repeat(length)],
		['braces', '{'.repeat(length)],
		['quotes in a bracket', `[${'"'.repeat(length)}`],
		['backslashes in a bracket', `["${'\\'.repeat(length)}`],
		['digits in a bracket', `[${'9'.repeat(length)}`],
		['numbers in a bracket', `[${'1,'.repeat(length / 2)}`],
		['letters that become eighteen each', '\ufdfa'.repeat(length)],
		['accents on one letter', `a${'\u0301'.repeat(length)}`],
		['titles that never end', '<title'.repeat(length / 6)],
		['titles without words', '<title>'.repeat(length / 7)],
		['a tag behind white space', `${' '.repeat(length)}<`],
		['starts of the key', key.slice(0, 4).repeat(length / 4)],
		['starts of the key that overlap', '0'.repeat(length)],
		['ends of the key', key.slice(-4).repeat(length / 4)],
		['keys', key.repeat(length / key.length)],
		['keys without their ends', key.slice(0, -1).repeat(length / key.length)],
		['the word timeout, almost', 'timeou'.repeat(length / 6)],
	];

	test.each(texts(2_000_000))('%s', (_, text) => {
		for (const [found, label] of [
			[readFileIds(text), "'File IDs'"],
			[readFileIds([text]), "'File IDs'"],
			[readUid(text), "'Agent'"],
			[readSourceType(text), "'Source Type'"],
		] as const) {
			if (found instanceof ValidationIssue) expectComplaint(found, label);
			if (typeof found === 'string') expect(found.length).toBeLessThanOrEqual(255);
		}
		expect(quoted(text).length).toBeLessThan(MOST_CHARACTERS);
		expect((invisibleCharacter(text) ?? '').length).toBeLessThan(10);
		for (const body of [
			text,
			{ message: text },
			{ message: [text, text] },
			{ error: { code: text } },
		]) {
			const { said, code } = explain(answer(body), account);
			expect(said.length).toBeLessThan(MOST_CHARACTERS);
			expect(said).not.toContain(key.slice(0, 20));
			expect(said).not.toMatch(/[<>\p{Cc}\p{Cf}\p{Cs}]/u);
			expect((code ?? '').length).toBeLessThanOrEqual(80);
		}
		const networkFailure = explain({ kind: 'network failure', code: 'ECONNRESET', text }, account);
		expect(networkFailure.said.length).toBeLessThan(MOST_CHARACTERS);
		expect(withoutKey(text, account)).not.toContain(key);
		expect(isWrongAddress({ kind: 'network failure', code: text, text })).toBe(false);
	});

	// As short as an ID: longer ones are refused for their length, before anything else is looked at.
	test.each(texts(100))(
		'as short as an ID, %s: one segment of an address, or refused',
		(_, text) => {
			for (const [found, label] of [
				[readUid(text), "'Agent'"],
				[readSourceType(text), "'Source Type'"],
			] as const) {
				if (found instanceof ValidationIssue) expectComplaint(found, label);
				else expect(found.normalize('NFKC')).not.toMatch(/[/\\%]|^\.+$/);
			}
		},
	);
});

describe('The words of a hostile answer are few, without tags, and its own', () => {
	const at = { baseUrl: 'https://app.api-us.cometchat.io/v3', apiKey: 'k'.repeat(40) };

	test.each<[string, unknown, string]>([
		['white space and a word', `${' '.repeat(5_000_000)}no`, ': no.'],
		[
			'a web page whose title never ends',
			`<title>${'x'.repeat(20_000)}`,
			': a web page, not data.',
		],
		['a web page with tags in its title', '<title>&lt;b&gt; "x"</title>', 'titled'],
		['a message of a million parts', { message: new Array(1e6).fill('x') }, 'x; x'],
		['control characters', { message: '\u0000\u001b\u200b\u202e' }, ': nothing that can be shown.'],
		['control characters between letters', { message: 'a\u0000b\r\nc\u202ed' }, ': a b c d.'],
		['halves of characters', { message: '\ud800a\udc00' }, ': a.'],
		['a message cut inside a character', { message: `${'x'.repeat(299)}🙂🙂` }, 'xxx…'],
		['tags', { message: '<img src=x onerror=alert(1)>' }, ': img src=x onerror=alert(1).'],
		['a message that is a number', { error: { message: 5 } }, ': {"error":{"message":5}}.'],
		['a code of 10 kB', { error: { code: 'X'.repeat(10_000), message: 'm' } }, 'status 400: m.'],
		['a code with tags', { error: { code: '<b>', message: 'm' } }, 'status 400: m.'],
		...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'].map(
			(code): [string, unknown, string] => [
				`the code ${code}`,
				{ error: { code, message: 'm' } },
				`status 400 (${code}): m.`,
			],
		),
		[
			'a code in a prototype',
			JSON.parse('{"error":{"__proto__":{"code":"ERR_AGENT_NOT_FOUND"},"message":"m"}}'),
			'status 400: m.',
		],
	])('%s', (_, body, words) => {
		const { what, said } = explain({ kind: 'response', status: 400, headers: {}, body }, at);
		expect(what).toBe('CometChat refused the request');
		expect(said).toContain(words);
		expect(said).not.toMatch(/[<>\p{Cc}\p{Cf}\p{Cs}]/u);
		expect(said.length).toBeLessThan(MOST_CHARACTERS);
	});
});

describe('Whatever comes in place of an answer is an answer or a silence', () => {
	test.each<[string, unknown]>([
		['nothing', undefined],
		['null', null],
		['a text', 'ok'],
		['a list', [{ statusCode: 200 }]],
		['a status that is a text', { statusCode: '200', body: { success: true } }],
	])('%s is a silence', (_, response) => {
		expect(toServiceResponse(response)).toMatchObject({ kind: 'network failure' });
	});

	test.each<[string, unknown]>([
		['no headers', undefined],
		['headers that are a list', ['retry-after', '1']],
		[
			'headers of prototype names',
			JSON.parse('{"__proto__":{"retry-after":"1"},"constructor":"1"}'),
		],
		['headers that are lists', { 'retry-after': ['1', '2'], 'x-ratelimit-reset': {} }],
	])('%s name no pause', (_, headers) => {
		const reply = toServiceResponse({ statusCode: 429, headers, body: '' });
		expect(retryAfterMs(reply, 0)).toBeUndefined();
	});

	test.each<[string, unknown]>([
		['a chain without an end', endless()],
		['a record that is its own cause', cyclicCause()],
		['a text', 'm'],
		['a record without words', {}],
	])('%s that is thrown is a silence', (_, thrown) => {
		expect(toNetworkFailure(thrown)).toMatchObject({ kind: 'network failure', code: '' });
	});

	test.each<[string, unknown]>([
		['success in a prototype', JSON.parse('{"__proto__":{"success":true}}')],
		['success in a list', [{ success: true }]],
		['success as a number', { success: 1 }],
		['success as a record', { success: { valueOf: () => true } }],
	])('%s is not success', (_, body) => {
		expect(effectOf({ kind: 'response', status: 200, headers: {}, body })).toBe('unknown');
	});

	test.each([{ success: 1 }, { success: 'true' }, { success: null }, { success: false }])(
		'%j is no success of any request, whatever else it holds',
		(body) => {
			const answer = { ...body, data: [], uploads: [] };
			expect(isSuccess({ kind: 'response', status: 200, headers: {}, body: answer })).toBe(false);
		},
	);

	test.each<[string, unknown, string]>([
		['a message that is a record', { message: { a: 1 } }, '{"message":{"a":1}}'],
		['a message of mixed parts', { message: ['a', 1, null, ['b'], 'c'] }, 'a; c'],
		['no value at all', undefined, 'the answer is empty'],
		['a number', 5, '5'],
		['lists nested deep', nested(100_000), 'data that can not be shown'],
	])('%s has words', (_, body, text) => {
		expect(serviceWords(body)).toEqual({ code: undefined, text });
	});
});

function endless(): object {
	return {
		message: 'm',
		get cause() {
			return endless();
		},
	};
}

function cyclicCause(): object {
	const record: Record<string, unknown> = { message: 'm' };
	record.cause = record;
	return record;
}

describe('The pause that is named is a number of milliseconds, or none', () => {
	const wait = (headers: Record<string, unknown>) =>
		retryAfterMs({ kind: 'response', status: 429, headers, body: '' }, 0);

	test.each<[string, unknown]>([
		['1e309', '1e309'],
		['1e3', '1e3'],
		['-5', '-5'],
		['-0', '-0'],
		['+5', '+5'],
		['0x10', '0x10'],
		['5,', '5,'],
		['a number that is none', NaN],
		['a number without an end', Infinity],
		['a negative number', -5],
		['a list', ['5']],
		['a record', { toString: () => '5' }],
		['other digits', '５'],
		['open brackets behind a day', `Fri, ${'('.repeat(100_000)}`],
		['digits behind a day', `Fri, ${'1'.repeat(100_000)}`],
		['dots behind a digit', `1${'.'.repeat(100_000)}`],
		['digits and then a letter', `${'1'.repeat(100_000)}x`],
	])('Retry-After: %s names none', (_, value) => {
		expect(wait({ 'retry-after': value })).toBeUndefined();
		expect(wait({ 'x-ratelimit-reset': value })).toBeUndefined();
	});

	test.each([
		['twenty digits', '99999999999999999999'],
		['a hundred thousand digits', '9'.repeat(100_000)],
		['the last year of HTTP', 'Fri, 31 Dec 9999 23:59:59 GMT'],
	])('Retry-After: %s is longer than any pause that is allowed, and no NaN', (_, value) => {
		expect(wait({ 'retry-after': value })).toBeGreaterThan(3_600_000);
	});
});
