import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { RateLimit, Rule } from '../service/service';

/** One run of the node, and all that befalls it. */
export interface Scenario {
	operation: 'add' | 'remove';
	/** Never empty. */
	items: Item[];
	options: Options;
	onError: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
	/** When the user presses the stop button; undefined for never. */
	stop?: { atRequest: number } | { afterMs: number };
	/** What the knowledge bases hold before the run. */
	contents: Array<{ agent: string; sourceType: string; ids: string[] }>;
	/** How the service misbehaves; each is used up in turn by the requests it is for. */
	misbehaviours: Misbehaviour[];
	/** IDs that the service refuses whenever they are in a list. */
	badIds: BadId[];
	rateLimit?: RateLimit;
	/** How far the service's clock is ahead of the node's. */
	serviceAheadMs: number;
	/** Which chances the node draws. */
	chance: number;
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
export interface Options {
	keepOrder?: boolean;
	parallelRequests?: number;
	maxAttempts?: number;
	maxWaitSeconds?: number;
	timeoutSeconds?: number;
	ifNoFileIds?: 'fail' | 'skip';
	combineItems?: boolean;
	maxFileIdsPerRequest?: number;
	splitRefused?: boolean;
	maxRequestsPerMinute?: number;
}

/** How the service asks to wait. */
export interface Wait {
	form: 'seconds' | 'date' | 'reset' | 'nonsense';
	seconds: number;
}

export type Misbehaviour = {
	for: NonNullable<Rule['for']>;
	times: number;
	latencyMs: number;
	/** Whether the files are changed all the same, where a client can't know. */
	applies: boolean;
} & (
	| { kind: 'status'; status: number; wait?: Wait; code?: string; repeatsKey: boolean }
	| { kind: 'body'; body: string; says: Says; contentType?: string }
	| { kind: 'dropped' | 'truncated' | 'stalled' | 'slow' }
);

/** What a body with status 200 says of the change; 'either' where both readings are right. */
export type Says = 'done' | 'refused' | 'nothing' | 'either';

export interface BadId {
	id: string;
	status: number;
	code?: string;
	/** Instead of an error body. */
	body?: string;
}

/** All but 'nobody' exist. Two differ only in case. */
export const AGENTS = ['support-bot', 'Support-Bot', 'guide', 'nobody'];

const SOURCE_TYPES = ['uploads', 'text'];

const SHARED_IDS = ['f0', 'f1', 'f2', 'f3', 'f4', 'f5'];

/** Statuses that a rule of the node may name, and their neighbours. */
const STATUSES = [
	201, 202, 204, 205, 301, 302, 304, 307, 400, 401, 402, 403, 404, 405, 408, 409, 410, 413, 415,
	418, 422, 423, 425, 426, 429, 431, 451, 499, 500, 501, 502, 503, 504, 505, 507, 508, 511, 520,
	522, 524, 530, 599,
];

const CODES = [
	'ERR_KB_NOT_FOUND',
	'ERR_TOO_MANY_REQUESTS',
	'ERR_PLAN_QUOTA_RESTRICTION',
	'AUTH_ERR_NO_ACCESS',
	'ERR_EXCEPTION',
];

const BODIES: Array<{ body: string; says: Says; contentType?: string }> = [
	{ body: '{"success":false}', says: 'refused' },
	{ body: '{"success":false,"message":"No"}', says: 'refused' },
	{ body: '', says: 'nothing' },
	{ body: 'null', says: 'nothing' },
	{ body: '[]', says: 'nothing' },
	{ body: '{}', says: 'nothing' },
	{ body: '{"success":"true"}', says: 'nothing' },
	{ body: '{"success":1}', says: 'nothing' },
	{ body: '{"success":tr', says: 'nothing' },
	{ body: '[{"success":true}]', says: 'nothing' },
	{ body: '<html><title>Sign in</title></html>', says: 'nothing', contentType: 'text/html' },
	{ body: '\u0000\u0001', says: 'nothing', contentType: 'application/octet-stream' },
	{ body: '{"success":true}', says: 'either', contentType: 'text/plain' },
	{ body: '{"success":true,"more":[1]}', says: 'done' },
];

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

const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });

