import { readFileIds } from '../../../nodes/CometChatKnowledgeBase/input/fileIds';
import { readSourceType, readUid } from '../../../nodes/CometChatKnowledgeBase/input/identifiers';
import { expectRefused } from '../expectRefused';
import { UNSEEN } from './hostileIds';

/*
 * Tables that grow: a new way to break the node is a new row. Nothing here is timed: what hangs meets
 * jest's limit.
 */

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
		['not a number', NaN],
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
		expectRefused(readFileIds(value), "'File IDs'");
		expectRefused(readFileIds(['a', value]), "'File IDs'");
		expectRefused(readUid(value), "'Agent'");
		expectRefused(readUid({ __rl: true, mode: 'id', value }), "'Agent'");
		expectRefused(readSourceType(value), "'Source Type'");
	});

	test.each<[string, unknown]>([
		['a lone half in JSON text', '["\\ud83d"]'],
		['a NUL in JSON text', '["a\\u0000"]'],
		['the largest number', Number.MAX_VALUE],
		['infinity in JSON text', '[1e999]'],
		['a number that loses digits in JSON text', '[9007199254740993]'],
		['a hundred thousand lists in each other, as JSON text', '['.repeat(1e5) + ']'.repeat(1e5)],
		['a web page in JSON text', '[<script>alert(1)</script>]'],
		['JSON text with something behind it', '["a"] and more'],
		['an ID only in a prototype, as JSON text', '{"__proto__":{"id":"x"}}'],
		['a record with a script as its name', [{ '<script>alert(1)</script>': 1 }]],
	])('%s is no ID', (_, value) => {
		expectRefused(readFileIds(value), "'File IDs'");
	});

	test.each(UNSEEN)('%s is no part of an ID', (_, value) => {
		expectRefused(readFileIds([value]), "'File IDs'");
		expectRefused(readUid(value), "'Agent'");
		expectRefused(readSourceType(value), "'Source Type'");
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
