import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { FROM_ITEM } from '../../node/fixture';
import { hasLongPause } from '../coverage';
import { maybe, oneIn } from '../drafting';
import type { Exchange } from '../exchanges';
import { isRepeated, meaningOf } from '../exchanges';
import { ofEachFile } from '../expectations/perFile';
import { each, first } from '../expectations/sending';
import type { Asked, Case, Item, Operation, Options, Promised, Wanted } from '../operation';
import { AGENTS, KNOWN_AGENTS } from '../records';
import { same } from '../report';
import { empty, ifNoFileIds, itemOf, pacing, unusable, wantedOf } from '../scenario';
import type { BadId } from '../serviceBehaviour';

/** What is to be done with the files, and where. */
interface Change extends Wanted {
	uid: string;
	sourceType: string;
	ids: string[];
}

interface ChangeOptions extends Options {
	maxFileIdsPerRequest?: number;
	splitRefused?: boolean;
}

type Given = Case<Change, ChangeOptions>;

/** Mostly of one type, so that items have something to do with each other. */
const sourceType = fc.constantFrom('uploads', 'uploads', 'uploads', 'text');

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

const jsonOf = (files: IDataObject[string]): IDataObject => ({
	agent: 'support-bot',
	sourceType: 'uploads',
	...(files === undefined ? {} : { files }),
});

const draftOf = (adds: boolean) =>
	itemOf(
		[...EMPTY.map(jsonOf).map(empty), ...UNUSABLE.map(jsonOf).map((json) => unusable(json))],
		fc.record({
			uid: fc.constantFrom('support-bot', 'support-bot', 'support-bot', ...AGENTS, 'guide'),
			sourceType,
			/** How many IDs no other item has. */
			own: fc.nat(3),
			shared: fc.uniqueArray(fc.constantFrom(...SHARED_IDS), { maxLength: 4 }),
			/** Whether an ID comes a second time. */
			repeats: fc.boolean(),
			form: fc.constantFrom(...FORMS),
		}),
		({ own, shared, repeats, form, ...place }, index): Item<Change> => {
			const ownIds = Array.from({ length: own }, (_, at) => `own${index}-${at}`);
			const ids = [...ownIds.slice(0, 1), ...shared, ...ownIds.slice(1)];
			if (ids.length === 0) ids.push(`own${index}-0`);
			const files = form(repeats ? [...ids, ...ids.slice(0, 2)] : ids);
			return {
				json: { agent: place.uid, sourceType: place.sourceType, files },
				wanted: { ...place, ids, ...(adds ? { adds: ids } : {}) },
			};
		},
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

const options: fc.Arbitrary<ChangeOptions> = fc.record({
	...pacing,
	ifNoFileIds,
	keepOrder: maybe(fc.boolean()),
	combineItems: maybe(fc.boolean()),
	maxFileIdsPerRequest: maybe(fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constantFrom(1000))),
	splitRefused: maybe(fc.boolean()),
});