const options: fc.Arbitrary<Options> = fc.record({
	keepOrder: maybe(fc.boolean()),
	parallelRequests: maybe(fc.integer({ min: 1, max: 5 })),
	maxAttempts: maybe(fc.integer({ min: 1, max: 4 })),
	maxWaitSeconds: maybe(fc.constantFrom(0, 1, 5, 30, 120, 600)),
	timeoutSeconds: maybe(fc.constantFrom(1, 3, 60)),
	ifNoFileIds: maybe(fc.constantFrom('fail', 'skip')),
	combineItems: maybe(fc.boolean()),
	maxFileIdsPerRequest: maybe(fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constantFrom(1000))),
	splitRefused: maybe(fc.boolean()),
	maxRequestsPerMinute: fc.option(fc.constantFrom(1, 7, 60, 500, 20_000), {
		nil: undefined,
		freq: 2,
	}),
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
	special: fc.option(
		fc.oneof(
			{ weight: 2, arbitrary: fc.record({ empty: fc.nat(EMPTY.length - 1) }) },
			{ weight: 1, arbitrary: fc.record({ unusable: fc.nat(UNUSABLE.length - 1) }) },
		),
		{ nil: undefined, freq: 12 },
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

const always = fc.record({
	for: addressee,
	times: fc.oneof(
		{ weight: 8, arbitrary: fc.integer({ min: 1, max: 5 }) },
		{ weight: 1, arbitrary: fc.constant(Infinity) },
	),
	latencyMs: fc.oneof(
		{ weight: 3, arbitrary: fc.integer({ min: 1, max: 40 }) },
		{ weight: 1, arbitrary: fc.integer({ min: 41, max: 4000 }) },
	),
	applies: fc.boolean(),
});

const wait: fc.Arbitrary<Wait> = fc.record({
	form: fc.constantFrom('seconds', 'date', 'reset', 'nonsense'),
	seconds: fc.constantFrom(0, 1, 2.5, 10, 40, 130, 700),
});

const answers = fc.oneof(
	{
		weight: 5,
		arbitrary: fc.record({
			kind: fc.constant('status' as const),
			status: fc.oneof(
				{ weight: 3, arbitrary: fc.constantFrom(408, 429, 500, 502, 503, 504) },
				{ weight: 2, arbitrary: fc.constantFrom(...STATUSES) },
				{ weight: 1, arbitrary: fc.integer({ min: 300, max: 599 }) },
			),
			wait: maybe(wait),
			code: fc.option(fc.constantFrom(...CODES), { nil: undefined, freq: 3 }),
			repeatsKey: fc.boolean(),
		}),
	},
	{
		weight: 2,
		arbitrary: fc.constantFrom(...BODIES).map((body) => ({ kind: 'body' as const, ...body })),
	},
	{
		weight: 3,
		arbitrary: fc.record({
			kind: fc.constantFrom('dropped' as const, 'truncated' as const, 'slow' as const),
		}),
	},
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('stalled' as const) }) },
);

const misbehaviour: fc.Arbitrary<Misbehaviour> = fc
	.tuple(always, answers)
	.map(([usual, answer]) => {
		const given = { ...usual, ...answer };
		// To say that it is done for an agent that does not exist would be a lie.
		const claims = given.kind === 'body' && (given.says === 'done' || given.says === 'either');
		return claims ? { ...given, for: { ...given.for, uid: AGENTS[0] } } : given;
	});

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

const rateLimit: fc.Arbitrary<RateLimit> = fc.record({
	requests: fc.integer({ min: 1, max: 6 }),
	windowMs: fc.constantFrom(900, 5000, 60_000),
	header: fc.constantFrom('seconds', 'date', 'none'),
});

const stop = fc.oneof(
	fc.record({ atRequest: fc.integer({ min: 1, max: 8 }) }),
	fc.record({ afterMs: fc.constantFrom(1, 10, 50, 1500, 6000) }),
);

const usual = {
	operation: fc.constantFrom<Scenario['operation']>('add', 'add', 'remove'),
	items,
	options,
	onError: fc.constantFrom<Scenario['onError']>(
		'continueRegularOutput',
		'stopWorkflow',
		'continueErrorOutput',
	),
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
	serviceAheadMs: fc.constantFrom(0, 0, 90_000, -3_600_000),
	chance: fc.nat(99),
};

/** A service that misbehaves in every way. */
const troubled: fc.Arbitrary<Scenario> = fc
	.record({
		...usual,
		misbehaviours: fc.array(misbehaviour, { maxLength: 6 }),
		badIds: fc.oneof(fc.constant<BadId[]>([]), fc.array(badId, { maxLength: 2 })),
		rateLimit: fc.option(rateLimit, { nil: undefined, freq: 4 }),
		stop: fc.option(stop, { nil: undefined, freq: 8 }),
	})
	.map((scenario) => {
		// The stand-in's own dates are by its own clock, which is never ahead.
		const isDated = (scenario.rateLimit?.header ?? 'seconds') !== 'seconds';
		return isDated ? { ...scenario, serviceAheadMs: 0 } : scenario;
	});

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
