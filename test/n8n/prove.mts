import { inspect } from 'node:util';
import { startEnvironment, type Environment } from './engine/environment.mjs';
import { installN8n } from './install.mjs';
import { buildAndPack } from './pack.mjs';
import { withStarted, type Start } from './withStarted.mjs';

/** Runs one promise of the README or docs/ and prints whether it holds. Never throws. */
export type Prove = (promise: string, work: () => Promise<void>) => Promise<void>;

export interface Stage {
	tarball: string;
	/** Starts something that is stopped when the lane ends. */
	start: Start;
	/** The shared n8n, which starts when a topic first needs it. */
	environment(): Promise<Environment>;
}

export interface Topic {
	name: string;
	proveAll(prove: Prove, stage: Stage): Promise<void>;
}

class Outcome {
	private passed = 0;
	private readonly failures: string[] = [];

	/** Returns the function that proves promises. Its lines begin with the topic's name. */
	proving({ name }: Topic): Prove {
		return async (promise, work) => {
			const took = stopwatch();
			try {
				await work();
				this.passed += 1;
				console.log(`${name.padEnd(9)} \u2713 ${promise} (${took()})`);
			} catch (error) {
				// With its causes, which a stack does not contain.
				this.failures.push(`${name.padEnd(9)} \u2717 ${promise} (${took()})\n${inspect(error)}`);
				console.error(this.failures.at(-1));
			}
		};
	}

	summarize(): void {
		const { passed, failures } = this;
		// Again at the end, because some places only keep the end of a long log.
		if (failures.length > 0) console.error(`\nWhat failed:\n${failures.join('\n')}`);
		console.log(`\n${passed} passed, ${failures.length} failed`);
		if (failures.length > 0 || passed === 0) process.exitCode = 1;
	}
}

/**
 * Proves topics, or all: the lanes at the same time, the topics of a lane one after another. Nothing is skipped: a
 * failed start is a failure.
 */
export async function proveLanes(lanes: Topic[][], wanted: string[] = []): Promise<void> {
	const names = lanes.flat().map(({ name }) => name);
	const unknown = wanted.filter((name) => !names.includes(name));
	if (unknown.length > 0) throw new Error(`There is no topic ${unknown.join(', ')}.`);
	const isWanted = ({ name }: Topic) => wanted.length === 0 || wanted.includes(name);
	const chosen = lanes.map((lane) => lane.filter(isWanted)).filter((lane) => lane.length > 0);

	const took = stopwatch();
	const outcome = new Outcome();
	const [tarball] = await Promise.all([buildAndPack(), installN8n()]);
	await Promise.all(chosen.map(async (lane) => await proveLane(lane, tarball, outcome)));
	console.log(`\nAll took ${took()}.`);
	outcome.summarize();
}

async function proveLane(lane: Topic[], tarball: string, outcome: Outcome): Promise<void> {
	await withStarted(async (start) => {
		let shared: Promise<Environment> | undefined;
		const environment = async () => await (shared ??= startEnvironment(start, tarball));
		for (const topic of lane) {
			const prove = outcome.proving(topic);
			const took = stopwatch();
			try {
				await topic.proveAll(prove, { tarball, start, environment });
			} catch (error) {
				await prove('it could be set up', () => Promise.reject(error));
			}
			console.log(`${topic.name.padEnd(9)} took ${took()}`);
		}
	});
}

function stopwatch(): () => string {
	const startedMs = Date.now();
	return () => `${((Date.now() - startedMs) / 1000).toFixed(1)} s`;
}
