import { refuseDifferent } from '../../../nodes/CometChatKnowledgeBase/operations/sameOptions';
import { switchField } from '../../../nodes/CometChatKnowledgeBase/fields/field';

const dry = switchField({ displayName: 'Dry', name: 'dry', type: 'boolean', default: false });

const refused = (items: Array<[ids: string, isDry: boolean]>) =>
	[
		...refuseDifferent(
			items.map(([ids, isDry], index) => ({ index, task: { ids: ids.split(''), dry: isDry } })),
			{ namedBy: ({ ids }) => ids, noun: 'document', options: { dry } },
		),
	].map(([index, { title }]) => [index, title]);

test.each<[Array<[string, boolean]>, number[], string]>([
	[[['a', true]], [], ''],
	[
		[
			['a', true],
			['b', false],
		],
		[],
		'',
	],
	[
		[
			['ab', true],
			['bc', true],
		],
		[],
		'',
	],
	[
		[
			['ab', true],
			['c', false],
			['bc', false],
		],
		[0, 2],
		"Items 1, 3 name the same document, and 'Dry' differs",
	],
	// An item that names a thing twice is one item.
	[[['aa', true]], [], ''],
])('of %j these are refused: %j', (items, indexes, title) => {
	expect(refused(items)).toEqual(indexes.map((index) => [index, title]));
});
