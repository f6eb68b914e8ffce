import { KEY } from '../../node/fixture';
import type { Exchange } from '../exchanges';
import { isRepeated, mostUnderWay, notBeforeMs } from '../exchanges';
import type { Case, Options, Promised, Wanted } from '../operation';

/** The first thing that is said of any value. */
export function first<T>(
	values: Iterable<T>,
	say: (value: T, place: number) => string | undefined,
): string | undefined {
	let place = 0;
	for (const value of values) {
		const said = say(value, place);
		if (said !== undefined) return said;
		place += 1;
	}
	return undefined;
}

/** The first thing that is said of any value of a list, such as the items of a run. */
export function each<Given, T>(
	list: (given: Given) => Iterable<T>,
	say: (value: T, given: Given) => string | undefined,
): (given: Given) => string | undefined {
	return (given) => first(list(given), (value) => say(value, given));
}

export function askedItems<W extends Wanted, O extends Options>({ asked }: Case<W, O>) {
	return asked;
}

/** A request in a few words. */
export function brief({ arrival: { operation, fileNames }, ids }: Exchange): string {
	return `${operation} ${[...(fileNames ?? []), ...ids].join()}`;
}

function maxWaitMsOf({ scenario }: Case): number {
	return (scenario.options.maxWaitSeconds ?? 120) * 1000;
}

/** Whether an answer names a pause longer than Max Retry Wait; by HTTP's dates, which have whole seconds. */
export function namesTooLong(one: Exchange, given: Case, mostMs = maxWaitMsOf(given)): boolean {
	const moment = notBeforeMs(one, given);
	if (moment === undefined || one.end === undefined) return false;
	return Math.ceil((moment - one.end.atMs) / 1000) * 1000 > mostMs;
}

/**
 * Whether an answer names a pause that ends all items: a 429 speaks for the account.
 */
export function endsAll(one: Exchange, given: Case): boolean {
	return isBound(one) && one.end?.status === 429 && namesTooLong(one, given);
}

/** A request and the one that repeats it. */
function repetitionsOf({ tries }: Case): Array<[Exchange, Exchange, attempt: number]> {
	return tries.flatMap((sent) =>
		sent.slice(1).flatMap((after, at): Array<[Exchange, Exchange, number]> => {
			const before = sent[at];
			return before ? [[before, after, at + 1]] : [];
		}),
	);
}

/** What an answer of one host says holds for all requests to the API, and at the upload host for itself. */
function isBound(one: Exchange): boolean {
	return one.arrival.host === 'api';
}

