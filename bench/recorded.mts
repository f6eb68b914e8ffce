import { renameSync, writeFileSync } from 'node:fs';
import { collectGarbage, residentBytes, resetPeak } from '../test/n8n/memory.mts';

/**
 * n8n loads this file into its own process, as `EXTERNAL_HOOK_FILES` says, and calls the functions
 * below around each execution. So what n8n has recorded is read where it is: storing an execution
 * of many items, and reading it over REST, takes longer than the run and more memory.
 *
 * n8n's Node loads it as it stands, without tsx.
 */

/** What n8n has recorded of one node in one execution. */
export interface Recorded {
	/** `success`, `error`, … of the whole execution. */
	status: string;
	/** Why it ended, if it did not succeed. */
	error?: string;
	/** The node's own time: n8n's `executionTime`, in milliseconds. 0 if it was not reached. */
	executionTimeMs: number;
	/** Of the whole execution, until n8n has saved it if it is told to, in milliseconds. */
	wholeTimeMs: number;
	/** The time of the node that reads the items' files, in milliseconds. 0 if there is none. */
	sourceTimeMs: number;
	items: number;
	/** Items with an `error`. */
	failedItems: number;
	/** What the process had in use right before, without garbage. */
	startBytes: number;
	/** The most that it had in use during the execution. */
	peakBytes: number;
}

/** The parts of n8n's `IRun` that are read here. */
interface Run {
	status: string;
	data: {
		resultData: {
			error?: { message: string };
			runData: Record<string, NodeRun[] | undefined>;
		};
	};
}

interface NodeRun {
	executionTime: number;
	data?: { main?: Array<Array<{ json: { error?: unknown } }> | null> };
}

const { BENCH_NODE = '', BENCH_SOURCE = '', BENCH_RECORD = '' } = process.env;

let startBytes = 0;
let startedMs = 0;

export const workflow = {
	preExecute: [startFresh],
	postExecute: [record],
};

/** Clears away what starting and warming up have left, so that the peak is that of the execution. */
function startFresh(): void {
	collectGarbage();
	resetPeak(process.pid);
	startBytes = residentBytes(process.pid, 'now');
	startedMs = performance.now();
}

/** n8n calls it last: it has saved the execution by then. */
function record({ status, data }: Run): void {
	const wholeTimeMs = performance.now() - startedMs;
	const { error, runData } = data.resultData;
	const [run] = runData[BENCH_NODE] ?? [];
	const [source] = runData[BENCH_SOURCE] ?? [];
	const items = run?.data?.main?.flatMap((output) => output ?? []) ?? [];
	const recorded: Recorded = {
		status,
		error: error === undefined ? undefined : error.message,
		executionTimeMs: run?.executionTime ?? 0,
		wholeTimeMs,
		sourceTimeMs: source?.executionTime ?? 0,
		items: items.length,
		failedItems: items.filter(({ json }) => Boolean(json.error)).length,
		startBytes,
		peakBytes: residentBytes(process.pid, 'at most'),
	};
	// Under its final name only when it is whole.
	writeFileSync(`${BENCH_RECORD}.part`, JSON.stringify(recorded));
	renameSync(`${BENCH_RECORD}.part`, BENCH_RECORD);
}
