import { KEY } from '../../node/fixture';
import { isRepeated, meaningOf } from '../facts';
import type { Exchange } from '../exchanges';
import { mostUnderWay } from '../exchanges';
import type { Played } from './play';
import type { Promised } from '../promised';
import {
	endsAll,
	first,
	firstBroken,
	namesTooLong,
	ofOthers,
	ofSending,
	ofStopping,
} from '../promised';
import type { Reported } from './reported';
import { readReport } from './reported';
import type { Misbehaviour } from '../misbehaviour';
import type { Item } from './scenario';
import type { Standing } from '../standing';

/** What a run came to, with what the node says of each item. */
interface Case extends Played {
	/** See `Sent`. */
	tries: Exchange[][];
	reported: Reported[];
	asked: Asked[];
}

/** An item with IDs, and the requests that its IDs were in. */
interface Asked {
	index: number;
	item: Item;
	ids: string[];
	/** Those that no other item asks for, for the same agent and source type. */
	ownIds: string[];
	reported: Reported;
}

const ONE_OUTCOME = 'every item has exactly one outcome, in input order';

/** @returns The first promise that a run breaks. */
export function brokenPromise(played: Played): { title: string; what: string } | undefined {
	const reported = readReport(played.run, played.scenario);
	if (typeof reported === 'string') return { title: ONE_OUTCOME, what: reported };
	const asked = askedOf(played, reported);
	return firstBroken(promises, {
		...played,
		reported,
		asked,
		tries: [...ownRequests(played.exchanges, asked), ...lookupsByAgent(played.exchanges)],
	});
}

