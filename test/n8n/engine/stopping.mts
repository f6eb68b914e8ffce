import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService } from '../../service/service.js';
import { accountFor, KEYS } from '../account.mjs';
import type { Prove } from '../prove.mjs';
import { until } from '../until.mjs';
import { withStarted } from '../withStarted.mjs';
import type { Environment } from './environment.mjs';

/** The workflow `many-items` has an item for each of them. */
const AGENTS = 50;
/** So many requests the node has under way. */
const AT_ONCE = 10;
/** Of an answer; longer than anything is waited for, so that the stop alone can cut the requests. */
const LATENCY_MS = 300_000;
const LONGEST_MS = 60_000;
/** Long enough that a request after the stop would be seen. */
const LOOK_ON_MS = 1500;

/** The stop button of the editor. */
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
