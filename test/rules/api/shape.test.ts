import {
	addressId,
	anyText,
	id,
	list,
	number,
	optional,
	shape,
	text,
	textOrNone,
	whole,
} from '../../../nodes/CometChatKnowledgeBase/api/shape';
import type { Json } from '../../../nodes/CometChatKnowledgeBase/text/json';

const KEY_TAKEN_OUT = 'a[API Key] (removed)';

test.each<[string, (value: Json | undefined) => unknown, Array<Json | undefined>, unknown[]]>([
	['a text', text, ['a', '', 1, null], ['a', undefined, undefined, undefined]],
	['any text', anyText, ['a', '', 1], ['a', '', undefined]],
	['a text or none', textOrNone, ['a', null, undefined, 1], ['a', '', '', undefined]],
	['a number', number, [0, '0'], [0, undefined]],
	['an ID', id, ['a/b', KEY_TAKEN_OUT, ''], ['a/b', undefined, undefined]],
	['an ID in an address', addressId, ['a b', 'a/b', '..'], ['a b', 'a/b', undefined]],
	['a list', list(text), [['a'], [], ['a', 1], 'a'], [['a'], [], undefined, undefined]],
])('%s is read or invalid', (_, read, values, found) => {
	expect(values.map(read)).toEqual(found);
});

describe('An object', () => {
	const agent = shape({ uid: id, name: optional(text), files: optional(list(id)) });

	test.each<[Json | undefined, object | undefined]>([
		[
			{ uid: 'a', name: 'A', files: ['x'], more: 1 },
			{ uid: 'a', name: 'A', files: ['x'] },
		],
		[
			{ uid: 'a', name: 7, files: [1] },
			{ uid: 'a', name: undefined, files: undefined },
		],
		[{ name: 'A' }, undefined],
		[[], undefined],
		[undefined, undefined],
	])('%j is read by its fields; without a required field, it is invalid', (value, found) => {
		expect(agent(value)).toEqual(found);
	});

	test('may keep its other fields', () => {
		expect(whole(agent)({ uid: 'a', more: [1] })).toMatchObject({ uid: 'a', more: [1] });
		expect(whole(agent)({ more: [1] })).toBeUndefined();
	});
});
