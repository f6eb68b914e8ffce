import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService } from '../../service/service.js';
import { accountFor, KEYS } from '../account.mjs';
import type { Prove } from '../prove.mjs';
import { until } from '../until.mjs';
import { withStarted } from '../withStarted.mjs';
import type { Environment } from './environment.mjs';

/** The workflow `many-items` has an item for each agent. */
const AGENTS = 50;
/** The number of simultaneous requests of the node. */
const AT_ONCE = 10;
/** The time for a response: longer than any wait, so that only the stop button can end the requests. */
const LATENCY_MS = 300_000;
const LONGEST_MS = 60_000;
/** Long enough to see a request after the stop. */
const LOOK_ON_MS = 1500;

export async function proveStopping(
	prove: Prove,
	{ n8n, importWorkflow }: Environment,
): Promise<void> {
	await prove('the stop button cuts the requests in flight, and nothing new is sent', async () => {
		await withStarted(async (start) => {
			const service = await start(startService({ ...KEYS, agents: AGENTS }));
			const account = 'Slow account';
			await n8n.rest.createCredential(accountFor(service, account));
			service.script({ for: { operation: 'add' }, times: Infinity, latencyMs: LATENCY_MS });
			const workflow = await importWorkflow('many-items', { 'Items account': account });
			const id = await n8n.rest.start(workflow);
			const sent = () => service.requests().length;
			await until('all are under way', LONGEST_MS, () => sent() === AT_ONCE);
			await n8n.rest.stopExecution(id);
			const cut = () => service.log.filter(({ kind }) => kind === 'aborted').length;
			await until('they are cut', LONGEST_MS, () => cut() === AT_ONCE);
			await sleep(LOOK_ON_MS);
			assert.equal(sent(), AT_ONCE);
			const { status } = await n8n.rest.untilEnded(id, LONGEST_MS);
			assert.equal(status, 'canceled');
		});
	});
}
