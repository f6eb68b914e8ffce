import type { IExecuteFunctions, INode, IRunExecutionData } from 'n8n-workflow';

import type { ExecutionEnd, LastExecution } from './state';

/** What n8n keeps of an execution (`resultData` and what is left to do). */
export type KeptExecution = Pick<IRunExecutionData, 'executionData' | 'resultData'>;

/** Asks n8n how executions have ended: each once, since what it keeps of one may be large. */
export function endsIn(
	context: IExecuteFunctions,
): (execution: LastExecution) => Promise<ExecutionEnd> {
	const ends = new Map<string, Promise<ExecutionEnd>>();
	return async (execution) => {
		const key = `${execution.id} ${execution.calls}`;
		const end = ends.get(key) ?? askedFor(context, execution);
		ends.set(key, end);
		return await end;
	};
}

async function askedFor(
	context: IExecuteFunctions,
	{ id, calls }: LastExecution,
): Promise<ExecutionEnd> {
	try {
		const kept = await context.getExecutionDataById(id);
		return kept === undefined ? 'not kept' : endIn(kept, context.getNode(), calls);
	} catch {
		// n8n 1.85 has no such question.
		return 'not kept';
	}
}

/** n8n puts an execution aside that waits for longer, and takes it up again later. */
const LONGEST_WAIT_MS = 60_000;

/**
 * One that has ended well has no error and nothing left to do, and the node was called as often as it has
 * counted. Of one that is still under way n8n keeps what was there at its beginning.
 *
 * One that is stopped has no error either. n8n keeps no note of it, so that none can tell of it here, unless
 * it had been put aside before, which saves the note: whoever has waited is not believed.
 */
export function endIn(
	{ executionData, resultData }: KeptExecution,
	{ name, retryOnFail }: Pick<INode, 'name' | 'retryOnFail'>,
	calls: number,
): ExecutionEnd {
	const { error, runData } = resultData;
	const own = runData[name] ?? [];
	const hasFailed = error !== undefined || own.some((run) => run.error !== undefined);
	const isOver = executionData?.nodeExecutionStack.length === 0;
	// n8n's 'Retry On Fail' calls the node again, and keeps that as one run.
	const mayBeFewer = retryOnFail === true && own.length > 0 && own.length < calls;
	const isEachKept = own.length === calls || mayBeFewer;
	const isWell = isOver && !hasFailed && isEachKept && !hasWaited(resultData);
	return isWell ? 'well' : 'not well';
}

function hasWaited({ runData }: IRunExecutionData['resultData']): boolean {
	const runs = Object.values(runData)
		.flat()
		.sort((a, b) => a.startTime - b.startTime);
	let endMs = Infinity;
	for (const { startTime, executionTime } of runs) {
		if (startTime - endMs >= LONGEST_WAIT_MS) return true;
		endMs = Math.max(endMs === Infinity ? 0 : endMs, startTime + executionTime);
	}
	return false;
}
