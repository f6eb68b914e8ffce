import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { KEYS } from '../test/n8n/engine/stage.mjs';
import { at, requiredText } from '../test/n8n/fields.mjs';
import type { ServiceOptions } from '../test/service/service.js';
import type { BenchCase } from './cases.mjs';

/** Requests that arrived at the stand-in and its upload host since it was last reset. */
export interface Counts {
	arrived: number;
	/** Refused because of the rate limit. */
	limited: number;
	/** Carried out: what only asks is not among them. */
	applied: number;
	/** The most that were under way at the same time. */
	mostAtOnce: number;
	/** Uploads that are indexed by now. */
	indexed: number;
}

export type StandInOptions = Pick<
	ServiceOptions,
	'apiKey' | 'authKey' | 'agents' | 'latencyMs' | 'rateLimit' | 'indexing' | 'checked' | 'keepLog'
>;

export interface StandIn {
	/** `http://127.0.0.1:PORT/v3` */
	baseUrl: string;
	/** Forgets what has arrived, uploads too, empties the knowledge bases and opens the rate limit again. */
	reset(): Promise<void>;
	counts(): Promise<Counts>;
	stop(): Promise<void>;
}

const PROGRAM = join(import.meta.dirname, 'standInProcess.mts');

export async function startStandIn(benchCase: BenchCase): Promise<StandIn> {
	const { agents, latencyMs, rateLimit, upload } = benchCase;
	const indexing = { ms: upload?.indexingMs };
	// Its own work would count as the node's.
	const fast = { checked: false, keepLog: false };
	const options: StandInOptions = { ...KEYS, agents, latencyMs, rateLimit, indexing, ...fast };
	const child = fork(PROGRAM, [JSON.stringify(options)], { execArgv: ['--import', 'tsx'] });
	const baseUrl = requiredText(await messageOf(child), 'baseUrl');
	const ask = async (command: 'counts' | 'reset') => {
		const answer = messageOf(child);
		child.send(command);
		return readCounts(await answer);
	};
	return {
		baseUrl,
		reset: async () => void (await ask('reset')),
		counts: async () => await ask('counts'),
		stop: async () => {
			const ended = once(child, 'exit');
			child.disconnect();
			await ended;
		},
	};
}

async function messageOf(child: ChildProcess): Promise<unknown> {
	return await new Promise((resolve, reject) => {
		const fail = () => reject(new Error('The stand-in has ended.'));
		child.once('exit', fail);
		child.once('message', (message) => {
			child.off('exit', fail);
			resolve(message);
		});
	});
}

function readCounts(message: unknown): Counts {
	const count = (name: keyof Counts) => Number(at(message, name));
	return {
		arrived: count('arrived'),
		limited: count('limited'),
		applied: count('applied'),
		mostAtOnce: count('mostAtOnce'),
		indexed: count('indexed'),
	};
}
