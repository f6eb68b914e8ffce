import type { PathStep } from '../../../nodes/CometChatKnowledgeBase/input/plainPath';
import { plainPath, plainValue } from '../../../nodes/CometChatKnowledgeBase/input/plainPath';

describe('An expression that only names a field of the item is read directly', () => {
	test.each<[string, PathStep[]]>([
		['={{ $json.files }}', ['files']],
		['={{$json.upload.ids}}', ['upload', 'ids']],
		['={{ $json.a1_b }}', ['a1_b']],
		['={{ $json._private }}', ['_private']],
		['={{ $json.$price }}', ['$price']],
		["={{ $json['File IDs'] }}", ['File IDs']],
		['={{ $json["a b"] }}', ['a b']],
		['={{ $json["files"] }}', ['files']],
		['={{ $json.uploads[0].id }}', ['uploads', 0, 'id']],
		["={{ $json['a'][10]['b c'].d }}", ['a', 10, 'b c', 'd']],
		['={{ $json.a[7][123456789] }}', ['a', 7, 123_456_789]],
		["={{ $json['it\\'s'] }}", ["it's"]],
		['={{ $json[\'say "hi"\'] }}', ['say "hi"']],
		['={{ $json["say \\"hi\\""] }}', ['say "hi"']],
		["={{ $json['0'] }}", ['0']],
		["={{ $json['größe (名前) [0].b'] }}", ['größe (名前) [0].b']],
	])('%s', (expression, path) => {
		expect(plainPath(expression)).toEqual(path);
	});

	test.each([
		['={{ $json }}'],
		['={{ $json.files.length > 0 }}'],
		['= {{ $json.files }}'],
		['={{ $json.files.first() }}'],
		['={{ $json?.files }}'],
		['={{ $input.item.json.files }}'],
		['={{ $json.files }} '],
		['=x{{ $json.files }}'],
		['={{ $json.files }}{{ $json.more }}'],
		['{{ $json.files }}'],
		['={{ $json.constructor }}'],
		['={{ $json.a.__proto__ }}'],
		['={{ $json.prototype }}'],
		['={{ $json.constructors }}'],
		["={{ $json['__proto__'] }}"],
		["={{ $json['constructor'] }}"],
		['={{ $json["prototype"] }}'],
		["={{ $json['a.constructor'] }}"],
		["={{ $json['a. constructor'] }}"],
		['={{ $json.größe }}'],
		["={{ $json['a\\b'] }}"],
		["={{ $json['a\nb'] }}"],
		["={{ $json['a }} b'] }}"],
		["={{ $json['{{'] }}"],
		['={{ $json["it\\\'s"] }}'],
		['={{ $json.files[-1] }}'],
		['={{ $json.files[01] }}'],
		['={{ $json.files[1234567890] }}'],
		['={{ $json.files[1.5] }}'],
		['={{ $json.files[at] }}'],
		['={{ $json[`files`] }}'],
		["={{ $json['a' + 'b'] }}"],
	])('%s is for n8n', (expression) => {
		expect(plainPath(expression)).toBeUndefined();
	});

	// Of `isSafeObjectProperty` in n8n-workflow; the last line is of older ones.
	test.each([
		...['_linkedBinding', '_load', 'arguments', 'binding', 'callee', 'caller', 'constructor'],
		...['__defineGetter__', '__lookupSetter__', '__proto__', 'defineProperties', 'defineProperty'],
		...['dlopen', 'execve', 'getBuiltinModule', 'getOwnPropertyDescriptor', 'getPrototypeOf'],
		...['getOwnPropertyDescriptors', 'loadEnvFile', 'mainModule', 'prepareStackTrace', 'prototype'],
		...['setPrototypeOf'],
		...['$', 'eval', 'extend', 'globalThis', 'load'],
	])('a field with the name %s, which n8n refuses, is for n8n', (name) => {
		expect(plainPath(`={{ $json.${name} }}`)).toBeUndefined();
		expect(plainPath(`={{ $json.a['${name}'].b }}`)).toBeUndefined();
	});

	const when = new Date(0);
	const json = {
		a: { b: ['x', 1, { c: true }] },
		text: 'x',
		none: null,
		when,
		list: ['x', when],
		record: { text: 'x', when },
	};

	test.each<[PathStep[], unknown]>([
		[
			['a', 'b'],
			['x', 1, { c: true }],
		],
		[['text'], 'x'],
		[['a', 'b', 1], 1],
		[['a', 'b', 2, 'c'], true],
	])('%j gives what stands there', (path, value) => {
		expect(plainValue(json, path)).toEqual(value);
	});

	test.each<[string, PathStep[]]>([
		['a field that is not there', ['missing']],
		['a way through a field that is not there', ['missing', 'more']],
		['a way into a text', ['text', 'length']],
		['a place in a text', ['text', 0]],
		["a list's own name", ['a', 'b', 'length']],
		['a place in a list as a name', ['a', 'b', '0']],
		['a place that the list does not have', ['a', 'b', 3]],
		["every object's names", ['a', 'toString']],
		['null', ['none']],
		['a date, which n8n shows in its own way', ['when']],
		['a list with a date in it', ['list']],
		['a record with a date in it', ['record']],
	])('%s is for n8n', (_, path) => {
		expect(plainValue(json, path)).toBeUndefined();
	});
});
