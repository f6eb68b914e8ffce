import type { Retired } from '../../../nodes/CometChatKnowledgeBase/delivery/delivery';
import type { Progress } from '../../../nodes/CometChatKnowledgeBase/delivery/progress';
import { describeDeliveries } from '../../../nodes/CometChatKnowledgeBase/delivery/progress';
import { FAILED } from '../../../nodes/CometChatKnowledgeBase/api/documents';

const agent = { uid: 'bot' };
const old = (state: Retired['state']): Retired => ({
	uniqueId: 'old-a',
	isOwn: false,
	isNeverUsed: false,
	state,
});
const of = (name: string, more: Partial<Progress> = {}): Progress => ({
	...{ name, agent, plan: { action: 'create', retire: [] }, isAttached: false, retired: [] },
	...more,
});
const absent = of('a.pdf');
const present = of('a.pdf', { uniqueId: 'new-a' });
const attached = { ...present, isAttached: true };
const change: Pick<Progress, 'plan'> = {
	plan: { action: 'update', found: { uniqueId: 'new-a' }, retire: [] },
};

const IN = 'In CometChat: "a.pdf" (ID new-a).';
const LOOK =
	/^Check the knowledge base in the CometChat dashboard before you run the item again: the request was not repeated, .* second copy\.$/;
const USE_IDS =
	/^To continue, use these IDs in Document: Get Status and Add Files\. Upload only .* second copy\.$/;
const REPLACE =
	/^To continue, add the new version to the agent with Add Files\. Then remove the old/;
const HINT = 'Run it again.';

describe('How far documents got is said from what was done, with a way to continue', () => {
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
			[{ ...absent, lost: 'create' }, of('b.pdf')],
			'unknown',
			'It is not known whether "a.pdf" is in CometChat. Not in CometChat: "b.pdf".',
			LOOK,
		],
		[
			'an entry without content remains',
			[{ ...absent, leftover: { name: 'a.pdf', uniqueId: 'new-a', isEmpty: true } }],
			'not applied',
			'Not in CometChat: "a.pdf". CometChat may show an entry without content: "a.pdf" (ID new-a, without content). If it has no content, delete it with Document: Delete.',
			undefined,
		],
		[
			'such an entry may exist',
			[{ ...absent, mayHaveLeftover: true }],
			'unknown',
			'Not in CometChat: "a.pdf". It is not known whether CometChat created an entry for the file. Such an entry has no content, and no agent uses it.',
			undefined,
		],
		[
			'one of two exists',
			[present, of('b.pdf')],
			'partly applied',
			`${IN} Not in CometChat: "b.pdf". Not added to the agent.`,
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
			'unknown whether the agent has it',
			[{ ...present, lost: 'attach' }],
			'partly applied',
			`${IN} It is not known whether it was added to the agent.`,
			USE_IDS,
		],
		[
			'one of two cannot be read, and the agent has the other',
			[attached, of('b.pdf', { uniqueId: 'new-b', status: FAILED })],
			'partly applied',
			'In CometChat: "a.pdf" (ID new-a), "b.pdf" (ID new-b). Added to the agent: "a.pdf". Not added: "b.pdf".',
			/^To continue, upload only the files that CometChat could not read\.$/,
		],
		[
			'it has no text, and the agent keeps the old version',
			[{ ...present, hasText: false, retired: [old('attached')] }],
			'partly applied',
			`${IN} Not added to the agent. The agent still has the old version (ID old-a).`,
			'',
		],
		...(
			[
				[attached, 'attached', undefined, 'Added to the agent. The agent still has'],
				[present, 'attached', undefined, 'Not added to the agent. The agent still has'],
				[attached, 'attached', 'detach', 'Added to the agent. The agent may still have'],
				[attached, 'detached', undefined, 'Added to the agent. CometChat still has'],
				[attached, 'detached', 'delete', 'Added to the agent. CometChat may still have'],
			] as const
		).map(([one, state, lost, words]): [string, Progress[], string, string, RegExp] => [
			`the old version is ${state}, lost: ${lost}`,
			[{ ...one, lost, retired: [old(state)] }],
			'partly applied',
			`${IN} ${words} the old version (ID old-a).`,
			REPLACE,
		]),
		[
			'an old version that was deleted or kept needs no word',
			[{ ...attached, retired: [old('deleted'), old('kept')] }],
			'partly applied',
			`${IN} Added to the agent.`,
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
			[of('a.pdf', { ...change, lost: 'create' })],
			'unknown',
			'It is not known whether "a.pdf" was changed.',
			LOOK,
		],
	])('%s', (_, deliveries, effect, detail, hint) => {
		const found = describeDeliveries(deliveries);
		expect(found).toMatchObject({ effect, detail });
		if (hint instanceof RegExp) expect(found.hint).toMatch(hint);
		else expect(found.hint).toBe(hint);
	});

	test.each<[string, Progress, string | undefined]>([
		['exists', present, HINT],
		['may exist', { ...absent, lost: 'create' }, HINT],
		['does not exist', absent, undefined],
		['cannot be read', { ...present, status: FAILED }, ''],
	])('where running the item again is safe, that is the way if the document %s', (_, one, hint) => {
		expect(describeDeliveries([one], HINT).hint).toBe(hint);
	});
});
