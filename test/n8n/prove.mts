import { inspect } from 'node:util';
import { buildAndPack } from './pack.mjs';
import { installN8n } from './install.mjs';

/** Runs one promise of the README or docs/ and prints whether it holds. Never throws. */
export type Prove = (promise: string, work: () => Promise<void>) => Promise<void>;

/** A group of promises that share what they start: an n8n, a browser, a cluster. */
export interface Topic {
	name: string;
	/** @param tarball The packed node. */
	proveAll(prove: Prove, tarball: string): Promise<void>;
}

/** Thrown by a proof whose promise does not hold; any other error counts the same. */
export function assertHolds(holds: boolean, otherwise: string): asserts holds {
	if (!holds) throw new Error(otherwise);
}

/**
 * `npm run test:n8n [topic …]`: every promise in a real n8n, one line each and a summary. What
 * can't be started is a failure: nothing is skipped.
 */
export async function proveTopics(topics: Topic[], wanted: string[]): Promise<void> {
	const unknown = wanted.filter((name) => !topics.some((topic) => topic.name === name));
	if (unknown.length > 0) throw new Error(`There is no topic ${unknown.join(', ')}.`);
	const tarball = await buildAndPack();
	await installN8n();

	let passed = 0;
	const failures: string[] = [];
	const prove: Prove = async (promise, work) => {
		const startedMs = Date.now();
		try {
			await work();
			passed += 1;
			console.log(`  \u2713 ${promise} (${((Date.now() - startedMs) / 1000).toFixed(1)} s)`);
		} catch (error) {
			// With its causes, which a stack leaves out.
			failures.push(`  \u2717 ${promise}\n${inspect(error)}`);
			console.error(failures.at(-1));
		}
	};
	for (const topic of topics) {
		if (wanted.length > 0 && !wanted.includes(topic.name)) continue;
		console.log(`\n${topic.name}`);
		try {
			await topic.proveAll(prove, tarball);
		} catch (error) {
			await prove(`${topic.name} could be set up`, () => Promise.reject(error));
		}
	}
	// Once more at the end: it is only the end of a long log that is kept in some places.
	if (failures.length > 0) console.error(`\nWhat failed:\n${failures.join('\n')}`);
	console.log(`\n${passed} passed, ${failures.length} failed`);
	if (failures.length > 0 || passed === 0) process.exitCode = 1;
}
