import { KEYS } from '../test/n8n/account.mjs';
import { at, listAt, requiredText } from '../test/n8n/fields.mjs';
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
	/** The most of these that brought the bytes of a file. */
	mostUploadsAtOnce: number;
	/** Uploads that are indexed by now. */
	indexed: number;
}

/** A file that is there from the start, and after each reset. */
export interface StoredFile {
	uniqueId: string;
	sourceName: string;
}

export interface StandInOptions extends Omit<ServiceOptions, 'onEntry' | 'records' | 'port'> {
	/** How many files the first agent has from the start. */
	records: number;
}

export interface StandIn {
	/** `http://127.0.0.1:PORT/v3` */
	baseUrl: string;
	/** What the first agent has. */
	files: StoredFile[];
	/** Forgets what has arrived, uploads too, has the agents as at the start and opens the rate limit again. */
	reset(): Promise<void>;
	counts(): Promise<Counts>;
	stop(): Promise<void>;
}

export async function startStandIn(benchCase: BenchCase): Promise<StandIn> {
	const { items, agents, latencyMs, rateLimit, upload, sync } = benchCase;
	const indexing = { ms: (sync ?? upload)?.indexingMs };
	const records = sync?.changed === undefined ? 0 : items;
	const options: StandInOptions = { ...KEYS, agents, records, latencyMs, rateLimit, indexing };
	const nodeArgs = ['--import', 'tsx'];
	const program = await startProgram('standInProcess.mts', options, undefined, nodeArgs);
	return {
		baseUrl: requiredText(program.ready, 'baseUrl'),
		files: listAt(program.ready, 'files').map((file) => ({
			uniqueId: requiredText(file, 'uniqueId'),
			sourceName: requiredText(file, 'sourceName'),
		})),
		reset: async () => void (await program.ask('reset')),
		counts: async () => {
			const counts = await program.ask('counts');
			const count = (name: keyof Counts) => Number(at(counts, name));
			return {
				arrived: count('arrived'),
				applied: count('applied'),
				mostAtOnce: count('mostAtOnce'),
				mostUploadsAtOnce: count('mostUploadsAtOnce'),
				indexed: count('indexed'),
			};
		},
		stop: program.stop,
	};
}
