import fc from 'fast-check';

import { Environment } from './environment';
import type { Broken } from './nights/nights';
import { missed, playUntilBroken } from './nights/nights';
import { promises } from './nights/promises';
import type { Nights } from './nights/scenario';
import { FROM_ELSEWHERE, NIGHT_AGENTS, nightsArbitrary } from './nights/scenario';
import { text } from './timeline';

/** Set by `npm run test:model`, see main.mts. */
declare const MODEL: {
	times?: { nights: number };
	runs?: number;
	seed?: number;
	path?: string;
	of?: string;
};

const {
	times = { nights: 1 },
	seed = 1,
	path,
	of,
	runs = 10 * times.nights,
} = typeof MODEL === 'undefined' ? {} : MODEL;

/** Fewer runs may leave out what is rare. */
const RUNS_THAT_TELL = 200;

/** A guard against hanging: far more than any number of runs that is asked for here. */
const LONGEST_MS = 60 * 60 * 1000;

const numRuns = path === undefined ? runs : 1;

class BrokenPromise extends Error {
	constructor(readonly broken: Broken) {
		super(broken.what);
	}
}

// Skipped only where a person asks for another by name; never in `npm test`.
if (of === undefined || of === 'sync') {
	describe(`In ${numRuns} random runs (seed ${seed}) of Sync Folder`, () => {
		let found: fc.RunDetails<[Nights]> | undefined;

		beforeAll(async () => {
			const environment = await Environment.open(FROM_ELSEWHERE, NIGHT_AGENTS);
			const property = fc.asyncProperty(nightsArbitrary, async (scenario) => {
				const broken = await playUntilBroken(environment, scenario);
				if (broken) throw new BrokenPromise(broken);
			});
			found = await fc.check(property, { numRuns, seed, path });
			await environment.close();
		}, LONGEST_MS);

		test.each(promises)('$title', ({ title }) => {
			const error = found?.errorInstance;
			if (error instanceof BrokenPromise && error.broken.title === title) {
				throw new Error(failureOf(found));
			}
		});

		test('every run comes to its end', () => {
			if (found?.failed && !(found.errorInstance instanceof BrokenPromise)) {
				throw new Error(failureOf(found));
			}
		});

		test('the runs meet all that they are about', () => {
			if (!found?.failed && numRuns >= RUNS_THAT_TELL) expect([...missed.keys()]).toEqual([]);
		});
	});
}

function failureOf(found: fc.RunDetails<[Nights]> | undefined): string {
	const { counterexample, errorInstance: error, counterexamplePath } = found ?? {};
	const { settings, first, nights = [] }: Partial<Nights> = counterexample?.[0] ?? {};
	const { message, stack }: Partial<Error> =
		error instanceof Error ? error : { message: String(error) };
	return [
		message,
		...[settings, first, ...nights].map(text),
		error instanceof BrokenPromise ? error.broken.timeline : stack,
		`After ${found?.numRuns} runs and ${found?.numShrinks} steps towards the simplest. Again:`,
		`npm run test:model -- --of sync --seed ${found?.seed} --path ${counterexamplePath}`,
	].join('\n\n');
}
