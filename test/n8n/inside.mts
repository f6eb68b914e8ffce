import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import http, { type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * n8n loads this file into its own process (`EXTERNAL_HOOK_FILES`), without tsx, and calls the functions below around
 * each execution: to store and read an execution of many items would take longer than the execution. `recorded.mts`
 * reads the output.
 */

/** The facts about the newest execution. Memory is the resident memory of the process, on Linux. */
export interface Recorded {
	/** `success`, `error`, … */
	status: string;
	error?: string;
	/** The time until n8n has saved it, if it saves it. */
	wholeMs: number;
	/** The memory before it, without garbage. */
	startBytes: number;
	peakBytes: number;
	/** For each node in its first call: `executionTime`, items, items with an `error`, and the longest block of n8n. */
	nodes: Record<string, { ms: number; items: number; failed: number; blockedMs: number }>;
}

/** The used parts of n8n's `IRun`. */
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

/** The delays of a timer during the execution, with the times at which they ended. */
const delays: Array<{ atMs: number; ms: number }> = [];
let timer: NodeJS.Timeout | undefined;

export const workflow = {
	/** Collects the garbage of earlier executions, so that the peak belongs to this execution. */
	preExecute: [
		() => {
			collectGarbage();
			// Resets the peak to the current memory: proc_pid_clear_refs(5).
			writeFileSync('/proc/self/clear_refs', '5');
			startBytes = residentBytes('VmRSS');
			startedMs = performance.now();
			recordDelays();
		},
	],
	/** Called by n8n after the execution was saved. */
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

/** Records how late a timer fires: n8n's editor and other executions wait for the same time. */
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
	// The part of a delay before the node belongs to the previous node.
	return Math.max(0, ...within.map(({ atMs, ms }) => Math.min(ms, atMs - fromMs)));
}

/** Writes the memory of the process without its garbage, which may be gigabytes. */
process.on('SIGUSR2', () => {
	collectGarbage();
	const { heapUsed, external } = process.memoryUsage();
	write('held', String(heapUsed + external));
});

const { GOOGLE_PORT } = process.env;
const { request: requestSecurely } = https;

/** Sends requests for Google's API to the stand-in: n8n's nodes have no field for another host. */
function request(options: RequestOptions, answered: (response: IncomingMessage) => void) {
	if (options.hostname !== 'www.googleapis.com') return requestSecurely(options, answered);
	const standIn = { protocol: 'http:', hostname: '127.0.0.1', port: GOOGLE_PORT, agent: false };
	return http.request({ ...options, ...standIn }, answered);
}
if (GOOGLE_PORT !== undefined) Object.assign(https, { request });

/** Writes a file into the folder of n8n's user. It gets its name only once it is complete. */
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