export const promises: Array<Promised<Case>> = [
	{
		title: ONE_OUTCOME,
		contradiction: ({ scenario, reported, run, stoppedAtMs }) => {
			const wanted = scenario.items.map((item) => expectedStandings(item, scenario.options));
			const index = reported.findIndex(({ standing }, at) => !wanted[at]?.includes(standing));
			if (index >= 0) return `item ${index} is reported as '${reported[index]?.standing}'`;
			if (stoppedAtMs !== undefined) return undefined;
			return run.status === (run.error ? 'error' : 'success')
				? undefined
				: `the run is ${run.status}`;
		},
	},
	...ofStopping,
	...ofOthers,
	{
		title: 'an item that is reported as done is done, also in the end',
		contradiction: (given) =>
			first(given.asked, ({ index, item, ids, reported }) => {
				const done = idsReported(reported, ids).applied;
				const missing = done.find(
					(id) =>
						!given.exchanges.some((one) => one.applied && concerns(one, item) && has(one, id)),
				);
				if (missing !== undefined) return `${missing} of item ${index} was in no applied request`;
				const isAdd = given.scenario.operation === 'add';
				const files = given.after(item.agent, item.sourceType);
				const wrong = done.find((id) => files.includes(id) !== isAdd);
				return wrong && `${wrong} of item ${index} is ${isAdd ? 'not there' : 'still there'}`;
			}),
	},
	{
		title: 'what CometChat confirmed is reported as done',
		contradiction: (given) =>
			first(given.asked, ({ index, item, ownIds, ids, reported }) => {
				const { applied } = idsReported(reported, ids);
				if (reported.standing === 'partly applied' && !reported.files) return undefined;
				const silent = ownIds.find(
					(id) =>
						!applied.includes(id) &&
						given.exchanges.some(
							(one) =>
								concerns(one, item) &&
								has(one, id) &&
								meaningOf(one) === 'done' &&
								(one.end?.atMs ?? 0) < (given.stoppedAtMs ?? Infinity),
						),
				);
				return silent && `${silent} of item ${index} was confirmed, and is '${reported.standing}'`;
			}),
	},
	{
		title: 'what is reported as not applied was not applied',
		contradiction: (given) =>
			first(given.asked, ({ index, item, ids, ownIds, reported }) => {
				const { notApplied } = idsReported(reported, ids);
				const wrong = notApplied.find(
					(id) =>
						ownIds.includes(id) &&
						given.exchanges.some((one) => one.applied && concerns(one, item) && has(one, id)),
				);
				return wrong && `${wrong} of item ${index} was in an applied request`;
			}),
	},
	{
		title: 'what is reported as not sent never arrived',
		contradiction: (given) =>
			first(given.asked, ({ index, item, ownIds, reported }) => {
				if (reported.standing !== 'not sent') return undefined;
				const sent = ownIds.find((id) =>
					given.exchanges.some((one) => concerns(one, item) && has(one, id)),
				);
				return sent && `${sent} of item ${index} arrived`;
			}),
	},
	{
		title: 'what is reported as sent was sent, as often as the report says',
		holdsFor: ({ stoppedAtMs }) => stoppedAtMs === undefined,
		contradiction: (given) =>
			first(given.asked, ({ index, item, ids, ownIds, reported }) => {
				if (ids.length !== ownIds.length || reported.standing === 'not sent') return undefined;
				const most = Math.max(
					...ids.map(
						(id) => given.exchanges.filter((one) => concerns(one, item) && has(one, id)).length,
					),
				);
				if (most === 0) return `item ${index} is '${reported.standing}' and never arrived`;
				const { attempts } = reported;
				return attempts === undefined || attempts === most
					? undefined
					: `item ${index} was sent ${most} times, and is said to have been ${attempts} times`;
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
			const groups = new Map<string, Asked[]>();
			for (const one of asked) {
				const key = keyOf(one.item.agent, one.item.sourceType, one.ids);
				groups.set(key, [...(groups.get(key) ?? []), one]);
			}
			return first([...groups], ([key, group]) => {
				const sent = exchanges.filter((one) => keyOfExchange(one) === key);
				const attempts = (wanted: Standing[]) =>
					group
						.filter(({ reported }) => wanted.includes(reported.standing))
						.reduce((sum, { reported }) => sum + (reported.attempts ?? 1), 0);
				const done = group.filter(({ reported }) => reported.standing === 'applied').length;
				const confirmed = sent.filter((one) => meaningOf(one).startsWith('done')).length;
				if (done > confirmed)
					return `${done} items of ${key} are done, ${confirmed} were confirmed`;
				const notApplied = sent.filter(({ applied }) => !applied).length;
				if (attempts(['not applied']) > notApplied) return `too many of ${key} are 'not applied'`;
				const failed = attempts(['not applied', 'unknown']);
				const isWhole = done === 0 ? failed === sent.length : failed + done <= sent.length;
				return isWhole ? undefined : `${sent.length} requests of ${key}, ${failed} reported`;
			});
		},
	},
	{
		title: 'only what nobody can know is reported as unknown',
		holdsFor: ({ stoppedAtMs }) => stoppedAtMs === undefined,
		contradiction: (given) =>
			first(given.asked, ({ index, item, ids, reported }) => {
				if (reported.standing === 'partly applied' && !reported.files) return undefined;
				const { unknown } = idsReported(reported, ids);
				// Without lists, one such file makes the whole item unknown.
				const known = unknown.filter(
					(id) =>
						!given.exchanges.some(
							(one) => concerns(one, item) && has(one, id) && meaningOf(one).includes('uncertain'),
						),
				);
				const isKnown = reported.files ? known.length > 0 : known.length === unknown.length;
				return unknown.length > 0 && isKnown
					? `${known.join()} of item ${index} had clear answers only`
					: undefined;
			}),
	},
	{
		title: 'the lists of an item that is done in part hold each of its files once',
		contradiction: ({ asked }) =>
			first(asked, ({ index, ids, reported: { files, standing } }) => {
				if (files === undefined) return undefined;
				const { applied, notApplied, unknown } = files;
				const listed = [...applied, ...notApplied, ...unknown];
				if ([...listed].sort().join() !== [...ids].sort().join()) {
					return `item ${index} asks for ${ids.join()}, and lists ${listed.join()}`;
				}
				const isPart = applied.length > 0 && applied.length < ids.length;
				return (standing === 'partly applied') === isPart && applied.length < ids.length
					? undefined
					: `item ${index} is '${standing}' with ${JSON.stringify(files)}`;
			}),
	},
	{
		title: 'nothing is sent that no item asks for, and no ID twice in a request',
		contradiction: ({ scenario, exchanges, asked }) =>
			first(exchanges, (one) => {
				const { arrival, ids } = one;
				const { operation, uid, sourceType, body, request, headers } = arrival;
				if (isLookup(one)) return undefined;
				if (operation !== scenario.operation) return `request ${request} is ${operation}`;
				if (headers.apikey !== KEY) return `request ${request} has another key`;
				if (JSON.stringify(body) !== JSON.stringify({ uniqueIds: ids }) || ids.length === 0) {
					return `request ${request} holds ${JSON.stringify(body)}`;
				}
				if (new Set(ids).size !== ids.length) return `request ${request} holds ${ids.join()}`;
				const alike = asked.filter(
					({ item }) => item.agent === uid && item.sourceType === sourceType,
				);
				const stray = ids.find((id) => !alike.some((one) => one.ids.includes(id)));
				return stray && `request ${request} holds ${stray} for ${uid}, which no item asks for`;
			}),
	},
	{
		title: 'knowledge bases hold what they held and what was asked for, and nothing else changes',
		contradiction: ({ scenario, before, after, asked }) => {
			const places = ['support-bot', 'Support-Bot', 'guide', 'nobody'].flatMap((uid) =>
				['uploads', 'text'].map((sourceType) => ({ uid, sourceType })),
			);
			return first(places, ({ uid, sourceType }) => {
				const [was, is] = [before(uid, sourceType), after(uid, sourceType)];
				const added = is.filter((id) => !was.includes(id));
				const removed = was.filter((id) => !is.includes(id));
				const [right, wrong] = scenario.operation === 'add' ? [added, removed] : [removed, added];
				const stray = right.find(
					(id) =>
						!asked.some(
							({ item, ids }) =>
								item.agent === uid && item.sourceType === sourceType && ids.includes(id),
						),
				);
				const id = wrong[0] ?? stray;
				return id && `${id} of ${uid} has changed`;
			});
		},
	},
	{
		title: 'the status that an error names is one that the item was answered with',
		contradiction: ({ asked, exchanges }) =>
			first(asked, ({ index, item, ids, reported: { status } }) => {
				const isTrue = exchanges.some(
					(one) =>
						(isLookup(one)
							? one.arrival.uid === item.agent
							: concerns(one, item) && ids.some((id) => has(one, id))) &&
						one.end?.status === status,
				);
				return status === undefined || isTrue
					? undefined
					: `item ${index} was never answered with ${status}`;
			}),
	},
	{
		title: 'without Combine Items, each request is one item, or a piece of one',
		holdsFor: ({ scenario }) => !scenario.options.combineItems,
		contradiction: ({ scenario, exchanges, asked }) => {
			const size = scenario.options.maxFileIdsPerRequest ?? Infinity;
			const whole = new Set(
				asked.flatMap(({ item, ids }) =>
					piecesOf(ids, size).map((piece) => keyOf(item.agent, item.sourceType, piece)),
				),
			);
			return first(exchanges, (one) =>
				whole.has(keyOfExchange(one)) ? undefined : `a request holds ${one.ids.join()}`,
			);
		},
	},
	{
		title: 'no request holds more IDs than Max File IDs per Request',
		holdsFor: ({ scenario: { options } }) =>
			options.combineItems === true || options.maxFileIdsPerRequest !== undefined,
		contradiction: ({ scenario, exchanges }) => {
			const size = scenario.options.maxFileIdsPerRequest ?? 100;
			return first(exchanges, ({ ids }) =>
				ids.length <= size ? undefined : `a request holds ${ids.length} IDs, ${size} are allowed`,
			);
		},
	},
	{
		title: 'with the order kept, an agent has one request at a time',
		holdsFor: keepsOrder,
		contradiction: ({ log }) => {
			const lanes = new Set(log.map(({ uid }) => uid?.toLowerCase()));
			return first([...lanes], (lane) => {
				const most = mostUnderWay(log.filter(({ uid }) => uid?.toLowerCase() === lane));
				return most <= 1 ? undefined : `${lane} had ${most} requests at once`;
			});
		},
	},
	{
		title: 'with the order kept, items of an agent are first sent in input order',
		holdsFor: keepsOrder,
		contradiction: ({ asked, exchanges }) => {
			const lastOf = new Map<string, { place: number; index: number }>();
			return first(asked, ({ index, item, ownIds }) => {
				const lane = item.agent.toLowerCase();
				const places = ownIds
					.map((id) => exchanges.findIndex((one) => concerns(one, item) && has(one, id)))
					.filter((place) => place >= 0);
				if (places.length === 0) return undefined;
				const before = lastOf.get(lane);
				lastOf.set(lane, { place: Math.max(...places), index });
				return before && Math.min(...places) < before.place
					? `item ${index} was sent before item ${before.index}`
					: undefined;
			});
		},
	},
	{
		title: 'no request is sent more often than Max Attempts by each item that asks for it',
		contradiction: ({ scenario, exchanges, asked }) => {
			const allowed = scenario.options.maxAttempts ?? 5;
			const changes = exchanges.filter((one) => !isLookup(one));
			const counts = countBy(changes, keyOfExchange);
			return first(changes, (one) => {
				// Items that ask for the same may have the same request each.
				const askers = asked.filter(
					({ item, ids }) => concerns(one, item) && ids.some((id) => has(one, id)),
				).length;
				const own = asked.some(
					({ item, ownIds }) => concerns(one, item) && ownIds.some((id) => has(one, id)),
				);
				const count = counts.get(keyOfExchange(one)) ?? 0;
				return count <= allowed * (own ? 1 : askers)
					? undefined
					: `the request with ${one.ids.join()} was sent ${count} times`;
			});
		},
	},
	{
		title:
			'a request is sent again unless its attempts are used up, the wait is too long, or the run is over',
		holdsFor: ({ scenario, stoppedAtMs }) =>
			scenario.onError !== 'stopWorkflow' &&
			stoppedAtMs === undefined &&
			!scenario.options.combineItems,
		contradiction: (given) => {
			const counts = countBy(given.exchanges, keyOfExchange);
			const allowed = given.scenario.options.maxAttempts ?? 5;
			if (given.exchanges.some((one) => endsAll(one, given))) return undefined;
			return first(given.tries, (sent) => {
				const last = sent.at(-1);
				if (last === undefined || !isRepeated(last) || namesTooLong(last, given)) return undefined;
				const count = counts.get(keyOfExchange(last)) ?? 0;
				return count >= allowed ? undefined : `${last.ids.join()} was sent ${count} times only`;
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
			return first(asked, ({ index, item, ids, reported }) => {
				if (item.agent === 'nobody') return undefined;
				const good = ids.filter((id) => !bad.includes(id));
				const lost = good.find(
					(id) => !exchanges.some((one) => one.applied && concerns(one, item) && has(one, id)),
				);
				if (lost !== undefined) return `${lost} of item ${index} was not applied`;
				const wanted =
					good.length === ids.length
						? 'applied'
						: good.length === 0
							? 'not applied'
							: 'partly applied';
				return reported.standing === wanted
					? undefined
					: `item ${index} is '${reported.standing}' instead of '${wanted}'`;
			});
		},
	},
	{
		title: 'an agent is asked for only after it has refused several files that are to be split',
		contradiction: ({ scenario, exchanges }) =>
			first(exchanges.filter(isLookup), ({ arrival: { uid, request, headers } }) => {
				const { combineItems, splitRefused } = scenario.options;
				if (combineItems !== true || splitRefused === false) return `${uid} is asked for`;
				if (headers.apikey !== KEY) return `request ${request} has another key`;
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
		contradiction: ({ exchanges, asked }) =>
			first(splits(exchanges, asked), ({ whole, part }) => {
				if (namesFile(whole)) return undefined;
				const { uid } = whole.arrival;
				const isAsked = exchanges.some(
					(one) =>
						isLookup(one) && one.arrival.uid === uid && one.arrival.request < part.arrival.request,
				);
				return isAsked ? undefined : `${whole.ids.join()} was split, and ${uid} not asked for`;
			}),
	},
	{
		title: 'what is refused by an agent that CometChat does not know is not split',
		contradiction: ({ exchanges, asked }) => {
			const unknown = exchanges.filter(
				// Without a cause, it is what the service holds that it does not know.
				(one) => isLookup(one) && one.cause === undefined && one.end?.status === 404,
			);
			return first(splits(exchanges, asked), ({ whole, part }) => {
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
	{
		title: 'a run that is set to stop sends nothing new after the first item that failed',
		holdsFor: ({ scenario, stoppedAtMs }) =>
			scenario.onError === 'stopWorkflow' &&
			!scenario.options.combineItems &&
			stoppedAtMs === undefined,
		contradiction: (given) => {
			const counts = new Map<string, number>();
			const allowed = given.scenario.options.maxAttempts ?? 5;
			return first(given.exchanges, (one) => {
				const count = (counts.get(keyOfExchange(one)) ?? 0) + 1;
				counts.set(keyOfExchange(one), count);
				const isOwn = given.asked.some(
					({ item, ownIds }) => concerns(one, item) && ownIds.some((id) => has(one, id)),
				);
				const { end } = one;
				if (end === undefined || meaningOf(one).startsWith('done')) return undefined;
				if (isRepeated(one) && !(isOwn && count === allowed)) return undefined;
				const later = given.log.slice(given.log.indexOf(end) + 1);
				const sent = later.find(({ kind }) => kind === 'arrived');
				return sent && `${sent.uniqueIds?.join()} was sent after ${one.ids.join()} had failed`;
			});
		},
	},
	...ofSending,
];

function askedOf({ scenario }: Played, reported: Reported[]): Asked[] {
	return scenario.items.flatMap((item, index) => {
		const says = reported[index];
		if (item.meaning.kind !== 'ids' || says === undefined) return [];
		const { ids } = item.meaning;
		const others = scenario.items.filter(
			(other) =>
				other !== item && other.agent === item.agent && other.sourceType === item.sourceType,
		);
		const ownIds = ids.filter(
			(id) => !others.some(({ meaning }) => meaning.kind === 'ids' && meaning.ids.includes(id)),
		);
		return [{ index, item, ids, ownIds, reported: says }];
	});
}

function expectedStandings(
	{ meaning }: Item,
	{ ifNoFileIds }: Played['scenario']['options'],
): Standing[] {
	switch (meaning.kind) {
		case 'unusable':
			return ['unusable'];
		case 'empty':
			return ifNoFileIds === 'skip' ? ['skipped'] : ['unusable'];
		case 'ids':
			return ['applied', 'partly applied', 'not applied', 'unknown', 'not sent'];
	}
}

/** What the report says of each of an item's IDs; nothing where it says only 'partly applied'. */
function idsReported({ standing, files }: Reported, ids: string[]) {
	if (files) return files;
	return {
		applied: standing === 'applied' ? ids : [],
		notApplied: standing === 'not applied' || standing === 'not sent' ? ids : [],
		// Without lists, all or some.
		unknown: standing === 'unknown' ? ids : [],
	};
}

function keepsOrder({ scenario }: Case): boolean {
	return scenario.options.keepOrder !== false;
}

function concerns({ arrival }: Exchange, { agent, sourceType }: Item): boolean {
	return arrival.uid === agent && arrival.sourceType === sourceType;
}

function has({ ids }: Exchange, id: string): boolean {
	return ids.includes(id);
}

/** A question for the agent itself. */
function isLookup({ arrival }: Exchange): boolean {
	return arrival.operation === 'agent';
}

/** Each question for the same agent repeats the one before. */
function lookupsByAgent(exchanges: Exchange[]): Exchange[][] {
	const lookups = exchanges.filter(isLookup);
	const uids = new Set(lookups.map(({ arrival }) => arrival.uid));
	return [...uids].map((uid) => lookups.filter(({ arrival }) => arrival.uid === uid));
}

/** Refused for good, and not only for now. */
function isRefused(one: Exchange): boolean {
	return meaningOf(one) === 'refused' && !isRepeated(one);
}

/** Requests that were refused, each with those that brought some of its files again. */
function* splits(
	exchanges: Exchange[],
	asked: Asked[],
): Generator<{ whole: Exchange; part: Exchange }> {
	for (const [place, whole] of exchanges.entries()) {
		// What one item alone asks for is in no other request.
		const own = whole.ids.filter((id) =>
			asked.some(({ item, ownIds }) => concerns(whole, item) && ownIds.includes(id)),
		);
		if (!isRefused(whole) || own.length === 0) continue;
		for (const part of exchanges.slice(place + 1)) {
			const isPart =
				part.arrival.uid === whole.arrival.uid &&
				part.arrival.sourceType === whole.arrival.sourceType &&
				part.ids.length < whole.ids.length &&
				own.some((id) => has(part, id));
			if (isPart) yield { whole, part };
		}
	}
}

/** Whether a refusal says itself that it is for a file, or for how many they are. */
function namesFile({ cause, end }: Exchange): boolean {
	const { code } = cause === undefined ? {} : 'bad' in cause ? cause.bad : codeOf(cause.given);
	return end?.status === 413 || code === 'ERR_KB_NOT_FOUND';
}

function codeOf(given: Misbehaviour): { code?: string } {
	return given.kind === 'status' ? given : {};
}

function keyOf(uid: string, sourceType: string, ids: string[]): string {
	return `${uid}/${sourceType}/${ids.join()}`;
}

function keyOfExchange({ arrival: { uid = '', sourceType = '' }, ids }: Exchange): string {
	return keyOf(uid, sourceType, ids);
}

function piecesOf(ids: string[], size: number): string[][] {
	const pieces = [];
	for (let at = 0; at < ids.length; at += size) pieces.push(ids.slice(at, at + size));
	return pieces;
}

/** The requests that one item only can have caused, those with the same content together. */
function ownRequests(exchanges: Exchange[], asked: Asked[]): Exchange[][] {
	const groups = new Map<string, Exchange[]>();
	for (const one of exchanges) {
		const isOwn = asked.some(
			({ item, ownIds }) => concerns(one, item) && ownIds.some((id) => has(one, id)),
		);
		const key = keyOfExchange(one);
		if (isOwn) groups.set(key, [...(groups.get(key) ?? []), one]);
	}
	return [...groups.values()];
}

function countBy<T>(values: T[], keyOfValue: (value: T) => string): Map<string, number> {
	const counts = new Map<string, number>();
	for (const value of values) {
		const key = keyOfValue(value);
		counts.set(key, (counts.get(key) ?? 0) + 1);
	}
	return counts;
}
