import fc from 'fast-check';

import type { Stage } from './stage';

/** Set by `npm run test:model`, see main.mts. */
declare const MODEL: { runs?: number; seed?: number; path?: string; of?: string } | undefined;

/** A guard against hanging: far more than any number of runs that is asked for here. */
const LONGEST_MS = 60 * 60 * 1000;

/** Fewer runs may leave out what is rare. */
const TELLING_RUNS = 500;

/** What is played, and what is looked at. */
export interface Trial<Scenario, Played> {
	/** As `npm run test:model -- --of` names it: the file's name without its end. */
	name: string;
	/** What the runs are of. */
	subject: string;
	/** How many there are unless somebody asks for another number. */
	runs: number;
	/** What part of the runs that somebody asks for: some cost several times as much as others. */
	share: number;
	scenarios: fc.Arbitrary<Scenario>;
	open(): Promise<Stage>;
	play(stage: Stage, scenario: Scenario): Promise<Played>;
	/** Of all promises, in the order in which they are looked at. */
	titles: string[];
	/** @returns The first promise that a run breaks. */
	brokenPromise(played: Played): { title: string; what: string } | undefined;
	tally: { count(played: Played): void; missing(): string[] };
	/** In lines that a person reads: all of the scenario, and what happened. */
	storyOf(scenario: Scenario): string;
	courseOf(played: Played): string;
}

class BrokenPromise extends Error {
	constructor(
		readonly title: string,
		what: string,
		readonly course: string,
	) {
		super(what);
	}
}

/** Plays the runs, and holds each promise as a test of its own. */
export function holds<Scenario, Played>(trial: Trial<Scenario, Played>): void {
	const { path, seed = 1, of, ...given } = typeof MODEL === 'undefined' ? {} : MODEL;
	const asked = given.runs === undefined ? trial.runs : Math.ceil(given.runs * trial.share);
	const runs = path === undefined ? asked : 1;
	const isAsked = of === undefined || of === trial.name;

	// Skipped only where a person asks for another model by name; never in `npm test`.
	(isAsked ? describe : describe.skip)(
		`In ${runs} random runs (seed ${seed}) of ${trial.subject}`,
		() => {
			let found: fc.RunDetails<[Scenario]> | undefined;

			beforeAll(async () => {
				const stage = await trial.open();
				const property = fc.asyncProperty(trial.scenarios, async (scenario) => {
					const played = await trial.play(stage, scenario);
					trial.tally.count(played);
					const broken = trial.brokenPromise(played);
					if (broken) throw new BrokenPromise(broken.title, broken.what, trial.courseOf(played));
				});
				found = await fc.check(property, { numRuns: runs, seed, path });
				await stage.close();
			}, LONGEST_MS);

			test.each(trial.titles)('%s', (title) => {
				const error = found?.errorInstance;
				if (error instanceof BrokenPromise && error.title === title) {
					throw new Error(wordsFor(trial, found));
				}
			});

			test('every run comes to its end', () => {
				if (found?.failed && !(found.errorInstance instanceof BrokenPromise)) {
					throw new Error(wordsFor(trial, found));
				}
			});

			test('the runs meet all that they are about', () => {
				if (!found?.failed && runs >= TELLING_RUNS) expect(trial.tally.missing()).toEqual([]);
			});
		},
	);
}

function wordsFor<Scenario, Played>(
	{ name, storyOf }: Trial<Scenario, Played>,
	found: fc.RunDetails<[Scenario]> | undefined,
): string {
	const { counterexample, errorInstance, counterexamplePath } = found ?? {};
	const error = errorInstance;
	return [
		error instanceof Error ? error.message : String(error),
		'',
		...(counterexample ? [storyOf(counterexample[0])] : []),
		'',
		error instanceof BrokenPromise ? error.course : error instanceof Error ? error.stack : '',
		'',
		`After ${found?.numRuns} runs and ${found?.numShrinks} steps towards the simplest. Again:`,
		`npm run test:model -- --of ${name} --seed ${found?.seed} --path ${counterexamplePath}`,
	].join('\n');
}