/** What is promised of adding and removing files. */
const promises: Array<Promised<Given>> = [
	...ofEachFile,
	{
		title: 'what is said of an item that is done or skipped has the documented form',
		contradiction: ({ scenario, reported, operation }) =>
			first(scenario.items, ({ json, wanted }, index) => {
				const [output] = reported[index]?.outputs ?? [];
				if (output === undefined) return undefined;
				const { reason, ...rest } = output;
				const asked = {
					operation: operation.parameters.operation,
					uid: json.agent,
					sourceType: json.sourceType,
				};
				const isDocumented =
					typeof wanted === 'object'
						? same(output, { success: true, ...asked, uniqueIds: wanted.ids })
						: typeof reason === 'string' &&
							same(rest, { success: false, ...asked, uniqueIds: [], skipped: true });
				return isDocumented
					? undefined
					: `the output of item ${index} is ${JSON.stringify(output)}`;
			}),
	},
	{
		title: 'items with the same files are told apart in number, if not by name',
		holdsFor: ({ scenario, stoppedAtMs, run }) =>
			!scenario.options.combineItems &&
			scenario.options.maxFileIdsPerRequest === undefined &&
			stoppedAtMs === undefined &&
			run.error === undefined,
		contradiction: ({ asked, exchanges }) => {
			const groups = new Map<string, Array<Asked<Change>>>();
			for (const one of asked) {
				const key = keyOf(one.wanted, one.wanted.ids);
				groups.set(key, [...(groups.get(key) ?? []), one]);
			}
			return first([...groups], ([key, group]) => {
				const sent = exchanges.filter((one) => keyOf(one.arrival, one.ids) === key);
				const attempts = (wanted: string[]) =>
					group
						.filter(({ reported }) => wanted.includes(reported.outcome))
						.reduce((sum, { reported }) => sum + (reported.attempts ?? 1), 0);
				const done = group.filter(({ reported }) => reported.outcome === 'applied').length;
				const confirmed = sent.filter((one) => meaningOf(one).startsWith('done')).length;
				if (done > confirmed) {
					return `${done} items of ${key} are done, ${confirmed} were confirmed`;
				}
				const notApplied = sent.filter(({ applied }) => !applied).length;
				if (attempts(['not applied']) > notApplied) return `too many of ${key} are 'not applied'`;
				const failed = attempts(['not applied', 'unknown']);
				const isWhole = done === 0 ? failed === sent.length : failed + done <= sent.length;
				return isWhole ? undefined : `${sent.length} requests of ${key}, ${failed} reported`;
			});
		},
	},
	{
		title: 'without Send in Bundles, each request is one item, or a piece of one',
		holdsFor: ({ scenario }) => !scenario.options.combineItems,
		contradiction: ({ scenario, exchanges, asked }) => {
			const size = scenario.options.maxFileIdsPerRequest ?? Infinity;
			const whole = new Set(
				asked.flatMap(({ wanted }) =>
					piecesOf(wanted.ids, size).map((piece) => keyOf(wanted, piece)),
				),
			);
			return first(exchanges, (one) =>
				whole.has(keyOf(one.arrival, one.ids)) ? undefined : `a request holds ${one.ids.join()}`,
			);
		},
	},
	{
		title: 'no request holds more IDs than Max File IDs per Request',
		holdsFor: ({ scenario: { options: own } }) =>
			own.combineItems === true || own.maxFileIdsPerRequest !== undefined,
		contradiction: ({ scenario, exchanges }) => {
			const size = scenario.options.maxFileIdsPerRequest ?? 100;
			return first(exchanges, ({ ids }) =>
				ids.length <= size ? undefined : `a request holds ${ids.length} IDs, ${size} are allowed`,
			);
		},
	},
	{
		title: 'with the order kept, items of an agent are first sent in input order',
		holdsFor: ({ scenario }) => scenario.options.keepOrder !== false,
		contradiction: ({ asked, exchanges }) => {
			const lastOf = new Map<string, { place: number; index: number }>();
			return first(asked, ({ index, wanted, ownIds }) => {
				const agent = wanted.uid.toLowerCase();
				const places = ownIds
					.map((id) => exchanges.findIndex((one) => isAt(one, wanted) && one.ids.includes(id)))
					.filter((place) => place >= 0);
				if (places.length === 0) return undefined;
				const before = lastOf.get(agent);
				lastOf.set(agent, { place: Math.max(...places), index });
				return before && Math.min(...places) < before.place
					? `item ${index} was sent before item ${before.index}`
					: undefined;
			});
		},
	},
	{
		title:
			'no request is sent more often than Max Attempts per Request by each item that asks for it',
		contradiction: ({ scenario, exchanges, asked }) => {
			const allowed = scenario.options.maxAttempts ?? 5;
			const changes = exchanges.filter((one) => !isLookup(one));
			return first(changes, (one) => {
				const alike = changes.filter(
					(other) => keyOf(other.arrival, other.ids) === keyOf(one.arrival, one.ids),
				);
				// Items that ask for the same may have the same request each.
				const askers = asked.filter(
					({ wanted }) => isAt(one, wanted) && wanted.ids.some((id) => one.ids.includes(id)),
				);
				const isOwn = askers.some(({ requests }) => requests.includes(one));
				return alike.length <= allowed * (isOwn ? 1 : askers.length)
					? undefined
					: `the request with ${one.ids.join()} was sent ${alike.length} times`;
			});
		},
	},
	{
		title:
			'a file that CometChat refuses costs no other file its place, if refused requests are split',
		holdsFor: ({ scenario, stoppedAtMs }) =>
			scenario.options.combineItems === true &&
			scenario.options.splitRefused !== false &&
			scenario.misbehaviours.length === 0 &&
			scenario.rateLimit === undefined &&
			scenario.onError !== 'stopWorkflow' &&
			stoppedAtMs === undefined,
		contradiction: ({ asked, exchanges, scenario }) => {
			const bad = scenario.badIds.map(({ id }) => id);
			return first(asked, ({ index, wanted, reported }) => {
				const { ids } = wanted;
				if (wanted.uid === 'nobody') return undefined;
				const good = ids.filter((id) => !bad.includes(id));
				const lost = good.find(
					(id) =>
						!exchanges.some((one) => one.applied && isAt(one, wanted) && one.ids.includes(id)),
				);
				if (lost !== undefined) return `${lost} of item ${index} was not applied`;
				const otherwise = good.length === 0 ? 'not applied' : 'partly applied';
				const outcome = good.length === ids.length ? 'applied' : otherwise;
				return reported.outcome === outcome
					? undefined
					: `item ${index} is '${reported.outcome}' instead of '${outcome}'`;
			});
		},
	},
	{
		title: 'an agent is asked for only after it has refused several files that are to be split',
		contradiction: ({ scenario, exchanges }) =>
			first(exchanges.filter(isLookup), ({ arrival: { uid, request } }) => {
				const { combineItems, splitRefused } = scenario.options;
				if (combineItems !== true || splitRefused === false) return `${uid} is asked for`;
				const hasRefused = exchanges.some(
					(one) =>
						one.arrival.uid === uid &&
						one.arrival.request < request &&
						one.ids.length > 1 &&
						isRefused(one),
				);
				return hasRefused ? undefined : `${uid} has refused nothing, and is asked for`;
			}),
	},
	{
		title: 'an agent is asked for before its files are split, unless the refusal names a file',
		holdsFor: ({ stoppedAtMs, scenario }) =>
			stoppedAtMs === undefined && scenario.onError !== 'stopWorkflow',
		contradiction: each(splits, ({ whole, part }, given) => {
			if (namesFile(whole)) return undefined;
			const { uid } = whole.arrival;
			const isAsked = given.exchanges.some(
				(one) =>
					isLookup(one) && one.arrival.uid === uid && one.arrival.request < part.arrival.request,
			);
			return isAsked ? undefined : `${whole.ids.join()} was split, and ${uid} not asked for`;
		}),
	},
	{
		title: 'what is refused by an agent that CometChat does not know is not split',
		contradiction: (given) => {
			const unknown = given.exchanges.filter(isFoundUnknown);
			return first(splits(given), ({ whole, part }) => {
				const isKnown = unknown.some(
					({ arrival, end }) =>
						arrival.uid === whole.arrival.uid && (end?.atMs ?? Infinity) < part.arrival.atMs,
				);
				return isKnown && !namesFile(whole)
					? `${whole.ids.join()} was sent in parts: ${part.ids.join()}`
					: undefined;
			});
		},
	},
];

