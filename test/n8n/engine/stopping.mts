import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertHolds, type Prove } from '../prove.mjs';
import type { RunningN8n } from '../server.mjs';
import { until } from '../until.mjs';
import type { Stage } from './stage.mjs';

/** A second, and what n8n's own part of a stop may cost on a busy machine. */
const AT_ONCE_MS = 2000;

/** A part of the time that all the expressions of the workflow `many-expressions` take, a minute or so. */
const BEFORE_ALL_MS = 10_000;

/** Longer than any wait that is still to come, so that a request after the stop would be seen. */
const LOOK_ON_MS = 3500;

export async function proveStopping(prove: Prove, stage: Stage): Promise<void> {
	const { n8n, large } = stage;

	await prove(
		'Stopping an execution cuts the requests in flight, and nothing new is sent',
		async () => {
			stage.reset();
			large.script({ times: Infinity, latencyMs: 30_000 });
			const { stoppedAtMs, status } = await runAndStop(stage, () => large.requests().length === 4);
			await sleep(LOOK_ON_MS);
			const ends = large.log.filter(({ kind }) => kind !== 'arrived');
			const cut = ends.filter(
				({ kind, atMs }) => kind === 'aborted' && atMs - stoppedAtMs < AT_ONCE_MS,
			);
			assertHolds(cut.length === 4, `${cut.length} of 4 requests were cut at once.`);
			assertHolds(large.requests().length === 4, 'Requests were sent after the stop.');
			assertHolds(status === 'canceled', `The execution is filed as ${status}.`);
		},
	);

	await prove(
		'Stopping an execution ends the waits between attempts, and nothing is sent again',
		async () => {
			stage.reset();
			large.script({ times: Infinity, status: 503, retryAfter: '3' });
			const answered = () => large.log.filter(({ kind }) => kind === 'answered').length;
			const { status } = await runAndStop(stage, () => answered() === 4);
			await sleep(LOOK_ON_MS);
			assertHolds(large.requests().length === 4, 'Requests were sent after the stop.');
			assertHolds(status === 'canceled', `The execution is filed as ${status}.`);
		},
	);

	await prove(
		'Stopping an execution while the expressions of thousands of items are evaluated ends that, and nothing is sent',
		async () => {
			stage.reset();
			const workflowId = await stage.importWorkflow('many-expressions');
			const executionId = await n8n.rest.start(workflowId);
			await until('the node has started', 60_000, () => nodeHas(n8n, workflowId, 'started'));
			// n8n answers in between, when the node gives it a turn.
			await n8n.rest.stopExecution(executionId);
			await until('the node has ended', BEFORE_ALL_MS, () => nodeHas(n8n, workflowId, 'finished'));
			const { status } = await n8n.rest.untilEnded(executionId);
			assertHolds(status === 'canceled', `The execution is filed as ${status}.`);
			// Nothing at all: the stop has come before the last expression was evaluated.
			assertHolds(large.requests().length === 0, 'Something was sent.');
		},
	);
}

/** Runs the workflow with eight agents, four at once, and stops it as soon as `isTime`. */
async function runAndStop({ n8n, importWorkflow }: Stage, isTime: () => boolean) {
	const workflowId = await importWorkflow('many-agents');
	const executionId = await n8n.rest.start(workflowId);
	await until('four requests are under way', 10_000, isTime);
	const stoppedAtMs = Date.now();
	await n8n.rest.stopExecution(executionId);
	// n8n's log is the only place that shows when the node itself has come to its end.
	const leftMs = stoppedAtMs + AT_ONCE_MS - Date.now();
	await until('the node has ended', leftMs, () => nodeHas(n8n, workflowId, 'finished'));
	const { status } = await n8n.rest.untilEnded(executionId, AT_ONCE_MS);
	return { stoppedAtMs, status };
}

/** Whether n8n's log says this of the node in a workflow. */
function nodeHas({ logFile }: RunningN8n, workflowId: string, what: 'started' | 'finished') {
	const lines = readFileSync(logFile, 'utf8').split('\n');
	const words = `Running node "Add Files" ${what}`;
	return lines.some((line) => line.includes(words) && line.includes(workflowId));
}
