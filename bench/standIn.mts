import { KEYS } from '../test/n8n/account.mjs';
import { at, requiredText } from '../test/n8n/fields.mjs';
import type { ServiceOptions } from '../test/service/service.js';
import type { BenchCase } from './cases.mjs';
import { startProgram } from './program.mjs';

/** Requests that arrived at the stand-in and its upload host since it was last reset. */
export interface Counts {
	arrived: number;
	/** Carried out: what only asks is not among them. */
	applied: number;
	/** The most that were under way at the same time. */
	mostAtOnce: number;
	/** Uploads that are indexed by now. */
	indexed: number;
}

export type StandInOptions = Omit<ServiceOptions, 'onEntry' | 'records' | 'port'>;

export interface StandIn {
	/** `http://127.0.0.1:PORT/v3` */
	baseUrl: string;
	/** Forgets what has arrived, uploads too, empties the knowledge bases and opens the rate limit again. */
	reset(): Promise<void>;
	counts(): Promise<Counts>;
	stop(): Promise<void>;
}

export async function startStandIn(benchCase: BenchCase): Promise<StandIn> {
	const { agents, latencyMs, rateLimit, upload } = benchCase;
	const indexing = { ms: upload?.indexingMs };
	// Its own work would count as the node's.
	const fast = { checked: false, keepLog: false };
	const options: StandInOptions = { ...KEYS, agents, latencyMs, rateLimit, indexing, ...fast };
	const nodeArgs = ['--import', 'tsx'];
	const program = await startProgram('standInProcess.mts', options, undefined, nodeArgs);
	return {
		baseUrl: requiredText(program.ready, 'baseUrl'),
		reset: async () => void (await program.ask('reset')),
		counts: async () => {
			const counts = await program.ask('counts');
			const count = (name: keyof Counts) => Number(at(counts, name));
			return {
				arrived: count('arrived'),
				applied: count('applied'),
				mostAtOnce: count('mostAtOnce'),
				indexed: count('indexed'),
			};
		},
		stop: program.stop,
	};
}
