import type { IExecuteFunctions, IRunExecutionData } from 'n8n-workflow';

import type { NotedExecution } from './syncNote';

/** How an earlier execution has ended, as far as n8n has kept it. */
export type ExecutionEnd = 'well' | 'not well' | 'not kept';

/**
 * Asks n8n. What it keeps of an execution that has ended well has no error and nothing left to do, and has
 * called the node as often as the node has counted; of one that was stopped or is still under way it keeps
 * what was there at its beginning. n8n 1.85 can't be asked.
 */
export async function endOf(
	context: IExecuteFunctions,
	{ id, calls }: NotedExecution,
): Promise<ExecutionEnd> {
	if (typeof context.getExecutionDataById !== 'function') return 'not kept';
	let kept: IRunExecutionData | undefined;
	try {
		kept = await context.getExecutionDataById(id);
	} catch {
		return 'not kept';
	}
	if (kept === undefined) return 'not kept';
	const { executionData, resultData } = kept;
	const isOver = executionData?.nodeExecutionStack.length === 0;
	const runs = resultData.runData[context.getNode().name] ?? [];
	const hasFailed = resultData.error !== undefined || runs.some(({ error }) => error !== undefined);
	return isOver && !hasFailed && runs.length === calls ? 'well' : 'not well';
}
