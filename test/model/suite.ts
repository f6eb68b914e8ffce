import fc from 'fast-check';

import { caseOf } from './attribution';
import { Coverage } from './coverage';
import { Environment } from './environment';
import { ofItems, ONE_OUTCOME } from './expectations/items';
import { ofSending } from './expectations/sending';
import type { Case, Operation, Played, Promised, Scenario } from './operation';
import { readReport } from './report';
import { scenariosOf } from './scenario';
import { describeScenario, timelineOf } from './timeline';

/** Set by `npm run test:model`, see main.mts. */
declare const MODEL: { times?: number; runs?: number; seed?: number; path?: string; of?: string };

/** Of `npm test`: chosen so that its runs meet all that they are about. */
const SEED = 1;

const { times = 1, seed = SEED, path, of, runs } = typeof MODEL === 'undefined' ? {} : MODEL;

/** A guard against hanging: far more than any number of runs that is asked for here. */
const LONGEST_MS = 60 * 60 * 1000;

class BrokenPromise extends Error {
	constructor(
		readonly title: string,
		what: string,
		readonly timeline: string,
	) {
		super(what);
	}
}

/** Plays the runs of each operation, and holds each promise as a test of its own. */
export function holds(operations: Operation[]): void {
	for (const operation of operations) {
		// Skipped only where a person asks for another by name; never in `npm test`.
		if (of === undefined || of === operation.name) holdsOf(operation);
	}
	test('each operation has a name of its own, and the one that is asked for exists', () => {
		const names = operations.map(({ name }) => name);
		expect(new Set(names).size).toBe(names.length);
		if (of !== undefined) expect(names).toContain(of);
	});
}

function holdsOf(operation: Operation): void {
	const { name } = operation;
	const asked = runs ?? operation.runs * times;
	const numRuns = path === undefined ? asked : 1;
	const promises = [...ofItems, ...operation.promises, ...ofSending];

	describe(`In ${numRuns} random runs (seed ${seed}) of ${name}`, () => {
		const coverage = new Coverage(operation);
		let found: fc.RunDetails<[Scenario]> | undefined;

		beforeAll(async () => {
			const environment = await Environment.open(operation.records);
			const property = fc.asyncProperty(scenariosOf(operation), async (scenario) => {
				const played = await environment.play(operation, scenario);
				const broken = brokenPromise(operation, promises, played, coverage);
				if (broken) throw new BrokenPromise(broken.title, broken.what, timelineOf(played));
			});
			found = await fc.check(property, { numRuns, seed, path });
			await environment.close();
		}, LONGEST_MS);

		test.each(promises.map(({ title }) => title))('%s', (title) => {
			const error = found?.errorInstance;
			if (error instanceof BrokenPromise && error.title === title) {
				throw new Error(failureOf(name, found));
			}
		});

		test('every run comes to its end', () => {
			if (found?.failed && !(found.errorInstance instanceof BrokenPromise)) {
				throw new Error(failureOf(name, found));
			}
		});

		test('the runs meet all that they are about', () => {
			// Fewer runs, or others, may leave out what is rare.
			const isTelling = seed === SEED && numRuns >= operation.runs;
			if (!found?.failed && isTelling) expect(coverage.missing()).toEqual([]);
		});
	});
}

/** @returns The first promise that a run breaks. */
function brokenPromise(
	operation: Operation,
	promises: Array<Promised<Case>>,
	played: Played,
	coverage: Coverage,
): { title: string; what: string } | undefined {
	const reported = readReport(operation, played);
	if (typeof reported === 'string') return { title: ONE_OUTCOME, what: reported };
	coverage.count(played, reported);
	const given = caseOf(operation, played, reported);
	for (const { title, holdsFor, contradiction } of promises) {
		const what = holdsFor?.(given) === false ? undefined : contradiction(given);
		if (what !== undefined) return { title, what };
	}
	return undefined;
}

function failureOf(name: string, found: fc.RunDetails<[Scenario]> | undefined): string {
	const { counterexample, errorInstance: error, counterexamplePath } = found ?? {};
	return [
		error instanceof Error ? error.message : String(error),
		'',
		...(counterexample ? [describeScenario(counterexample[0])] : []),
		'',
		error instanceof BrokenPromise ? error.timeline : error instanceof Error ? error.stack : '',
		'',
		`After ${found?.numRuns} runs and ${found?.numShrinks} steps towards the simplest. Again:`,
		`npm run test:model -- --of ${name} --seed ${found?.seed} --path ${counterexamplePath}`,
	].join('\n');
}
