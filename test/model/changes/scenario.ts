import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { AGENTS } from '../agents';
import type { BadId, Circumstances, Misbehaviour } from '../misbehaviour';
import {
	chance,
	claimsSuccess,
	misbehaviourTo,
	onError,
	rateLimit,
	serviceAheadMs,
	stop,
	withOneClock,
} from '../misbehaviour';
import type { Pacing } from '../options';
import { maybe, oneIn, pacing } from '../options';

/** One run of the node, and all that befalls it. */
export interface Scenario extends Circumstances {
	operation: 'add' | 'remove';
	/** Never empty. */
	items: Item[];
	options: Options;
	/** What the knowledge bases hold before the run. */
	contents: Array<{ agent: string; sourceType: string; ids: string[] }>;
}

export interface Item {
	agent: string;
	sourceType: string;
	/** What stands in the item's field; undefined if it has no such field. */
	files: IDataObject[string];
	/** What that means: the IDs in order, each once. */
	meaning: { kind: 'ids'; ids: string[] } | { kind: 'empty' } | { kind: 'unusable' };
}

/** 'Options' of the node; what is undefined is not set. */
export interface Options extends Pacing {
	keepOrder?: boolean;
	ifNoFileIds?: 'fail' | 'skip';
	combineItems?: boolean;
	maxFileIdsPerRequest?: number;
	splitRefused?: boolean;
}

const SOURCE_TYPES = ['uploads', 'text'];

const SHARED_IDS = ['f0', 'f1', 'f2', 'f3', 'f4', 'f5'];

const UNUSABLE: Array<IDataObject[string]> = [
	{},
	true,
	'a\u0007b',
	['f0', 'f\u200b1'],
	[{ name: 'x' }],
	['f0', ''],
	'[object Object]',
	'["f0"',
	-1,
	['f0', ['f1']],
];

const EMPTY: Array<IDataObject[string]> = [[], '', ' , ', null, undefined, '[]'];

/** How a list of IDs stands in the field. */
const FORMS: Array<(ids: string[]) => IDataObject[string]> = [
	(ids) => ids,
	(ids) => ids.join(', '),
	(ids) => ids.map((uploadId) => ({ uploadId, id: 'not this one' })),
	(ids) => JSON.stringify(ids),
];

const options: fc.Arbitrary<Options> = fc.record({
	keepOrder: maybe(fc.boolean()),
	...pacing,
	ifNoFileIds: maybe(fc.constantFrom('fail', 'skip')),
	combineItems: maybe(fc.boolean()),
	maxFileIdsPerRequest: maybe(fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constantFrom(1000))),
	splitRefused: maybe(fc.boolean()),
});

/** What an item holds, before it is known which one it is. */
const draft = fc.record({
	agent: fc.nat(3),
	sourceType: fc.nat(3),
	/** How many IDs no other item has. */
	own: fc.nat(3),
	shared: fc.array(fc.constantFrom(...SHARED_IDS), { maxLength: 4 }),
	/** Whether an ID comes a second time. */
	repeats: fc.boolean(),
	form: fc.nat(FORMS.length - 1),
	special: oneIn(
		12,
		fc.oneof(
			{ weight: 2, arbitrary: fc.record({ empty: fc.nat(EMPTY.length - 1) }) },
			{ weight: 1, arbitrary: fc.record({ unusable: fc.nat(UNUSABLE.length - 1) }) },
		),
	),
});

