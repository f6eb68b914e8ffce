import type {
	IExecuteFunctions,
	INode,
	IRunExecutionData,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { isTool } from '../../../../files/inputFiles';
import type { ExecutionEnd, LastExecution } from './state';

/** How n8n calls the node. */
export interface NodeCall {
	/** n8n's word for what has started the execution. */
	mode: WorkflowExecuteMode;
	isTool: boolean;
	/** Whether it is to be called for the first item alone. */
	isOnce: boolean;
	/** Why it may be called several times in an execution. */
	shape?: 'loop' | 'branches';
	/** Whether it was called before in this one. */
	isAnother: boolean;
}

export function nodeCall(context: IExecuteFunctions): NodeCall {
	const runIndex = context.evaluateExpression('{{ $runIndex }}', 0);
	return {
		mode: context.getMode(),
		isTool: isTool(context),
		isOnce: context.getNode().executeOnce === true,
		shape: callsByShape(context),
		isAnother: typeof runIndex === 'number' && runIndex > 0,
	};
}

/** What n8n keeps of an execution (`resultData` and what is left to do). */
export type StoredExecution = Pick<IRunExecutionData, 'executionData' | 'resultData'>;

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
	{ executionData, resultData }: StoredExecution,
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

type Around = Pick<IExecuteFunctions, 'getNode' | 'getParentNodes' | 'getChildNodes'>;

/** Why n8n may call the node several times in an execution, as far as the workflow's shape tells. */
export function callsByShape(context: Around): 'loop' | 'branches' | undefined {
	const { name } = context.getNode();
	const before = context.getParentNodes(name);
	const behind = new Set(context.getChildNodes(name).map((node) => node.name));
	if (before.some((node) => behind.has(node.name))) return 'loop';
	return context.getParentNodes(name, { depth: 1 }).length > 1 ? 'branches' : undefined;
}