const meets: Operation<Change, ChangeOptions>['meets'] = {
	'sent again': ({ exchanges }) => {
		const keys = exchanges.map((one) => keyOf(one.arrival, one.ids));
		return new Set(keys).size < keys.length;
	},
	'a time named that no Max Retry Wait allows, and not by a 429': hasLongPause,
	'several items in a request': ({ scenario, exchanges }) =>
		exchanges.some(({ ids }) => !wantedOf(scenario).some((one) => isPart(ids, one.ids))),
	'a request refused and split': ({ exchanges }) =>
		exchanges.some(
			(one, place) =>
				meaningOf(one) === 'refused' &&
				exchanges
					.slice(place + 1)
					.some(({ ids }) => ids.length < one.ids.length && isPart(ids, one.ids)),
		),
	'an item in several requests': ({ scenario, exchanges }) =>
		wantedOf(scenario).some((one) => {
			const pieces = exchanges.filter(({ ids }) => ids.length > 0 && isPart(ids, one.ids));
			return pieces.length > 1 && pieces.every(({ ids }) => ids.length < one.ids.length);
		}),
	'an agent asked for': ({ exchanges }) => exchanges.some(isLookup),
	'an unknown agent found out': ({ exchanges }) => exchanges.some(isFoundUnknown),
};

