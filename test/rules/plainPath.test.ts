import { plainPath, plainValue } from '../../nodes/CometChatKnowledgeBase/plainPath';

describe('An expression that only names a field of the item is read directly', () => {
	test.each([
		['={{ $json.files }}', ['files']],
		['={{$json.upload.ids}}', ['upload', 'ids']],
		['= {{ $json.a1_b }}', undefined],
		['={{ $json.a1_b }}', ['a1_b']],
	])('%s', (expression, path) => {
		expect(plainPath(expression)).toEqual(path);
	});

	test.each([
		['={{ $json }}'],
		['={{ $json.files.length > 0 }}'],
		['={{ $json["files"] }}'],
		['={{ $json.files[0] }}'],
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
		['={{ $json._private }}'],
	])('%s is for n8n', (expression) => {
		expect(plainPath(expression)).toBeUndefined();
	});

	const json = { a: { b: ['x', 1, { c: true }] }, text: 'x', none: null, when: new Date(0) };

	test.each<[string[], unknown]>([
		[
			['a', 'b'],
			['x', 1, { c: true }],
		],
		[['text'], 'x'],
	])('%j gives what stands there', (path, value) => {
		expect(plainValue(json, path)).toEqual(value);
	});

	test.each([
		['a field that is not there', ['missing']],
		['a way through a field that is not there', ['missing', 'more']],
		['a way into a text', ['text', 'length']],
		['a way into a list', ['a', 'b', 'length']],
		['null', ['none']],
		['a date, which n8n shows in its own way', ['when']],
	])('%s is for n8n', (_, path) => {
		expect(plainValue(json, path)).toBeUndefined();
	});
});
