import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * n8n loads this file into its own process, as `EXTERNAL_HOOK_FILES` says, and calls the functions below
 * around each execution. What n8n has recorded is read where it is: to store an execution of many items,
 * and to read it over REST, takes longer than the run and more memory.
 *
 * n8n's Node loads it as it stands, without tsx: it imports nothing of this repository. What it writes is
 * read by `recorded.mts`.
 */

/** What came of the newest execution. Memory is what the process has in use (resident), on Linux. */
export interface Recorded {
	/** `success`, `error`, … */
	status: string;
	/** Why it ended, if it did not succeed. */
	error?: string;
	/** Until n8n has saved it, if it is told to. */
	wholeMs: number;
	/** Right before, without garbage. */
	startBytes: number;
	/** At most. */
	peakBytes: number;
	/** Of each node, in its first run: n8n's `executionTime`, what it put out, how much of that has an `error`. */
	nodes: Record<string, { ms: number; items: number; failed: number }>;
}

/** The parts of n8n's `IRun` that are read here. */
interface Run {
	status: string;
	data: { resultData: { error?: { message: string }; runData: Record<string, NodeRun[]> } };
}

interface NodeRun {
	executionTime: number;
	data?: { main?: Array<Array<{ json: { error?: unknown } }> | null> };
}

let startBytes = 0;
let startedMs = 0;

export const workflow = {
	/** Clears away what is left of what was before, so that the peak is that of the execution. */
	preExecute: [
		() => {
			collectGarbage();
			// The peak starts again at what is in use now: proc_pid_clear_refs(5).
			writeFileSync('/proc/self/clear_refs', '5');
			startBytes = residentBytes('VmRSS');
			startedMs = performance.now();
		},
	],
	/** n8n calls it last: it has saved the execution by then. */
	postExecute: [
		({ status, data }: Run) => {
			const wholeMs = performance.now() - startedMs;
			const { error, runData } = data.resultData;
			const nodes = Object.entries(runData).flatMap(([name, [run]]) => {
				const items = run?.data?.main?.flatMap((output) => output ?? []) ?? [];
				const failed = items.filter(({ json }) => Boolean(json.error)).length;
				return [[name, { ms: run?.executionTime ?? 0, items: items.length, failed }] as const];
			});
			const recorded: Recorded = {
				...{ status, error: error?.message, wholeMs, startBytes },
				...{ peakBytes: residentBytes('VmHWM'), nodes: Object.fromEntries(nodes) },
			};
			write('recorded.json', JSON.stringify(recorded));
		},
	],
};

/** At this signal: what the process holds without its garbage, of which n8n else has gigabytes. */
process.on('SIGUSR2', () => {
	collectGarbage();
	const { heapUsed, external } = process.memoryUsage();
	write('held', String(heapUsed + external));
});

/** Into the folder of n8n's user; under its name only when it is whole. */
function write(name: string, text: string): void {
	const file = join(process.env.N8N_USER_FOLDER ?? '', name);
	writeFileSync(`${file}.part`, text);
	renameSync(`${file}.part`, file);
}

function residentBytes(field: 'VmRSS' | 'VmHWM'): number {
	const status = readFileSync('/proc/self/status', 'utf8');
	const [, kilobytes] = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status) ?? [];
	if (kilobytes === undefined) throw new Error(`This process has no ${field}.`);
	return Number(kilobytes) * 1024;
}

function collectGarbage(): void {
	setFlagsFromString('--expose-gc');
	const collect: unknown = runInNewContext('gc');
	if (typeof collect !== 'function') throw new Error('Garbage cannot be collected.');
	collect();
}
