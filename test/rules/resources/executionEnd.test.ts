import type { ITaskData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { StoredExecution } from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/state/executions';
import { endIn } from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/state/executions';

const OURS = 'CometChat Knowledge Base';
const NODE = {
	...{ id: '1', name: OURS, type: 'test', typeVersion: 1 },
	...{ position: [0, 0] satisfies [number, number], parameters: {} },
};
const ERROR = new NodeOperationError(NODE, 'It failed');

/** Runs by node and time: `Download 0+5` begins at 0 and takes 5 ms. */
function kept(
	runs: string[],
	more: { error?: typeof ERROR; ownError?: typeof ERROR; left?: number; noStack?: boolean } = {},
): StoredExecution {
	const runData: Record<string, ITaskData[]> = {};
	for (const [executionIndex, run] of runs.entries()) {
		const [, node = '', from = '', took = ''] = /^(\D+) (\d+)\+(\d+)$/.exec(run) ?? [];
		const own = node === 'Ours';
		const isFirst = own && runData[OURS] === undefined;
		(runData[own ? OURS : node] ??= []).push({
			startTime: Number(from),
			executionTime: Number(took),
			executionIndex,
			source: [],
			...(isFirst && more.ownError && { error: more.ownError }),
		});
	}
	const nodeExecutionStack = Array.from({ length: more.left ?? 0 }, () => ({
		node: NODE,
		data: {},
		source: null,
	}));
	const data = {
		contextData: {},
		metadata: {},
		waitingExecution: {},
		waitingExecutionSource: null,
	};
	return {
		resultData: { runData, ...(more.error && { error: more.error }) },
		...(more.noStack ? {} : { executionData: { ...data, nodeExecutionStack } }),
	};
}

const LOOP = ['List 0+9', 'Download 9+50000', 'Ours 50009+50', 'Download 50059+9', 'Ours 50068+9'];

test.each<[string, StoredExecution, number, string]>([
	['all is done', kept(LOOP), 2, 'well'],
	['a node has failed', kept(LOOP, { error: ERROR }), 2, 'not well'],
	[
		'our node has failed once, and the workflow has gone on',
		kept(LOOP, { ownError: ERROR }),
		2,
		'not well',
	],
	['something is left to do', kept(LOOP, { left: 1 }), 2, 'not well'],
	['what is left is not known', kept(LOOP, { noStack: true }), 2, 'not well'],
	['our node was called more often than was counted', kept(LOOP), 1, 'not well'],
	['our node was called less often than was counted', kept(LOOP), 3, 'not well'],
	['it has paused for less than a minute', kept([...LOOP, 'Wait 110076+9']), 2, 'well'],
	[
		'it was put aside while it waited',
		kept([...LOOP, 'Mail 110077+9', 'Mail 170086+9']),
		2,
		'not well',
	],
	[
		'our node has taken long, twice in a loop',
		kept(['Download 0+5', 'Ours 5+100000', 'Download 100005+5', 'Ours 100010+100000']),
		2,
		'well',
	],
])('How an execution has ended in which %s', (_, execution, calls, expected) => {
	expect(endIn(execution, NODE, calls)).toBe(expected);
});

test.each([
	['one of its calls was tried again', LOOP, 3, 'well'],
	['it was called more often than was counted', LOOP, 1, 'not well'],
])(
	"How an execution has ended whose node has 'Retry On Fail', if %s",
	(_, runs, calls, expected) => {
		expect(endIn(kept(runs), { ...NODE, retryOnFail: true }, calls)).toBe(expected);
	},
);
