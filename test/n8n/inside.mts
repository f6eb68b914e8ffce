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
	/**
	 * Of each node, in its first run: n8n's `executionTime`, what it put out, how much of that has an `error`, and the
	 * longest time that n8n had to wait meanwhile before it could do anything else.
	 */
	nodes: Record<string, { ms: number; items: number; failed: number; blockedMs: number }>;
}

/** The parts of n8n's `IRun` that are read here. */
interface Run {
	status: string;
	data: { resultData: { error?: { message: string }; runData: Record<string, NodeRun[]> } };
}

interface NodeRun {
	/** In milliseconds since 1970. */
	startTime: number;
	executionTime: number;
	data?: { main?: Array<Array<{ json: { error?: unknown } }> | null> };
}

let startBytes = 0;
let startedMs = 0;

const TICK_MS = 5;

/** The delays of a timer in the execution that runs, with the times at which they ended. */
const delays: Array<{ atMs: number; ms: number }> = [];
let timer: NodeJS.Timeout | undefined;

export const workflow = {
	/** Clears away what is left of what was before, so that the peak is that of the execution. */
	preExecute: [
		() => {
			collectGarbage();
			// The peak starts again at what is in use now: proc_pid_clear_refs(5).
			writeFileSync('/proc/self/clear_refs', '5');
			startBytes = residentBytes('VmRSS');
			startedMs = performance.now();
			recordDelays();
		},
	],
	/** n8n calls it last: it has saved the execution by then. */
	postExecute: [
		({ status, data }: Run) => {
			const wholeMs = performance.now() - startedMs;
			clearInterval(timer);
			const { error, runData } = data.resultData;
			const nodes = Object.entries(runData).flatMap(([name, [run]]) => {
				const items = run?.data?.main?.flatMap((output) => output ?? []) ?? [];
				const failed = items.filter(({ json }) => Boolean(json.error)).length;
				const { executionTime: ms = 0, startTime = 0 } = run ?? {};
				const blockedMs = longestDelayMs(startTime, startTime + ms);
				return [[name, { ms, items: items.length, failed, blockedMs }] as const];
			});
			const recorded: Recorded = {
				...{ status, error: error?.message, wholeMs, startBytes },
				...{ peakBytes: residentBytes('VmHWM'), nodes: Object.fromEntries(nodes) },
			};
			write('recorded.json', JSON.stringify(recorded));
		},
	],
};

/** A timer that comes late has waited for its turn, as n8n's editor and other executions have. */
function recordDelays(): void {
	clearInterval(timer);
	delays.length = 0;
	let lastMs = Date.now();
	timer = setInterval(() => {
		const atMs = Date.now();
		const ms = atMs - lastMs - TICK_MS;
		lastMs = atMs;
		if (ms >= TICK_MS) delays.push({ atMs, ms });
	}, TICK_MS);
}

function longestDelayMs(fromMs: number, toMs: number): number {
	const within = delays.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
	// Where a delay began before the node, the node before it caused that part.
	return Math.max(0, ...within.map(({ atMs, ms }) => Math.min(ms, atMs - fromMs)));
}

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
