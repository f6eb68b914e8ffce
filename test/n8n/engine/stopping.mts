import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService } from '../../service/service.js';
import { accountFor, KEYS } from '../account.mjs';
import { assertHolds, type Prove } from '../prove.mjs';
import type { RunningN8n } from '../server.mjs';
import { until } from '../until.mjs';
import { withStarted } from '../withStarted.mjs';
import type { Environment } from './environment.mjs';

/** Of an answer; longer than anything is waited for, so that the stop alone can end the node. */
const LATENCY_MS = 300_000;
const LONGEST_MS = 60_000;

/** Long enough that a request after the stop would be seen. */
const LOOK_ON_MS = 1500;

/** The stop button of the editor. */
export async function proveStopping(
	prove: Prove,
	{ n8n, importWorkflow }: Environment,
): Promise<void> {
	await withStarted(async (start) => {
		const service = await start(startService({ ...KEYS, agents: 8 }));
		await n8n.rest.createCredential(accountFor(service, 'Large account'));

		await prove(
			'the stop button cuts the requests in flight, and nothing new is sent',
			async () => {
				service.script({ times: Infinity, latencyMs: LATENCY_MS });
				const workflowId = await importWorkflow('many-agents');
				const executionId = await n8n.rest.start(workflowId);
				const underWay = () => service.requests().length === 4;
				await until('four requests are under way', LONGEST_MS, underWay);
				await n8n.rest.stopExecution(executionId);
				await until('the node has ended', LONGEST_MS, () => hasNode(n8n, workflowId, 'finished'));
				await sleep(LOOK_ON_MS);
				const cut = service.log.filter(({ kind }) => kind === 'aborted').length;
				assertHolds(cut === 4, `${cut} of 4 requests were cut.`);
				assertHolds(service.requests().length === 4, 'Requests were sent after the stop.');
				const { status } = await n8n.rest.untilEnded(executionId, LONGEST_MS);
				assertHolds(status === 'canceled', `The execution is filed as ${status}.`);
			},
		);
	});
}

/** Whether n8n's log, the only place that shows it, says this of the node in a workflow. */
function hasNode({ logFile }: RunningN8n, workflowId: string, what: 'started' | 'finished') {
	const lines = readFileSync(logFile, 'utf8').split('\n');
	const words = `Running node "Add Files" ${what}`;
	return lines.some((line) => line.includes(words) && line.includes(workflowId));
}
