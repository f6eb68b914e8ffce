import { notBeforeMs } from './facts';
import type { Circumstances } from './misbehaviour';
import type { Course } from './stage';

/** Counts what the runs met, so that no promise is kept only because nothing ever happened. */
export class Tally<Played> {
	private readonly counts: Map<string, number>;

	/**
	 * @param wanted What some run has to meet.
	 * @param met What a run has met.
	 */
	constructor(
		wanted: string[],
		private readonly met: (played: Played) => Set<string>,
	) {
		this.counts = new Map(wanted.map((name) => [name, 0]));
	}

	count(played: Played): void {
		for (const name of this.met(played)) this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
	}

	/** What no run met. */
	missing(): string[] {
		return [...this.counts].filter(([, count]) => count === 0).map(([name]) => name);
	}
}

/** What runs of any operation have to meet. */
export const ANYWHERE = [
	'applied',
	'not applied',
	'unknown',
	'not sent',
	'unusable',
	'skipped',
	'partly applied',
	'a time named',
	'a time named that is shorter than any pause of our own',
	'a rate limit met',
	'stopped by the user under way',
	'ended in an error',
	'a timeout',
	'a connection lost after the change',
];

/** What of that befell a run. */
export function befallen(course: Course<Circumstances>): Set<string> {
	const { run, exchanges, stoppedAtMs, endedAtMs } = course;
	const pauses = exchanges.flatMap((one) => {
		const moment = notBeforeMs(one, course);
		if (moment === undefined || one.end === undefined) return [];
		return [{ status: one.end.status, pauseMs: moment - one.end.atMs }];
	});
	const kinds: Array<[string, boolean]> = [
		['a time named', pauses.length > 0],
		[
			'a time named that is shorter than any pause of our own',
			pauses.some(({ pauseMs }) => pauseMs < 1000),
		],
		[
			'a time named that no Max Wait allows, and not by a 429',
			pauses.some(({ pauseMs, status }) => pauseMs > 600_000 && status !== 429),
		],
		['a rate limit met', exchanges.some(({ limitHeaders }) => limitHeaders !== undefined)],
		[
			'stopped by the user under way',
			stoppedAtMs !== undefined && stoppedAtMs <= endedAtMs && exchanges.length > 0,
		],
		['ended in an error', run.error !== undefined && stoppedAtMs === undefined],
		['a timeout', exchanges.some(({ end }) => end?.kind === 'aborted' && end.atMs !== stoppedAtMs)],
		[
			'a connection lost after the change',
			exchanges.some(({ end, applied }) => end?.kind === 'dropped' && applied),
		],
	];
	return new Set(kinds.filter(([, holds]) => holds).map(([name]) => name));
}
