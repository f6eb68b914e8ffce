import { meaningOf, notBeforeMs } from './facts';
import type { Played } from './play';
import { readReport } from './reported';

/** Counts what the runs met, so that no promise is kept only because nothing ever happened. */
export class Tally {
	readonly counts = new Map<string, number>(WANTED.map((name) => [name, 0]));

	count(played: Played): void {
		for (const name of met(played)) this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
	}

	/** What no run met. */
	missing(): string[] {
		return [...this.counts].filter(([, count]) => count === 0).map(([name]) => name);
	}
}

const WANTED = [
	'applied',
	'partly applied',
	'not applied',
	'unknown',
	'not sent',
	'unusable',
	'skipped',
	'sent again',
	'a time named',
	'a rate limit met',
	'stopped by the user under way',
	'ended in an error',
	'several items in a request',
	'a request refused and split',
	'a timeout',
	'a connection lost after the change',
	'an item in several requests',
];

function met(played: Played): Set<string> {
	const { run, scenario, exchanges, stoppedAtMs, endedAtMs } = played;
	const reported = readReport(run, scenario);
	const found = new Set<string>(
		typeof reported === 'string' ? [] : reported.map(({ standing }) => standing),
	);
	const bodies = exchanges.map(({ arrival: { uid }, ids }) => `${uid} ${ids.join()}`);
	const when = (holds: boolean, name: string) => holds && found.add(name);
	when(new Set(bodies).size < bodies.length, 'sent again');
	when(
		exchanges.some((one) => notBeforeMs(one, played) !== undefined),
		'a time named',
	);
	when(
		exchanges.some(({ limitHeaders }) => limitHeaders !== undefined),
		'a rate limit met',
	);
	when(
		stoppedAtMs !== undefined && stoppedAtMs <= endedAtMs && exchanges.length > 0,
		'stopped by the user under way',
	);
	when(run.error !== undefined, 'ended in an error');
	const itemIds = scenario.items.map(({ meaning }) => (meaning.kind === 'ids' ? meaning.ids : []));
	when(
		exchanges.some(({ ids }) => !itemIds.some((own) => ids.every((id) => own.includes(id)))),
		'several items in a request',
	);
	when(
		exchanges.some(
			(one, place) =>
				meaningOf(one) === 'refused' &&
				exchanges
					.slice(place + 1)
					.some(
						({ ids }) => ids.length < one.ids.length && ids.every((id) => one.ids.includes(id)),
					),
		),
		'a request refused and split',
	);
	when(
		exchanges.some(({ end }) => end?.kind === 'aborted' && end.atMs !== stoppedAtMs),
		'a timeout',
	);
	when(
		exchanges.some(({ end, applied }) => end?.kind === 'dropped' && applied),
		'a connection lost after the change',
	);
	when(
		itemIds.some((own) => {
			const pieces = exchanges.filter(({ ids }) => ids.every((id) => own.includes(id)));
			return pieces.length > 1 && pieces.every(({ ids }) => ids.length < own.length);
		}),
		'an item in several requests',
	);
	return found;
}
