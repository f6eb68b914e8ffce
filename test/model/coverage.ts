import { isTakingAway, nameIn } from './attribution';
import type { Exchange } from './exchanges';
import { meaningOf, notBeforeMs } from './exchanges';
import type { Event, Operation, Played } from './operation';
import type { Outcome, Reported } from './report';
import type { Misbehaviour } from './serviceBehaviour';

type Events = Operation['meets'];

const outcomes: Outcome[] = [
	'applied',
	'partly applied',
	'not applied',
	'unknown',
	'not sent',
	'unusable',
	'skipped',
];

/** What some run of every operation has to meet, but what its description names in `neverMeets`. */
const ANYWHERE: Events = {
	...Object.fromEntries(
		outcomes.map((name) => [
			name,
			(_: Played, reported: Reported[]) => reported.some(({ outcome }) => outcome === name),
		]),
	),
	'a time named': (played) => pausesIn(played).length > 0,
	'a time named that is shorter than any pause of our own': (played) =>
		pausesIn(played).some(({ pauseMs }) => pauseMs < 1000),
	'a rate limit met': ({ exchanges }) =>
		exchanges.some(({ limitHeaders }) => limitHeaders !== undefined),
	'stopped by the user under way': ({ stoppedAtMs, endedAtMs, exchanges }) =>
		stoppedAtMs !== undefined && stoppedAtMs <= endedAtMs && exchanges.length > 0,
	'ended in an error': ({ run, stoppedAtMs }) =>
		run.error !== undefined && stoppedAtMs === undefined,
	'a timeout': ({ exchanges, stoppedAtMs }) =>
		exchanges.some(({ end }) => end?.kind === 'aborted' && end.atMs !== stoppedAtMs),
	'a connection lost after the change': ({ exchanges }) =>
		exchanges.some(({ end, applied }) => end?.kind === 'dropped' && applied),
	'a success that is denied': hasMet('denied'),
};

/** What runs have to meet that wait for content to be indexed. */
export const INDEXING_EVENTS: Events = {
	'asked more than twice': ({ exchanges }) =>
		pollsIn(exchanges).filter((one) => meaningOf(one) === 'done').length > 2,
	'a file that cannot be read': ({ after }) =>
		after.records.some(({ status, uniqueId }) => status === 'failed' && /^0{4}/.test(uniqueId)),
	'waited for in vain': ({ run }) => run.stored.includes('did not finish indexing'),
	'a question for several items': (played) => sharedPollsIn(played).length > 0,
	'a refused question asked again in parts': (played) =>
		sharedPollsIn(played).some((one) => meaningOf(one) === 'refused'),
};

/** What runs have to meet that upload files. */
export const UPLOAD_EVENTS: Events = {
	'an expired address': ({ scenario, exchanges }) =>
		scenario.variant.expiresMs !== undefined &&
		uploadsIn(exchanges).some(({ end, cause }) => end?.status === 403 && cause === undefined),
	'bytes cut short': ({ exchanges }) =>
		uploadsIn(exchanges).some(
			(one) => givenTo(one)?.afterBytes !== undefined && one.end?.kind === 'dropped',
		),
	'a second use of an address': ({ exchanges }) =>
		uploadsIn(exchanges).some(({ end }) => end?.status === 412),
	'an address that leads astray': hasMet('astray'),
	'upload addresses in another shape': hasMet('reshaped'),
	'bytes from the disk': ({ scenario, exchanges }) =>
		uploadsIn(exchanges).length > 0 &&
		scenario.items.some(({ files = {} }) =>
			Object.values(files).some(({ kept }) => kept === 'on disk'),
		),
	'an entry without content taken away': (played) =>
		played.exchanges.some((one) => isTakingAway(one, played) && one.applied),
};

/** Counts what the runs of an operation have met. */
export class Coverage {
	private readonly missed: Map<string, Event['isMet']>;

	constructor(operation: Operation) {
		const { meets, neverMeets } = operation;
		const anywhere = Object.entries(ANYWHERE).filter(([name]) => !neverMeets.includes(name));
		this.missed = new Map([...anywhere, ...Object.entries(meets)]);
	}

	count(played: Played, reported: Reported[]): void {
		for (const [name, isMet] of this.missed) {
			if (isMet(played, reported)) this.missed.delete(name);
		}
	}

	/** What no run has met. */
	missing(): string[] {
		return [...this.missed.keys()];
	}
}

function givenTo({ cause }: Exchange): Misbehaviour | undefined {
	return cause && 'given' in cause ? cause.given : undefined;
}

function hasMet(kind: Misbehaviour['kind']): Event['isMet'] {
	return ({ exchanges }) => exchanges.some((one) => givenTo(one)?.kind === kind);
}

function pausesIn(played: Played): Array<{ status: number; pauseMs: number }> {
	return played.exchanges.flatMap((one) => {
		const moment = notBeforeMs(one, played);
		if (moment === undefined || one.end?.status === undefined) return [];
		return [{ status: one.end.status, pauseMs: moment - one.end.atMs }];
	});
}

/** The longest pause that is not about the rate limit. */
export function hasLongPause(played: Played): boolean {
	return pausesIn(played).some(({ pauseMs, status }) => pauseMs > 600_000 && status !== 429);
}

function uploadsIn(exchanges: Exchange[]): Exchange[] {
	return exchanges.filter(({ arrival }) => arrival.host === 'uploads');
}

function pollsIn(exchanges: Exchange[]): Exchange[] {
	return exchanges.filter(({ arrival }) => arrival.operation === 'poll');
}

function sharedPollsIn(played: Played): Exchange[] {
	if (played.scenario.items.length === 1) return [];
	const polls = pollsIn(played.exchanges);
	return polls.filter(({ ids }) => new Set(ids.map((id) => nameIn(played, id))).size > 1);
}
