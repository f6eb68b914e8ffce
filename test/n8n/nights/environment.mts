import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Service } from '../../service/service.js';
import { accountFor } from '../account.mjs';
import type { Execution } from '../execution.mjs';
import type { Fields } from '../fields.mjs';
import { REAL_N8N } from '../install.mjs';
import { showProgress } from '../progress.mjs';
import type { Credential } from '../rest.mjs';
import { startN8n, type RunningN8n } from '../server.mjs';
import type { Start } from '../withStarted.mjs';
import { fireNight } from './workflow.mjs';

/** An n8n that can be killed, and its nights. */
export interface Nights {
	/** Imports a workflow and publishes it; returns its ID. */
	publish(workflow: Fields): Promise<string>;
	/** Begins a night, and resolves with n8n's answer at its end, or rejects when it is gone. */
	fire(path: string): Promise<string>;
	/** Runs a night and reads what n8n has kept of it. */
	run(path: string, workflow: string): Promise<Execution>;
	/** What n8n has kept of the newest execution of a workflow. */
	newest(workflow: string): Promise<Execution>;
	/** The same for somebody who starts it in the editor. */
	runByHand(workflow: string): Promise<Execution>;
	/** Runs one again from n8n's list of executions, as it was then. */
	retry(execution: string, workflow: string): Promise<Execution>;
	/** Stops the night that was begun last, as somebody does in the editor. */
	stopNewest(workflow: string): Promise<void>;
	/** Ends n8n in the middle of whatever it does, and starts it again on what it has kept. */
	killAndRestart(): Promise<void>;
}

export async function startNights(
	start: Start,
	tarball: string,
	service: Service,
	...credentials: Credential[]
): Promise<Nights> {
	const userFolder = join(REAL_N8N, 'nights');
	rmSync(userFolder, { recursive: true, force: true });
	const starting = async (options: { tarball?: string } = {}): Promise<RunningN8n> =>
		await start(showProgress('Starting n8n', () => startN8n({ userFolder, ...options })));
	let n8n = await starting({ tarball });
	for (const each of [accountFor(service), ...credentials]) await n8n.rest.createCredential(each);

	const newestId = async (workflow: string) =>
		(await n8n.rest.executions(workflow))[0]?.id ?? 'none';
	const fire = async (path: string) => (await fireNight(n8n.baseUrl, path)).body;
	return {
		fire,
		publish: async (workflow) => {
			const id = await n8n.rest.createWorkflow(workflow);
			await n8n.rest.activate(id);
			return id;
		},
		run: async (path, workflow) => {
			await fire(path);
			return await n8n.rest.untilEnded(await newestId(workflow));
		},
		newest: async (workflow) => await n8n.rest.untilEnded(await newestId(workflow)),
		runByHand: async (workflow) =>
			await n8n.rest.untilEnded(await n8n.rest.start(workflow, 'n8n-nodes-base.scheduleTrigger')),
		retry: async (execution, workflow) => {
			await n8n.rest.retryExecution(execution);
			return await n8n.rest.untilEnded(await newestId(workflow));
		},
		stopNewest: async (workflow) => await n8n.rest.stopExecution(await newestId(workflow)),
		killAndRestart: async () => {
			await n8n.kill();
			n8n = await starting();
		},
	};
}
