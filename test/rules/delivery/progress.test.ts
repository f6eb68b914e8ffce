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
	/^Check the knowledge base in the CometChat dashboard before you run the item again: .* duplicate\.$/;
const USE_IDS =
	/^Use the IDs below, for example in 'Add Files'\. Running .* would create a duplicate\.$/;
const ONE_MISSING = /would create a duplicate\. Upload only the missing files\.$/;
const REMOVE = /^Remove the old version with 'Remove Files', or delete .* permanently/;
const ADD_AND_REMOVE =
	/^Add the new version to the agent with 'Add Files'\. Remove the old version with 'Remove Files', or delete .* would create a duplicate\.$/;
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
			'Result unknown, may be in CometChat: "a.pdf". Not in CometChat: "b.pdf".',
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
			`${IN} Not in CometChat: "b.pdf". Not added to the agent.`,
			ONE_MISSING,
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
			`${IN} CometChat didn't confirm that the agent uses "a.pdf".`,
			USE_IDS,
		],
		[
			'one of two cannot be read, and the agent has the other',
			[attached, of('b.pdf', { uniqueId: 'new-b', status: FAILED })],
			'partly applied',
			'In CometChat: "a.pdf" (ID new-a), "b.pdf" (ID new-b). Added to the agent: "a.pdf". Not added: "b.pdf".',
			/^Upload only the files that CometChat couldn't index\.$/,
		],
		[
			'it has no text, and the agent keeps the old version',
			[{ ...present, hasText: false, retired: [old('attached')] }],
			'partly applied',
			`${IN} Not added to the agent. The agent still uses the old version (ID old-a).`,
			'',
		],
		...(
			[
				[attached, 'attached', undefined, 'Added to the agent. The agent still uses'],
				[present, 'attached', undefined, 'Not added to the agent. The agent still uses'],
				[attached, 'attached', 'detach', 'Added to the agent. The agent may still use'],
				[attached, 'detached', undefined, 'Added to the agent. CometChat still has'],
				[attached, 'detached', 'delete', 'Added to the agent. CometChat may still have'],
			] as const
		).map(([one, state, lost, words]): [string, Progress[], string, string, RegExp] => [
			`the old version is ${state}, lost: ${lost}`,
			[{ ...one, lost, retired: [old(state)] }],
			'partly applied',
			`${IN} ${words} the old version (ID old-a).`,
			one === attached ? REMOVE : ADD_AND_REMOVE,
		]),
		[
			'without an agent, the old version still exists',
			[{ ...present, agent: undefined, retired: [old('detached')] }],
			'partly applied',
			`${IN} CometChat still has the old version (ID old-a).`,
			/^When the new version is indexed, delete the old version .* would create a duplicate\.$/,
		],
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
			'Result unknown, may be changed: "a.pdf".',
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