/** What is promised of the requests of every operation. */
export const ofSending: Array<Promised<Case>> = [
	{
		title:
			'no more requests to CometChat are under way at once than Parallel Requests, and five times as many uploads, at most 50; with one there is nothing beside it',
		contradiction: ({ log, scenario }) => {
			const allowed = scenario.options.parallelRequests ?? 10;
			const uploads = allowed === 1 ? 1 : Math.min(5 * allowed, 50);
			const mostAt = (wanted: string) => mostUnderWay(log.filter(({ host }) => host === wanted));
			if (mostAt('api') > allowed) return `${mostAt('api')} requests were under way`;
			if (mostAt('uploads') > uploads) return `${mostAt('uploads')} uploads were under way`;
			if (allowed === 1 && mostUnderWay(log) > 1) return 'a request was under way beside an upload';
			return undefined;
		},
	},
	{
		title: 'no request is sent more often than Max Attempts per Request',
		contradiction: ({ tries, scenario }) => {
			const allowed = scenario.options.maxAttempts ?? 5;
			return first(tries, (sent) =>
				sent.length <= allowed
					? undefined
					: `${sent.slice(0, 1).map(brief).join()} was sent ${sent.length} times`,
			);
		},
	},
	{
		title: 'a request is sent again after the answers that allow it, and after no other',
		contradiction: each(repetitionsOf, ([before]) =>
			isRepeated(before)
				? undefined
				: `${brief(before)} was sent again after status ${before.end?.status}`,
		),
	},
	{
		title:
			'nothing is sent before the time that CometChat named to any request, by a 429 or within Max Retry Wait',
		contradiction: (given) =>
			first(given.exchanges, (one) => {
				const moment = notBeforeMs(one, given);
				const { end } = one;
				if (!isBound(one) || moment === undefined || end === undefined) return undefined;
				if (end.status !== 429 && namesTooLong(one, given)) return undefined;
				const early = laterToApi(given, end).find(({ atMs }) => atMs < moment);
				return (
					early &&
					`${early.operation} was sent ${moment - early.atMs} ms before the time named to ${brief(one)}`
				);
			}),
	},
	{
		title: 'after a 429, no request of the run is sent for 4 s, also where it names less',
		contradiction: (given) =>
			first(given.exchanges, (one) => {
				const { end } = one;
				if (!isBound(one) || end?.kind !== 'answered' || end.status !== 429) return undefined;
				const untilMs = end.atMs + Math.min(4000, maxWaitMsOf(given));
				const early = laterToApi(given, end).find(({ atMs }) => atMs < untilMs);
				return early && `${early.operation} was sent ${untilMs - early.atMs} ms before that`;
			}),
	},
	{
		title: 'no request is sent again before the time that its own answer named',
		contradiction: each(repetitionsOf, ([before, after], given) => {
			const moment = notBeforeMs(before, given);
			return moment === undefined || after.arrival.atMs >= moment
				? undefined
				: `${brief(after)} was sent ${moment - after.arrival.atMs} ms too early`;
		}),
	},
	{
		title:
			'a request waits 1, 2, 4, 8 s at least before it is sent again, and 4 to 32 after a 429, also where CometChat names less',
		contradiction: each(repetitionsOf, ([before, after, attempt], given) => {
			if (before.end === undefined) return undefined;
			const firstMs = before.end.status === 429 ? 4000 : 1000;
			const leastMs = Math.min(firstMs * 2 ** (attempt - 1), maxWaitMsOf(given));
			const waitedMs = after.arrival.atMs - before.end.atMs;
			return waitedMs >= leastMs
				? undefined
				: `${brief(before)} waited ${waitedMs} ms instead of ${leastMs}`;
		}),
	},
	{
		title:
			'no request waits longer than Max Retry Wait before it is sent again, unless others are told to wait meanwhile',
		contradiction: (given) => {
			const { exchanges } = given;
			const { maxRequestsPerMinute } = given.scenario.options;
			const spacingMs = maxRequestsPerMinute === undefined ? 0 : 60_000 / maxRequestsPerMinute;
			// The slowest pace that a 429 teaches is 500 a minute.
			const paceMs = exchanges.length * Math.ceil(Math.max(spacingMs, 120));
			return first(repetitionsOf(given), ([before, after]) => {
				if (before.end === undefined) return undefined;
				const fromMs = before.end.atMs;
				const toMs = after.arrival.atMs;
				const slowed = exchanges.filter(
					(one) =>
						one !== before &&
						isBound(one) &&
						isBound(before) &&
						one.end !== undefined &&
						one.end.atMs >= before.arrival.atMs &&
						one.end.atMs <= toMs &&
						(one.end.status === 429 || notBeforeMs(one, given) !== undefined),
				).length;
				const mostMs = maxWaitMsOf(given) * (1 + slowed) + (isBound(before) ? paceMs : 0);
				return toMs - fromMs <= mostMs
					? undefined
					: `${brief(before)} waited ${toMs - fromMs} ms, at most ${mostMs} are allowed`;
			});
		},
	},
	{
		title: 'requests start no faster than Max Requests per Minute',
		holdsFor: ({ scenario }) => scenario.options.maxRequestsPerMinute !== undefined,
		contradiction: ({ scenario, exchanges }) => {
			const spacingMs = 60_000 / (scenario.options.maxRequestsPerMinute ?? 1);
			const paced = exchanges.filter(isBound);
			return first(paced, ({ arrival }, place) => {
				const before = paced[place - 1];
				const apartMs = arrival.atMs - (before?.arrival.atMs ?? -Infinity);
				return apartMs >= spacingMs
					? undefined
					: `two requests start ${apartMs} ms apart, ${spacingMs} is the pace`;
			});
		},
	},
	{
		title: 'after the stop button nothing new is sent, and the run is over at once',
		holdsFor: ({ stoppedAtMs, endedAtMs }) => stoppedAtMs !== undefined && stoppedAtMs <= endedAtMs,
		contradiction: ({ exchanges, stoppedAtMs = 0, endedAtMs }) => {
			const late = exchanges.find(({ arrival }) => arrival.atMs > stoppedAtMs);
			if (late) return `${brief(late)} was sent ${late.arrival.atMs - stoppedAtMs} ms after it`;
			return endedAtMs === stoppedAtMs ? undefined : `it ended ${endedAtMs - stoppedAtMs} ms later`;
		},
	},
	{
		title: 'a run that is over leaves nothing behind: no request, no timer',
		contradiction: ({ exchanges, endedAtMs, timersLeft, log }) => {
			const late = exchanges.find(({ arrival }) => arrival.atMs > endedAtMs);
			if (late) return `${brief(late)} was sent after the end`;
			const open = exchanges.find(({ end }) => end === undefined || end.atMs > endedAtMs);
			if (open) return `${brief(open)} was under way at the end (${log.length} lines)`;
			return timersLeft === 0 ? undefined : `${timersLeft} timers are left`;
		},
	},
	{
		title: 'the API key stands nowhere in what n8n stores',
		contradiction: ({ run }) => {
			const said = [run.stored, run.error?.message, run.error?.description, run.hints];
			const text = JSON.stringify(said);
			const parts = [KEY, `${KEY.slice(0, 5)}…${KEY.slice(-5)}`];
			return parts.some((part) => text.includes(part)) ? 'it is there' : undefined;
		},
	},
];

/** What arrived at the API after a line of the log. */
function laterToApi({ log }: Case, end: Case['log'][number]) {
	const later = log.slice(log.indexOf(end) + 1);
	return later.filter(({ kind, host }) => kind === 'arrived' && host === 'api');
}
