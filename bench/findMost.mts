import { cp, rm } from 'node:fs/promises';
import { showProgress } from '../test/n8n/progress.mjs';
import { isUnderWay } from '../test/n8n/rest.mjs';
import { startN8n } from '../test/n8n/server.mjs';
import { until } from '../test/n8n/until.mjs';
import { withStarted } from '../test/n8n/withStarted.mjs';
import type { Prepared } from './prepared.mjs';
import { isAlive, LONGEST_RUN_MS, USER_FOLDER } from './reading.mjs';
import { benchWorkflow } from './workflow.mjs';

const ITEMS = [50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000];

/**
 * Runs the workflow without our node with more and more items until n8n itself fails. Here n8n has
 * its own settings and stores each execution, as it does for its users.
 */
export async function findMost(prepared: Prepared): Promise<void> {
	for (const items of ITEMS) {
		const step = `${items} items, without our node`;
		const end = await showProgress(step, () => endOf(items, prepared));
		console.log(`    ${end}`);
		if (end !== 'success') return;
	}
}

/** How n8n files a run with so many items, or what became of n8n. */
async function endOf(items: number, { userFolder }: Prepared): Promise<string> {
	await rm(USER_FOLDER, { recursive: true, force: true });
	await cp(userFolder, USER_FOLDER, { recursive: true, verbatimSymlinks: true });
	return await withStarted(async (start) => {
		const { rest, pid, logFile } = await start(startN8n({ userFolder: USER_FOLDER }));
		const run = { items, agents: 10, idsField: 'files', options: {} };
		const none = { cometChatApi: '', httpHeaderAuth: '' };
		const workflowId = await rest.createWorkflow(benchWorkflow('nobody', run, '', none));
		await rest.start(workflowId);
		let end = '';
		await until(`n8n has run ${items} items`, LONGEST_RUN_MS, async () => {
			// Busy for long, it does not answer in time; that is no end yet.
			const [execution] = await rest.executions(workflowId).catch(() => []);
			if (!isAlive(pid)) end = `n8n has ended by itself; see ${logFile}`;
			else if (execution !== undefined && !isUnderWay(execution)) end = execution.status;
			return end !== '';
		});
		return end;
	});
}
