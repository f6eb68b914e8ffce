import type { PathStep } from '../../../nodes/CometChatKnowledgeBase/fields/plainPath';
import { plainPath, plainValue } from '../../../nodes/CometChatKnowledgeBase/fields/plainPath';

describe('An expression that only names a field of the item is read directly', () => {
	test.each<[string, PathStep[]]>([
		['={{$json.upload.a1_b.$price}}', ['upload', 'a1_b', '$price']],
		["={{ $json['File IDs'] }}", ['File IDs']],
		["={{ $json['a'][10]['b c'].d }}", ['a', 10, 'b c', 'd']],
		["={{ $json['0'] }}", ['0']],
		["={{ $json['größe (名前) [0].b'] }}", ['größe (名前) [0].b']],
	])('%s', (expression, path) => {
		expect(plainPath(expression)).toEqual(path);
	});

	test.each([
		...['={{ $json }}', '={{ $json.files.length > 0 }}', '= {{ $json.files }}'],
		...['={{ $json.files.first() }}', '={{ $json?.files }}', '={{ $input.item.json.files }}'],
		...['={{ $json.files }} ', '=x{{ $json.files }}', '={{ $json.a }}{{ $json.b }}'],
		...['{{ $json.files }}', '={{ $json.a.__proto__ }}', '={{ $json.constructors }}'],
		...["={{ $json['a. constructor'] }}", '={{ $json.größe }}', "={{ $json['a\\b'] }}"],
		...["={{ $json['a\nb'] }}", "={{ $json['a }} b'] }}", "={{ $json['{{'] }}"],
		...[
			"={{ $json['it\\'s'] }}",
			'={{ $json["a"] }}',
			'={{ $json.a._b }}',
			'={{ $json["it\\\'s"] }}',
			'={{ $json.a[-1] }}',
			'={{ $json.a[01] }}',
		],
		...['={{ $json.a[1234567890] }}', '={{ $json.a[1.5] }}', '={{ $json.a[at] }}'],
		...['={{ $json[`files`] }}', "={{ $json['a' + 'b'] }}"],
	])('%s is evaluated by n8n', (expression) => {
		expect(plainPath(expression)).toBeUndefined();
	});

	const when = new Date(0);
	const b = ['x', 1, { c: true }];
	const json = { a: { b }, text: 'x', none: null, when, list: ['x', when], record: { when } };

	test.each<[PathStep[], unknown]>([
		[['a', 'b'], b],
		[['text'], 'x'],
		[['a', 'b', 2, 'c'], true],
		[['text', 'length'], undefined],
		[['a', 'b', 3], undefined],
		[['a', 'toString'], undefined],
		// n8n shows dates in its own form.
		[['when'], undefined],
		[['record'], undefined],
	])('%j returns its value, or is evaluated by n8n: %j', (path, value) => {
		expect(plainValue(json, path)).toEqual(value);
	});
});
