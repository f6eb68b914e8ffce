import { describeEach } from '../../../nodes/CometChatKnowledgeBase/output/describeEach';

const ids = (letters: string) => [...letters];

test.each<
	[
		applied: string,
		notApplied: string,
		unknown: string,
		effect: string,
		isMixed: boolean,
		words: string,
	]
>([
	['', 'a', '', 'not applied', false, 'Not added: "a".'],
	['', 'ab', '', 'not applied', false, 'Not added: "a", "b".'],
	['', '', 'a', 'unknown', false, 'Not known whether added: "a". Check the'],
	['', 'a', 'b', 'unknown', true, 'Not added: "a". Not known whether added: "b". Check the'],
	[
		'a',
		'b',
		'c',
		'partly applied',
		true,
		'1 was added. Not added: "b". Not known whether added: "c".',
	],
	[
		'ij',
		'bcdefgh',
		'',
		'partly applied',
		true,
		'Of its 9 documents, 2 were added. Not added: "b", "c", "d", "e", "f", and 2 more.',
	],
])('applied: %j, not: %j, unknown: %j', (applied, notApplied, unknown, effect, isMixed, words) => {
	const effects = new Map([
		...ids(applied).map((id) => [id, 'applied'] as const),
		...ids(notApplied).map((id) => [id, 'not applied'] as const),
		...ids(unknown).map((id) => [id, 'unknown'] as const),
	]);
	const outcome = {
		applied: ids(applied),
		notApplied: ids(notApplied),
		unknown: ids(unknown),
	};
	expect(describeEach(effects, 'added', (id) => id)).toEqual({
		...{ effect, detail: expect.stringContaining(words) },
		outcome: isMixed ? outcome : undefined,
	});
});
