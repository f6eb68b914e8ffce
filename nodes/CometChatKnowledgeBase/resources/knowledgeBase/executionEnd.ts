import type { IExecuteFunctions, IRunExecutionData } from 'n8n-workflow';

import type { NotedExecution } from './syncNote';

/** How an earlier execution has ended, as far as n8n has kept it. */
export type ExecutionEnd = 'well' | 'not well' | 'not kept';

/**
 * Asks n8n. What it keeps of an execution that has ended well has no error and nothing left to do, the node
 * that it began last has come to its end, and ours was called as often as was counted. Of one that is still
 * under way n8n keeps what was there at its beginning; of one that was stopped, what was there then, without
 * an error. n8n 1.85 can't be asked.
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
	const runs = resultData.runData[context.getNode().name] ?? [];
	const isOver =
		executionData?.nodeExecutionStack.length === 0 &&
		resultData.lastNodeExecuted === lastToEnd(resultData);
	const hasFailed = resultData.error !== undefined || runs.some(({ error }) => error !== undefined);
	// n8n's 'Retry On Fail' calls the node again, and keeps that as one run.
	const retries = context.getNode().retryOnFail === true;
	const isEachKept = retries ? runs.length <= calls : runs.length === calls;
	return isOver && !hasFailed && isEachKept ? 'well' : 'not well';
}

/**
 * The node of the last run that has an end. A model, a memory or a tool begins within the run of its AI Agent
 * and puts nothing out there: it is never the last, also where n8n has begun it last.
 */
function lastToEnd({ runData }: IRunExecutionData['resultData']): string | undefined {
	const [last] = Object.entries(runData)
		.flatMap(([node, runs]) => runs.map((run) => ({ node, ...run })))
		.filter(({ data }) => data?.main !== undefined)
		.sort((a, b) => b.startTime - a.startTime || b.executionIndex - a.executionIndex);
	return last?.node;
}
