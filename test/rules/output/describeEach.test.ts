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
	['', '', 'a', 'unknown', false, 'Result unknown, may be added: "a".'],
	['', 'a', 'b', 'unknown', true, 'Not added: "a". Result unknown, may be added: "b".'],
	[
		'a',
		'b',
		'c',
		'partly applied',
		true,
		'Added: "a". Not added: "b". Result unknown, may be added: "c".',
	],
	[
		'ij',
		'bcdefgh',
		'',
		'partly applied',
		true,
		'Added: "i", "j". Not added: "b", "c", "d", "e", "f", and 2 more.',
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
		...(unknown !== '' && { hint: expect.stringMatching(/^Check these documents/) }),
		outcome: isMixed ? outcome : undefined,
	});
});
