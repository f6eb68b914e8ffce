import fc from 'fast-check';

import type { RecordSeed } from '../../service/service';
import { maybe, oneIn } from '../drafting';
import type { BadId, Circumstances, Misbehaviour, Variant } from '../serviceBehaviour';
import { misbehavioursOf, nameOf, rateLimit, stop, withOneClock } from '../serviceBehaviour';

/** A file's place in the folder, and the agent that is to know it. */
export interface Place {
	uid: string;
	fileName: string;
}

const UIDS = ['support-bot', 'guide'];

/** Of whom no item is, with a UID that differs from another's only in case. */
export const BYSTANDER = 'Support-Bot';

/** Each name once for each agent. */
export const PLACES: Place[] = [0, 1, 2].flatMap((at) =>
	UIDS.map((uid) => ({ uid, fileName: nameOf(at) })),
);

/** From elsewhere: of names that the folder may have, and of another. */
export const FROM_ELSEWHERE: RecordSeed[] = [
	{ uniqueId: 'foreign-0', sourceName: nameOf(0) },
	{ uniqueId: 'foreign-1', sourceName: nameOf(1), status: 'failed' },
	{ uniqueId: 'foreign-2', sourceName: nameOf(0) },
	{ uniqueId: 'foreign-3', sourceName: 'elsewhere.txt' },
];

/** Which agents have them at the beginning. */
export const HELD = [
	{ uid: 'support-bot', sourceType: 'uploads', ids: ['foreign-0', 'foreign-3'] },
	{ uid: 'guide', sourceType: 'uploads', ids: ['foreign-1', 'foreign-3'] },
	{ uid: BYSTANDER, sourceType: 'uploads', ids: ['foreign-1', 'foreign-2'] },
];

/** What someone does to the folder; at a place where nothing is to be done, nothing. */
export type Edit =
	/** Content 0 is empty. */
	| { kind: 'write'; at: number; content: number }
	| { kind: 'away' | 'back'; at: number }
	| { kind: 'rename'; at: number; to: number }
	| { kind: 'clear' };

/** What someone does to the documents of a place in CometChat. */
export interface ByHand {
	kind: 'take' | 'delete' | 'share';
	at: number;
}

/** A night, and what happens between the one before and it. */
export interface Night extends Circumstances {
	edits: Edit[];
	/** Whether they come right before the night. */
	isLate: boolean;
	byHand: ByHand[];
	/** As in a copy of the workflow, or with another name of the node. */
	losesNote: boolean;
	/** The request with which n8n is killed, and whether CometChat still carries it out. */
	killed?: { atRequest: number; applies: boolean };
	/** Another run of the same night, and what is done to the folder before. */
	second?: { afterMs: number; edits: Edit[] };
}

/** How the node is set up, and what the service is like in all nights. */
export interface Settings {
	deleteOldVersion: 'ifUnused' | 'always' | 'never';
	goneFiles: 'remove' | 'delete' | 'keep';
	maxShareToRemove: number;
	tellsModified: boolean;
	parallelRequests?: number;
	agentLists: NonNullable<Variant['agentLists']>;
}

export interface Nights {
	settings: Settings;
	/** What is done to the folder before all of them. */
	first: Edit[];
	nights: Night[];
}

const place = fc.nat(PLACES.length - 1);

const edit: fc.Arbitrary<Edit> = fc.oneof(
	{
		weight: 8,
		arbitrary: fc.record({
			kind: fc.constant('write' as const),
			at: place,
			content: fc.constantFrom(1, 2, 3, 1, 2, 3, 0),
		}),
	},
	{
		weight: 4,
		arbitrary: fc.record({ kind: fc.constantFrom('away' as const, 'back' as const), at: place }),
	},
	{
		weight: 2,
		arbitrary: fc.record({ kind: fc.constant('rename' as const), at: place, to: place }),
	},
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('clear' as const) }) },
);

const byHand: fc.Arbitrary<ByHand> = fc.record({
	kind: fc.constantFrom('take', 'delete', 'share'),
	at: place,
});

const variant: fc.Arbitrary<Variant> = fc.record({
	recorded: maybe(fc.constantFrom('fromInitiate', 'fromBytes')),
	secondUse: maybe(fc.constantFrom('refuse', 'accept')),
	indexingMs: fc.constantFrom(0, 20, 3000),
	ends: maybe(fc.constantFrom('indexed', 'inSync')),
	unknownInPoll: oneIn(4, fc.constant('refuse')),
});

/** A service that behaves. */
const usual = {
	edits: fc.array(edit, { maxLength: 4 }),
	isLate: fc.boolean(),
	byHand: fc.nat(3).chain((drawn) => fc.array(byHand, { maxLength: drawn === 3 ? 2 : 0 })),
	losesNote: fc.nat(9).map((drawn) => drawn === 9),
	onError: fc.constant<Circumstances['onError']>('continueRegularOutput'),
	misbehaviours: fc.constant<Misbehaviour[]>([]),
	badIds: fc.constant<BadId[]>([]),
	variant,
	serviceAheadMs: fc.constantFrom(0, 0, 90_000, -3_600_000),
	chance: fc.nat(99),
};

