import type { Progress } from '../../../nodes/CometChatKnowledgeBase/output/progress';
import {
	describeEach,
	describeProgress,
	GOES_ON,
} from '../../../nodes/CometChatKnowledgeBase/output/progress';

const A = { name: 'a.pdf', uniqueId: 'new-a' };
const B = { name: 'b.pdf', uniqueId: 'new-b' };
const wanted = ['a.pdf', 'b.pdf'];
const both = { wanted, documents: [A, B] };
const one = { wanted: ['a.pdf'], documents: [A] };
const toAgent = (...attached: string[]) => ({ attached });
const old = (is: 'attached' | 'detached') => ({ old: [{ uniqueId: 'old-a', is }] });

const ARRIVED = 'In CometChat: "a.pdf" (ID new-a).';
const BOTH_ARRIVED = 'In CometChat: "a.pdf" (ID new-a), "b.pdf" (ID new-b).';
const BY_HAND =
	'To go on, use these IDs in Document: Get Status and Add Files: to bring them again would make a second copy.';
const REPLACE_BY_HAND =
	'To go on, let the agent have the new version (Add Files), then take the old one from it (Remove Files) or delete it (Document: Delete), with these IDs.';

describe('How far documents have come is told from what was done, with a way to go on', () => {
	test.each<[string, Progress, effect: string, detail: string, hint: string | undefined]>([
		[
			'nothing was done',
			{ wanted, documents: [] },
			'not applied',
			'Not in CometChat: "a.pdf", "b.pdf".',
			undefined,
		],
		[
			'nobody knows whether the first is there',
			{ wanted, documents: [], unknown: 'upload' },
			'unknown',
			'It is not known whether "a.pdf" is in CometChat. Not in CometChat: "b.pdf".',
			'It was not sent again, because it could then be there twice. Look at the knowledge base in the CometChat dashboard before you run it again.',
		],
		[
			'nobody knows, and a new run would find it',
			{ wanted: ['Times'], documents: [], unknown: 'upload', hint: GOES_ON },
			'unknown',
			'It is not known whether "Times" is in CometChat.',
			GOES_ON,
		],
		[
			'an entry without content is left',
			{ wanted, documents: [], unknown: 'upload', leftovers: [A] },
			'unknown',
			'It is not known whether "a.pdf" is in CometChat. Not in CometChat: "b.pdf". CometChat may show an entry without content: "a.pdf" (ID new-a). If it has no content, delete it with Document: Delete.',
			undefined,
		],
		[
			'there may be such an entry',
			{ wanted: ['a.pdf'], documents: [], mayHaveLeftover: true },
			'unknown',
			'Not in CometChat: "a.pdf". It is not known whether CometChat made an entry for it. Such an entry has no content, and no agent has it.',
			undefined,
		],
		[
			'one of two is there, and another is left empty',
			{ wanted, documents: [A], ...toAgent(), leftovers: [B, A] },
			'partly applied',
			`${ARRIVED} Not in CometChat: "b.pdf". Not added to the agent. CometChat may show entries without content: "b.pdf" (ID new-b), "a.pdf" (ID new-a). If they have no content, delete them with Document: Delete.`,
			'To go on, bring only what is missing, and use these IDs in Document: Get Status and Add Files: to bring them again would make a second copy.',
		],
		['there, for no agent', one, 'partly applied', ARRIVED, BY_HAND],
		[
			'there, and the agent does not have it',
			{ ...one, ...toAgent() },
			'partly applied',
			`${ARRIVED} Not added to the agent.`,
			BY_HAND,
		],
		[
			'there, and nobody knows whether the agent has it',
			{ ...one, ...toAgent(), unknown: 'attach' },
			'partly applied',
			`${ARRIVED} It is not known whether it was added to the agent.`,
			BY_HAND,
		],
		[
			'there, and a new run would find it',
			{ ...one, ...toAgent(), hint: GOES_ON },
			'partly applied',
			`${ARRIVED} Not added to the agent.`,
			GOES_ON,
		],
		[
			'one of two could not be read, and the agent has the other',
			{ ...both, ...toAgent('new-a'), unreadable: ['new-b'] },
			'partly applied',
			`${BOTH_ARRIVED} Added to the agent: "a.pdf". Not added: "b.pdf".`,
			"To go on, bring only what could not be read. With 'If Name Already Exists' set to Skip, the item can be run again as it is.",
		],
		[
			'one of two could not be read, and the agent has neither',
			{ ...both, ...toAgent(), unreadable: ['new-b'] },
			'partly applied',
			`${BOTH_ARRIVED} Not added to the agent.`,
			BY_HAND,
		],
		[
			'it could not be read: what to do is said with that',
			{ ...one, ...toAgent(), unreadable: ['new-a'], hint: GOES_ON },
			'partly applied',
			`${ARRIVED} Not added to the agent.`,
			'',
		],
		[
			'the new version is not with the agent, the old one is',
			{ ...one, ...toAgent(), ...old('attached') },
			'partly applied',
			`${ARRIVED} Not added to the agent. The agent still has the old version (ID old-a).`,
			REPLACE_BY_HAND,
		],
		[
			'both are with the agent',
			{ ...one, ...toAgent('new-a'), ...old('attached') },
			'partly applied',
			`${ARRIVED} Added to the agent. The agent still has the old version (ID old-a).`,
			REPLACE_BY_HAND,
		],
		[
			'nobody knows whether the old version is with the agent',
			{ ...one, ...toAgent('new-a'), ...old('attached'), unknown: 'detach' },
			'partly applied',
			`${ARRIVED} Added to the agent. The agent may still have the old version (ID old-a).`,
			REPLACE_BY_HAND,
		],
		[
			'the old version is in CometChat alone',
			{ ...one, ...toAgent('new-a'), ...old('detached') },
			'partly applied',
			`${ARRIVED} Added to the agent. CometChat still has the old version (ID old-a).`,
			REPLACE_BY_HAND,
		],
		[
			'nobody knows whether the old version is deleted',
			{ ...one, ...toAgent('new-a'), ...old('detached'), unknown: 'delete' },
			'partly applied',
			`${ARRIVED} Added to the agent. CometChat may still have the old version (ID old-a).`,
			REPLACE_BY_HAND,
		],
		[
			'the new version is not there, and the old one stays',
			{ wanted: ['a.pdf'], documents: [], ...toAgent(), ...old('attached') },
			'not applied',
			'Not in CometChat: "a.pdf". The agent still has the old version (ID old-a).',
			undefined,
		],
	])('%s', (_, progress, effect, detail, hint) => {
		expect(describeProgress(progress)).toEqual({ effect, detail, hint });
	});
});

describe('How things stand with documents of which the same was asked', () => {
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
		['', '', 'a', 'unknown', false, 'Not known whether added: "a". Look at'],
		['', 'a', 'b', 'unknown', true, 'Not added: "a". Not known whether added: "b". Look at'],
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
	])(
		'applied: %j, not: %j, unknown: %j',
		(applied, notApplied, unknown, effect, isMixed, words) => {
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
		},
	);
});
