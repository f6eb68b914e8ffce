import type { OldVersion, Steps } from '../../../nodes/CometChatKnowledgeBase/delivery/delivery';
import type { Progress } from '../../../nodes/CometChatKnowledgeBase/delivery/failureState';
import { failureState } from '../../../nodes/CometChatKnowledgeBase/delivery/failureState';
import { FAILED } from '../../../nodes/CometChatKnowledgeBase/api/documents';

const agent = { uid: 'bot' };
const old = (steps: Steps = {}, more: Partial<OldVersion> = {}): OldVersion => ({
	...{ uniqueId: 'old-a', name: 'old.pdf', isOwn: false, wasUsed: true, steps },
	...more,
});
const of = (name: string, more: Partial<Progress> = {}): Progress => ({
	...{ name, agent, plan: { action: 'create', retire: [] } },
	...{ steps: {}, old: [], deletes: 'ifUnused' },
	...more,
});
const absent = of('a.pdf');
const lost = of('a.pdf', { steps: { create: 'unknown' } });
const present = of('a.pdf', { uniqueId: 'new-a' });
const added = { ...present, steps: { add: 'applied' } } as const;
const change: Pick<Progress, 'plan'> = {
	plan: { action: 'update', found: { uniqueId: 'new-a' }, retire: [] },
};

const IN = 'In CometChat: "a.pdf" (ID new-a).';
const LOOK =
	/^Look for the document in the CometChat dashboard before you run the item again\. .* delete it\.$/;
const USE_IDS =
	/^Use these IDs, for example in 'Add Files' .* Running .* would create a duplicate\.$/;
const AGAIN = /^Run the item again later: .* may leave an unused copy .*\.$/;
const HINT = 'Run it again.';
const OLD = 'the old version "old.pdf" (ID old-a).';

describe('The state of documents follows from their steps, with a way to continue', () => {
	test.each<[string, Progress[], effect: string, detail: string, hint: RegExp | '' | undefined]>([
		[
			'nothing was done',
			[absent, of('b.pdf')],
			'not applied',
			'Not in CometChat: "a.pdf", "b.pdf".',
			undefined,
		],
		[
			'unknown whether one exists',
			[lost, of('b.pdf')],
			'unknown',
			'Not in CometChat: "b.pdf". Result unknown, may be in CometChat: "a.pdf".',
			LOOK,
		],
		[
			'an empty document remains',
			[{ ...absent, leftover: { name: 'a.pdf', uniqueId: 'new-a', isEmpty: true } }],
			'not applied',
			'Not in CometChat: "a.pdf". CometChat may show an empty document: "a.pdf" (ID new-a).',
			/^Delete the empty document with 'Document: Delete'/,
		],
		[
			'one of two exists',
			[present, of('b.pdf')],
			'partly applied',
			`${IN} Not in CometChat: "b.pdf". Not added to the agent: "a.pdf".`,
			USE_IDS,
		],
		[
			'it exists, without an agent',
			[{ ...present, agent: undefined }],
			'partly applied',
			IN,
			USE_IDS,
		],
		[
			'unknown whether the agent uses it',
			[{ ...present, steps: { add: 'unknown' } }],
			'partly applied',
			`${IN} Result unknown, may be added to the agent: "a.pdf".`,
			USE_IDS,
		],
		[
			'one of two cannot be indexed, and the agent uses the other',
			[added, of('b.pdf', { uniqueId: 'new-b', status: FAILED })],
			'partly applied',
			'In CometChat: "a.pdf" (ID new-a), "b.pdf" (ID new-b). Added to the agent: "a.pdf". Not added to the agent: "b.pdf".',
			'',
		],
		[
			'it has no text, and the agent keeps the old version',
			[{ ...present, hasText: false, old: [old()] }],
			'partly applied',
			`${IN} Not added to the agent: "a.pdf". Not removed from the agent: ${OLD}`,
			'',
		],
		...(
			[
				[present, {}, `Not added to the agent: "a.pdf". Not removed from the agent: ${OLD}`],
				[added, {}, `Added to the agent: "a.pdf". Not removed from the agent: ${OLD}`],
				[
					added,
					{ remove: 'unknown' },
					`Added to the agent: "a.pdf". Result unknown, may be removed from the agent: ${OLD}`,
				],
				[added, { remove: 'applied' }, `Added to the agent: "a.pdf". Not deleted: ${OLD}`],
				[
					added,
					{ remove: 'applied', delete: 'unknown' },
					`Added to the agent: "a.pdf". Result unknown, may be deleted: ${OLD}`,
				],
			] as const
		).map(([one, steps, words]): [string, Progress[], string, string, RegExp] => [
			`with the old version, this was done: ${JSON.stringify(steps)}`,
			[{ ...one, old: [old(steps)] }],
			'partly applied',
			`${IN} ${words}`,
			'remove' in steps && steps.remove === 'applied' ? USE_IDS : AGAIN,
		]),
		[
			'without an agent, the old version still exists',
			[{ ...present, agent: undefined, old: [old({}, { wasUsed: false })] }],
			'partly applied',
			`${IN} Not deleted: ${OLD}`,
			USE_IDS,
		],
		[
			'an old version that was deleted, or is to be kept, needs no word',
			[
				{
					...added,
					old: [old({ remove: 'applied', delete: 'applied' }), old({}, { reason: 'Kept' })],
				},
			],
			'partly applied',
			`${IN} Added to the agent: "a.pdf".`,
			USE_IDS,
		],
		[
			'a change was not made',
			[of('a.pdf', change)],
			'not applied',
			'Not changed: "a.pdf".',
			undefined,
		],
		[
			'unknown whether a change was made',
			[{ ...lost, ...change }],
			'unknown',
			'Result unknown, may be changed: "a.pdf".',
			LOOK,
		],
	])('%s', (_, deliveries, effect, detail, hint) => {
		const found = failureState(deliveries);
		expect(found).toMatchObject({ effect, detail });
		if (hint instanceof RegExp) expect(found.hint).toMatch(hint);
		else expect(found.hint).toBe(hint);
	});

	test.each<[string, Progress, string | undefined]>([
		['exists', present, HINT],
		['may exist', lost, HINT],
		['does not exist', absent, undefined],
		['cannot be read', { ...present, status: FAILED }, ''],
	])('if running the item again is safe, that is the advice if the document %s', (_, one, hint) => {
		expect(failureState([one], HINT).hint).toBe(hint);
	});
});
