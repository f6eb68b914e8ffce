import type { Claim } from '../../../nodes/CometChatKnowledgeBase/fields/conflicts';
import { conflicts } from '../../../nodes/CometChatKnowledgeBase/fields/conflicts';

const found = (claims: Claim[]) =>
	[...conflicts(claims, 'want it', 'Wait.')].map(([index, { title }]) => [index, title]);
const claim = (index: number, name: string, more: Partial<Claim> = {}): Claim => {
	return { index, name, ...more };
};
const yes = { value: true };
const no = { value: false };
const yours = { content: 'x' };
const mine = { content: 'y' };
const berlin = { uid: 'berlin' };

test.each<[string, Claim[], number[], string]>([
	['one item', [claim(0, 'a')], [], ''],
	['different names', [claim(0, 'a', yes), claim(1, 'b', no)], [], ''],
	['the same value', [claim(0, 'a', yes), claim(1, 'a', yes)], [], ''],
	[
		'the same content',
		[claim(0, 'a', yours), claim(1, 'b', yours), claim(2, 'a', yours)],
		[2],
		'Item 1 has the same name and text',
	],
	[
		'different contents',
		[claim(0, 'a', yours), claim(1, 'a', mine)],
		[0, 1],
		'Items 1, 2 want it: "a"',
	],
	['a content and none', [claim(0, 'a', yours), claim(1, 'a')], [0, 1], 'Items 1, 2 want it: "a"'],
	['different agents', [claim(0, 'a'), claim(1, 'a', berlin)], [], ''],
	[
		'a name without a value',
		[claim(0, 'a'), claim(1, 'b'), claim(2, 'a')],
		[0, 2],
		'Items 1, 3 want it: "a"',
	],
	['different values', [claim(0, 'a', yes), claim(1, 'a', no)], [0, 1], 'Items 1, 2 want it: "a"'],
	['a value and none', [claim(0, 'a', yes), claim(1, 'a')], [0, 1], 'Items 1, 2 want it: "a"'],
	[
		'Unicode forms of a name',
		[claim(0, '\u00fc'), claim(1, 'u\u0308')],
		[0, 1],
		'Items 1, 2 want it: "ü"',
	],
	[
		'an agent',
		[claim(0, 'a', berlin), claim(1, 'a', berlin)],
		[0, 1],
		'Items 1, 2 want it for the same agent: "a"',
	],
	['two files of an item', [claim(0, 'a'), claim(0, 'a')], [0], 'The item has two files named "a"'],
])('of claims with %s these are refused: %s', (_, claims, indexes, title) => {
	expect(found(claims)).toEqual(indexes.map((index) => [index, title]));
});