export function changeOf(name: 'add' | 'remove'): Operation<Change, ChangeOptions> {
	const adds = name === 'add';
	return {
		name,
		runs: adds ? 300 : 150,
		parameters: { ...FROM_ITEM, operation: name, sourceType: '={{ $json.sourceType }}' },
		records: [],
		requests: [name, 'agent'],
		sharedRequests: ['agent'],
		draft: draftOf(adds),
		mostItems: 14,
		options,
		variant: fc.constant({}),
		heldBefore: fc
			.array(
				fc.record({
					uid: fc.constantFrom(...KNOWN_AGENTS),
					sourceType,
					ids: fc.uniqueArray(fc.constantFrom(...SHARED_IDS, 'own0-0', 'other'), {
						minLength: 1,
						maxLength: 6,
					}),
				}),
				{ maxLength: 2 },
			)
			.map((held) => ({ of: () => held })),
		addressee: fc
			.record({
				uid: oneIn(4, fc.constantFrom(...AGENTS)),
				containsId: oneIn(4, fc.constantFrom(...SHARED_IDS, 'own0-0', 'own1-0', 'own2-0')),
				sourceType: oneIn(8, sourceType),
			})
			.map(({ uid, containsId, sourceType: type }) => {
				if (uid !== undefined) return { uid };
				if (containsId !== undefined) return { containsId };
				return type === undefined ? {} : { sourceType: type };
			}),
		badIds: fc.array(badId, { maxLength: 3 }),
		perFile: {
			concerns: isAt,
			isSo: (id, wanted, { exchanges, after }) => {
				const files = after.attached.get(`${wanted.uid}/${wanted.sourceType}`) ?? [];
				const isApplied = exchanges.some(
					(one) => one.applied && isAt(one, wanted) && one.ids.includes(id),
				);
				return isApplied && files.includes(id) === adds;
			},
		},
		...(adds ? {} : { mayTake: isTaken }),
		isCountExact: ({ wanted, ownIds }) => wanted.ids.length === ownIds.length,
		canBeDone: ({ wanted: { uid, ids } }, { scenario: { badIds, options: own } }) => {
			const isBad = ids.some((id) => badIds.some((bad) => bad.id === id));
			if (uid === 'nobody' || isBad) return false;
			return badIds.length > 0 && own.combineItems ? undefined : true;
		},
		wording: [
			[/Of its \d+ files/, 'partly applied'],
			[/It is not known whether the files were/, 'unknown'],
			[/The files were not/, 'not applied'],
		],
		promises,
		meets,
		neverMeets: [],
	};
}

export const add = changeOf('add');

export const remove = changeOf('remove');

function isTaken(
	{ uid, sourceType: type, ids }: Change,
	{ id }: { id: string },
	place: string,
): boolean {
	return place === `${uid}/${type}` && ids.includes(id);
}

function isAt({ arrival }: Exchange, { uid, sourceType: type }: Change): boolean {
	return arrival.uid === uid && arrival.sourceType === type;
}

/** A question for the agent itself. */
function isLookup({ arrival }: Exchange): boolean {
	return arrival.operation === 'agent';
}

/** Without a cause, it is what the service holds that it does not know. */
function isFoundUnknown(one: Exchange): boolean {
	return isLookup(one) && one.cause === undefined && one.end?.status === 404;
}

/** Refused for good, and not only for now. */
function isRefused(one: Exchange): boolean {
	return meaningOf(one) === 'refused' && !isRepeated(one);
}

/** Requests that were refused, each with those that brought some of its files again. */
function* splits({ exchanges, asked }: Given): Generator<{ whole: Exchange; part: Exchange }> {
	for (const [place, whole] of exchanges.entries()) {
		// What one item alone asks for is in no other request.
		const own = whole.ids.filter((id) =>
			asked.some(({ wanted, ownIds }) => isAt(whole, wanted) && ownIds.includes(id)),
		);
		if (!isRefused(whole) || own.length === 0) continue;
		for (const part of exchanges.slice(place + 1)) {
			const isOfWhole =
				part.arrival.uid === whole.arrival.uid &&
				part.arrival.sourceType === whole.arrival.sourceType &&
				part.ids.length < whole.ids.length &&
				own.some((id) => part.ids.includes(id));
			if (isOfWhole) yield { whole, part };
		}
	}
}

/** Whether a refusal says itself that it is for a file, or for how many they are. */
function namesFile({ cause, end }: Exchange): boolean {
	const given = cause === undefined ? {} : 'bad' in cause ? cause.bad : cause.given;
	const code = 'code' in given ? given.code : undefined;
	return end?.status === 413 || code === 'ERR_KB_NOT_FOUND';
}

function keyOf({ uid, sourceType: type }: Wanted, ids: string[]): string {
	return `${uid}/${type}/${ids.join()}`;
}

function isPart(ids: string[], whole: string[]): boolean {
	return ids.every((id) => whole.includes(id));
}

function piecesOf(ids: string[], size: number): string[][] {
	const pieces = [];
	for (let at = 0; at < ids.length; at += size) pieces.push(ids.slice(at, at + size));
	return pieces;
}
