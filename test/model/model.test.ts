import fc from 'fast-check';

import { brokenPromise, promises } from './oracle';
import { Stage } from './play';
import type { Scenario } from './scenario';
import { scenarios } from './scenario';
import { courseOf, storyOf } from './story';
import { Tally } from './tally';

/** Set by `npm run test:model`, see main.mts. */
declare const MODEL: { runs?: number; seed?: number; path?: string } | undefined;

const { path, seed = 1, ...given } = typeof MODEL === 'undefined' ? {} : MODEL;
const runs = path === undefined ? (given.runs ?? 2000) : 1;

/** A guard against hanging: far more than any number of runs that is asked for here. */
const LONGEST_MS = 60 * 60 * 1000;

class BrokenPromise extends Error {
	constructor(
		readonly title: string,
		what: string,
		readonly course: string,
	) {
		super(what);
	}
}

describe(`In ${runs} random runs (seed ${seed}) of items, options and misbehaviour of the service`, () => {
	const tally = new Tally();
	let found: fc.RunDetails<[Scenario]> | undefined;

	beforeAll(async () => {
		const stage = await Stage.open();
		const property = fc.asyncProperty(scenarios, async (scenario) => {
			const played = await stage.play(scenario);
			tally.count(played);
			const broken = brokenPromise(played);
			if (broken) throw new BrokenPromise(broken.title, broken.what, courseOf(played));
		});
		found = await fc.check(property, { numRuns: runs, seed, path });
		await stage.close();
	}, LONGEST_MS);

	test.each(promises.map(({ title }) => title))('%s', (title) => {
		const error = found?.errorInstance;
		if (error instanceof BrokenPromise && error.title === title) throw new Error(wordsFor(found));
	});

	test('every run comes to its end', () => {
		if (found?.failed && !(found.errorInstance instanceof BrokenPromise)) {
			throw new Error(wordsFor(found));
		}
	});

	test('the runs meet all that they are about', () => {
		if (!found?.failed && runs >= 500) expect(tally.missing()).toEqual([]);
	});
});

function wordsFor(found: fc.RunDetails<[Scenario]> | undefined): string {
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
		`npm run test:model -- --seed ${found?.seed} --path ${counterexamplePath}`,
	].join('\n');
}
