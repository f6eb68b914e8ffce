import fc from 'fast-check';

import type { RecordSeed } from '../service/service';
import { Environment } from './environment';

/** A sentence about every run, and what contradicts it in one. */
export interface Promised<Given> {
	title: string;
	/** Holds for these runs only; left out: for all. */
	holdsFor?(given: Given): boolean;
	/** @returns What is wrong; undefined if nothing is. */
	contradiction(given: Given): string | undefined;
}

/** Set by `npm run test:model`, see main.mts. */
declare const MODEL: {
	times?: { nights: number };
	runs?: number;
	seed?: number;
	path?: string;
	of?: string;
};

/** Of `npm test`. */
const SEED = 1;

/** Fewer runs may leave out what is rare. */
const RUNS_THAT_TELL = 200;

const {
	times = { nights: 1 },
	seed = SEED,
	path,
	of,
	runs,
} = typeof MODEL === 'undefined' ? {} : MODEL;

/** A guard against hanging: far more than any number of runs that is asked for here. */
const LONGEST_MS = 60 * 60 * 1000;

class BrokenPromise extends Error {
	constructor(readonly broken: Broken) {
		super(broken.what);
	}
}

/** What is played at random, and what is promised of it. */
export interface Subject<S> {
	/** As `npm run test:model -- --of` names it. */
	name: string;
	/** How many runs `npm test` plays. */
	runs: number;
	scenarios: fc.Arbitrary<S>;
	promises: string[];
	/** What is in the service when a run starts, newest first. */
	records: RecordSeed[];
	/** The agents that there are, newest first. */
	agents: string[];
	play(environment: Environment, scenario: S): Promise<Broken | undefined>;
	/** In lines that hold all of it. */
	describe(scenario: S): string;
	/** What no run has met so far. */
	missing(): string[];
}

/** The first promise that a run breaks. */
export interface Broken {
	title: string;
	what: string;
	timeline: string;
}

export function holdsOf<S>(subject: Subject<S>): void {
	// Skipped only where a person asks for another by name; never in `npm test`.
	if (of !== undefined && of !== subject.name) return;
	const { name, promises } = subject;
	const asked = runs ?? subject.runs * times.nights;
	const numRuns = path === undefined ? asked : 1;

	describe(`In ${numRuns} random runs (seed ${seed}) of ${name}`, () => {
		let found: fc.RunDetails<[S]> | undefined;

		beforeAll(async () => {
			const environment = await Environment.open(subject.records, subject.agents);
			const property = fc.asyncProperty(subject.scenarios, async (scenario) => {
				const broken = await subject.play(environment, scenario);
				if (broken) throw new BrokenPromise(broken);
			});
			found = await fc.check(property, { numRuns, seed, path });
			await environment.close();
		}, LONGEST_MS);

		test.each(promises)('%s', (title) => {
			const error = found?.errorInstance;
			if (error instanceof BrokenPromise && error.broken.title === title) {
				throw new Error(failureOf(subject, found));
			}
		});

		test('every run comes to its end', () => {
			if (found?.failed && !(found.errorInstance instanceof BrokenPromise)) {
				throw new Error(failureOf(subject, found));
			}
		});

		test('the runs meet all that they are about', () => {
			if (!found?.failed && numRuns >= RUNS_THAT_TELL) expect(subject.missing()).toEqual([]);
		});
	});
}

/** @returns The first of the promises that does not hold. */
export function firstBroken<Given>(
	promises: Array<Promised<Given>>,
	given: Given,
): { title: string; what: string } | undefined {
	for (const { title, holdsFor, contradiction } of promises) {
		const what = holdsFor?.(given) === false ? undefined : contradiction(given);
		if (what !== undefined) return { title, what };
	}
	return undefined;
}

/** The first contradiction there is. */
export function firstOf<T>(
	all: readonly T[],
	contradiction: (one: T, index: number) => string | undefined,
): string | undefined {
	for (const [index, one] of all.entries()) {
		const what = contradiction(one, index);
		if (what !== undefined) return what;
	}
	return undefined;
}

function failureOf<S>(subject: Subject<S>, found: fc.RunDetails<[S]> | undefined): string {
	const { counterexample, errorInstance: error, counterexamplePath } = found ?? {};
	return [
		error instanceof Error ? error.message : String(error),
		'',
		...(counterexample ? [subject.describe(counterexample[0])] : []),
		'',
		error instanceof BrokenPromise
			? error.broken.timeline
			: error instanceof Error
				? error.stack
				: '',
		'',
		`After ${found?.numRuns} runs and ${found?.numShrinks} steps towards the simplest. Again:`,
		`npm run test:model -- --of ${subject.name} --seed ${found?.seed} --path ${counterexamplePath}`,
	].join('\n');
}