const good: fc.Arbitrary<Night> = fc.record(usual);

const misbehaviours = misbehavioursOf([
	'records',
	'list',
	'agent',
	'initiate',
	'poll',
	'add',
	'remove',
	'deleteUpload',
]).map((all) => all.map(credible));

const troubled: fc.Arbitrary<Night> = fc
	.record({
		...usual,
		onError: fc.constantFrom<Circumstances['onError']>('continueRegularOutput', 'stopWorkflow'),
		misbehaviours,
		rateLimit: oneIn(4, rateLimit),
		stop: oneIn(5, stop),
		failEvery: oneIn(2, fc.constantFrom(1, 2, 3)),
	})
	.map(({ failEvery, ...night }) => {
		const isAstray = night.misbehaviours.some(({ kind }) => kind === 'astray');
		// Only an entry that is there tells its ID.
		const recorded = isAstray ? 'fromInitiate' : night.variant.recorded;
		return withOneClock({ ...night, variant: { ...night.variant, recorded, failEvery } });
	});

const killed: fc.Arbitrary<Night> = fc.record({
	...usual,
	killed: fc.record({ atRequest: fc.integer({ min: 1, max: 25 }), applies: fc.boolean() }),
});

const double: fc.Arbitrary<Night> = fc.record({
	...usual,
	second: fc.record({
		afterMs: fc.constantFrom(0, 10, 30, 70, 150, 1000, 4000),
		edits: fc.array(edit, { maxLength: 2 }),
	}),
});

/** Without what would be a lie: that there is no such file, though there is. */
function credible(given: Misbehaviour): Misbehaviour {
	const isLie = given.for.operation === 'remove' && given.kind === 'status';
	return isLie && given.status === 404 ? { ...given, status: 400 } : given;
}

function nightsOf(
	night: fc.Arbitrary<Night>,
	lists: fc.Arbitrary<Pick<Settings, 'agentLists' | 'deleteOldVersion'>>,
): fc.Arbitrary<Nights> {
	const settings = fc.record({
		goneFiles: fc.constantFrom<Settings['goneFiles']>('remove', 'remove', 'delete', 'keep'),
		maxShareToRemove: fc.constantFrom(20, 50, 100),
		tellsModified: fc.boolean(),
		parallelRequests: maybe(fc.integer({ min: 1, max: 5 })),
	});
	return fc.record({
		settings: fc.tuple(settings, lists).map(([one, other]) => ({ ...one, ...other })),
		first: fc.array(edit, { minLength: 1, maxLength: 6 }),
		nights: fc
			.tuple(fc.array(night, { maxLength: 5 }), good)
			.map(([before, last]) => [...before, last]),
	});
}

/** Random folders, nights and faults; the last night is without any. */
export const nightsArbitrary: fc.Arbitrary<Nights> = fc.oneof(
	{
		weight: 3,
		arbitrary: nightsOf(
			fc.oneof(
				{ weight: 4, arbitrary: good },
				{ weight: 3, arbitrary: troubled },
				{ weight: 2, arbitrary: killed },
				{ weight: 2, arbitrary: double },
			),
			fc.record({
				agentLists: fc.constantFrom('uniqueIds', 'uniqueIds', 'stale'),
				deleteOldVersion: fc.constantFrom('ifUnused', 'ifUnused', 'always', 'never'),
			}),
		),
	},
	{
		weight: 1,
		arbitrary: nightsOf(
			fc.oneof({ weight: 5, arbitrary: good }, { weight: 1, arbitrary: troubled }),
			fc.record({
				agentLists: fc.constantFrom('empty', 'otherIds'),
				// 'always' would also delete what only another agent has: nothing tells.
				deleteOldVersion: fc.constantFrom('ifUnused', 'never'),
			}),
			// What a person takes from an agent, nothing tells either.
		).map(({ nights, ...more }) => ({
			...more,
			nights: nights.map((night) => ({ ...night, byHand: [] })),
		})),
	},
);

/** Whether the lists of agents tell which documents they have. */
export function isTold({ agentLists }: Settings): boolean {
	return agentLists === 'uniqueIds' || agentLists === 'stale';
}

/** Whether the service behaves, and nobody else is at work. */
export function isGood({
	misbehaviours: all,
	stop: pressed,
	killed: kill,
	second,
	...night
}: Night) {
	const isLimited = night.rateLimit !== undefined || night.variant.failEvery !== undefined;
	const goesOn = night.onError !== 'stopWorkflow';
	return goesOn && all.length === 0 && !pressed && !kill && !second && !isLimited;
}
