import fc from 'fast-check';

import type { RateLimit, Rule } from '../service/service';
import { maybe } from './options';

/** What befalls a run of the node, whatever it does. */
export interface Circumstances {
	onError: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
	/** When the user presses the stop button; undefined for never. */
	stop?: { atRequest: number } | { afterMs: number };
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

/** How the service asks to wait. */
export interface Wait {
	form: 'seconds' | 'date' | 'reset' | 'nonsense';
	seconds: number;
}

export type Misbehaviour = {
	for: NonNullable<Rule['for']>;
	times: number;
	latencyMs: number;
	/** Whether what was asked is done all the same, where a client can't know. */
	applies: boolean;
	/** Upload host: how fast the bytes are read, and after how many of them it ends. */
	bytesPerSecond?: number;
	afterBytes?: number;
} & (
	| { kind: 'status'; status: number; wait?: Wait; code?: string; repeatsKey: boolean }
	| { kind: 'body'; body: string; says: Says; contentType?: string }
	| { kind: 'dropped' | 'truncated' | 'stalled' | 'slow' }
	/** Upload addresses that lead to a host that takes no connection, or to one without encryption. */
	| { kind: 'astray'; to: 'refusing' | 'unencrypted' }
	/** Upload addresses in another order. */
	| { kind: 'reordered' }
	/** The true answer, with a `success` beside it that is not true. */
	| { kind: 'denied'; success: false | null | 'true' }
	/** Upload addresses in another shape than the documented one, or quoted by an error. */
	| { kind: 'reshaped'; shape: Shape }
);

export type Shape = 'renamed' | 'wrapped' | 'text' | 'signature' | 'error';

/** What a body with status 200 says of a change; 'either' where both readings are right. */
export type Says = 'done' | 'refused' | 'nothing' | 'either';

export interface BadId {
	id: string;
	status: number;
	code?: string;
	/** Instead of an error body. */
	body?: string;
}

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
	{
		weight: 1,
		arbitrary: fc.record({
			kind: fc.constant('denied' as const),
			success: fc.constantFrom(false as const, false as const, null, 'true' as const),
		}),
	},
);

/** @param addressee Which requests may meet it. */
export function misbehaviourTo(
	addressee: fc.Arbitrary<Misbehaviour['for']>,
): fc.Arbitrary<Misbehaviour> {
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
	return fc.tuple(always, answers).map(([usual, answer]) => ({ ...usual, ...answer }));
}

/** Whether its answer says that a change is done, so that the service must be able to do it. */
export function claimsSuccess(given: Misbehaviour): boolean {
	return given.kind === 'body' && (given.says === 'done' || given.says === 'either');
}

export const rateLimit: fc.Arbitrary<RateLimit> = fc.record({
	requests: fc.integer({ min: 1, max: 6 }),
	windowMs: fc.constantFrom(900, 5000, 60_000),
	header: fc.constantFrom('seconds', 'date', 'none'),
});

export const stop = fc.oneof(
	fc.record({ atRequest: fc.integer({ min: 1, max: 8 }) }),
	fc.record({ afterMs: fc.constantFrom(1, 10, 50, 1500, 6000) }),
);

export const onError = fc.constantFrom<Circumstances['onError']>(
	'continueRegularOutput',
	'stopWorkflow',
	'continueErrorOutput',
);

export const serviceAheadMs = fc.constantFrom(0, 0, 90_000, -3_600_000);

export const chance = fc.nat(99);

/** The stand-in's own dates are by its own clock, which is never ahead. */
export function withOneClock<S extends Circumstances>(scenario: S): S {
	const isDated = (scenario.rateLimit?.header ?? 'seconds') !== 'seconds';
	return isDated ? { ...scenario, serviceAheadMs: 0 } : scenario;
}