const items: fc.Arbitrary<Item[]> = fc
	.record({
		agents: fc.shuffledSubarray([0, 0, 0, 1, 2, 2, 3], { minLength: 1, maxLength: 4 }),
		drafts: fc.array(draft, { minLength: 1, maxLength: 14 }),
		/** Whether any item may be empty or unusable; one alone keeps a run that stops from sending. */
		areFlawed: fc.nat(3).map((drawn) => drawn === 3),
	})
	.map(({ agents, drafts, areFlawed }) =>
		drafts.map((given, index) => {
			const { own, shared, repeats, form } = given;
			const special = areFlawed ? given.special : undefined;
			const agent = AGENTS[agents[given.agent % agents.length] ?? 0] ?? '';
			// Mostly of one type, so that items have something to do with each other.
			const sourceType = SOURCE_TYPES[given.sourceType === 3 ? 1 : 0] ?? '';
			const item = { agent, sourceType };
			if (special && 'empty' in special) {
				return { ...item, files: EMPTY[special.empty], meaning: { kind: 'empty' } };
			}
			if (special) {
				return { ...item, files: UNUSABLE[special.unusable], meaning: { kind: 'unusable' } };
			}
			const ownIds = Array.from({ length: own }, (_, at) => `own${index}-${at}`);
			const ids = [...new Set([...ownIds.slice(0, 1), ...shared, ...ownIds.slice(1)])];
			if (ids.length === 0) ids.push(`own${index}-0`);
			const written = repeats ? [...ids, ...ids.slice(0, 2)] : ids;
			return { ...item, files: FORMS[form]?.(written), meaning: { kind: 'ids', ids } };
		}),
	);

const addressee: fc.Arbitrary<Misbehaviour['for']> = fc.oneof(
	{ weight: 4, arbitrary: fc.constant({}) },
	{ weight: 2, arbitrary: fc.record({ uid: fc.constantFrom(...AGENTS) }) },
	{
		weight: 2,
		arbitrary: fc.record({
			containsId: fc.constantFrom(...SHARED_IDS, 'own0-0', 'own1-0', 'own2-0', 'own3-1'),
		}),
	},
	{ weight: 1, arbitrary: fc.record({ sourceType: fc.constantFrom(...SOURCE_TYPES) }) },
);

const misbehaviour: fc.Arbitrary<Misbehaviour> = misbehaviourTo(addressee).map((given) =>
	// To say that it is done for an agent that does not exist would be a lie.
	claimsSuccess(given) ? { ...given, for: { ...given.for, uid: AGENTS[0] } } : given,
);

const badId: fc.Arbitrary<BadId> = fc
	.tuple(
		fc.constantFrom(...SHARED_IDS, 'own0-0', 'own1-0', 'own2-0'),
		fc.constantFrom<Omit<BadId, 'id'>>(
			{ status: 404, code: 'ERR_KB_NOT_FOUND' },
			{ status: 400, code: 'ERR_BAD_REQUEST' },
			{ status: 422 },
			{ status: 200, body: '{"success":false}' },
		),
	)
	.map(([id, refusal]) => ({ id, ...refusal }));

const usual = {
	operation: fc.constantFrom<Scenario['operation']>('add', 'add', 'remove'),
	items,
	options,
	onError,
	contents: fc.array(
		fc.record({
			agent: fc.constantFrom('support-bot', 'Support-Bot', 'guide'),
			sourceType: fc.constantFrom(...SOURCE_TYPES),
			ids: fc.uniqueArray(fc.constantFrom(...SHARED_IDS, 'own0-0', 'other'), {
				minLength: 1,
				maxLength: 6,
			}),
		}),
		{ maxLength: 2 },
	),
	serviceAheadMs,
	chance,
};

/** A service that misbehaves in every way. */
const troubled: fc.Arbitrary<Scenario> = fc
	.record({
		...usual,
		misbehaviours: fc.array(misbehaviour, { maxLength: 6 }),
		badIds: fc.oneof(fc.constant<BadId[]>([]), fc.array(badId, { maxLength: 2 })),
		rateLimit: oneIn(4, rateLimit),
		stop: oneIn(8, stop),
	})
	.map(withOneClock);

/** A service that does nothing worse than to refuse bad IDs. */
const honest: fc.Arbitrary<Scenario> = fc.record({
	...usual,
	misbehaviours: fc.constant([]),
	badIds: fc.array(badId, { maxLength: 3 }),
});

export const scenarios: fc.Arbitrary<Scenario> = fc.oneof(
	{ weight: 5, arbitrary: troubled },
	{ weight: 1, arbitrary: honest },
);
