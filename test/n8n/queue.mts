import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startService, type Service } from '../service/service.js';
import { makeCalls, misplaced, type Call } from './calls.mjs';
import { startCluster, type Cluster } from './cluster.mjs';
import { fieldsOf, readJson } from './fields.mjs';
import { REAL_N8N } from './install.mjs';
import { showProgress } from './progress.mjs';
import { assertHolds, type Topic } from './prove.mjs';
import type { RunningWorker } from './server.mjs';
import { until } from './until.mjs';

const WORKFLOW = join(import.meta.dirname, 'workflows/queue.json');
const FOLDER = join(REAL_N8N, 'queue');
const KEYS = { apiKey: 'queue-rest-api-key', authKey: 'queue-auth-key' };
/** As n8n says it when a worker has taken an execution and is gone. */
const GIVEN_UP = 'This execution failed to be processed too many times and will no longer retry.';

/** n8n's queue mode with two workers; every part of it is started and stopped here. */
export const queue: Topic = {
	name: 'queue',
	async proveAll(prove, tarball) {
		rmSync(FOLDER, { recursive: true, force: true });
		const service = await startService({ ...KEYS, agents: 5 });
		try {
			const cluster = await showProgress('Starting Redis, PostgreSQL and n8n', () =>
				startCluster(FOLDER, tarball),
			);
			try {
				const workers = await showProgress('Starting two workers', () =>
					Promise.all([cluster.startWorker('worker-1'), cluster.startWorker('worker-2')]),
				);
				const workflowId = await connect(cluster, service);

				await prove(
					'200 executions at once, on two workers with the node installed on each, put every file where it belongs',
					async () => await manyAtOnce(cluster, workers, workflowId, service),
				);
				await prove(
					'A worker killed in the middle of its runs: n8n reports each of them as failed, sends nothing again by itself, and starting them again leaves every knowledge base as it should be',
					async () => await killed(cluster, workers, workflowId, service),
				);
			} finally {
				await cluster.stop();
			}
		} finally {
			await service.stop();
		}
	},
};

async function connect(cluster: Cluster, service: Service): Promise<string> {
	const { rest } = cluster.main;
	await rest.createCredential({
		name: 'CometChat account',
		type: 'cometChatApi',
		data: { appId: '', region: 'custom', baseUrl: service.baseUrl, apiKey: KEYS.apiKey },
	});
	const workflowId = await rest.createWorkflow(fieldsOf(readJson(WORKFLOW)));
	await rest.activate(workflowId);
	const [first] = makeCalls('first', 1, 1, agentsOf(service));
	await until('the webhook is there', 30_000, async () => (await send(cluster, first)) !== 404);
	return workflowId;
}

async function manyAtOnce(
	cluster: Cluster,
	workers: RunningWorker[],
	workflowId: string,
	service: Service,
): Promise<void> {
	service.reset();
	const before = workers.map(startedBy);
	const calls = makeCalls('many', 200, 3, agentsOf(service));
	const statuses = await Promise.all(calls.map((call) => send(cluster, call)));

	const refused = statuses.filter((status) => status !== 200);
	assertHolds(refused.length === 0, `${refused.length} calls were answered ${refused.join(', ')}.`);
	const wrong = misplaced(service, calls);
	assertHolds(wrong === '', wrong);
	const sent = service.requests().length;
	assertHolds(sent === 1200, `${sent} requests arrived, not one per item and node: 1200.`);

	const started = workers.map((worker, index) => startedBy(worker) - (before[index] ?? 0));
	const sum = started.reduce((total, count) => total + count, 0);
	assertHolds(sum === 200, `The workers ran ${started.join(' and ')} of 200 executions.`);
	const idle = started.some((count) => count < 20);
	assertHolds(!idle, `A worker hardly took part: ${started.join(' and ')} executions.`);
	const { error, status } = await cluster.main.rest.getExecution(
		(await cluster.main.rest.executionsOf(workflowId))[0] ?? '',
	);
	assertHolds(status === 'success', `n8n files the last execution as ${status}: ${error}`);
}

async function killed(
	cluster: Cluster,
	[victim, other]: RunningWorker[],
	workflowId: string,
	service: Service,
): Promise<void> {
	assertHolds(victim !== undefined && other !== undefined, 'There are no two workers.');
	service.reset();
	service.script({ times: Infinity, latencyMs: 500 });
	// Six requests one after the other for each agent: three seconds to add, three to remove.
	const calls = makeCalls('slow', 8, 12, agentsOf(service).slice(0, 2));
	const sending = calls.map(async (call) => await send(cluster, call));
	await until('each run has changed something', 60_000, () =>
		calls.every((call) => changesOf(service, call).length > 0),
	);
	const busy = [victim, other].map((worker) => startedBy(worker) - finishedBy(worker));
	assertHolds(!busy.includes(0), `The workers run ${busy.join(' and ')} executions.`);
	const killedAtMs = Date.now();
	await victim.kill();
	// As a supervisor would.
	await cluster.startWorker('worker-1');

	const statuses = await Promise.all(sending);
	const failed = calls.filter((_, index) => statuses[index] !== 200);
	assertHolds(
		failed.length === busy[0],
		`${busy[0]} executions were on the killed worker, but n8n answered ${statuses.join(', ')}.`,
	);
	await checkReport(cluster, workflowId, failed.length, service);
	for (const call of failed) {
		const changes = changesOf(service, call);
		const late = changes.filter(({ atMs }) => atMs > killedAtMs + 1000).length;
		assertHolds(late === 0, `${late} requests of a failed run were sent by another worker.`);
		assertHolds(changes.length < 24, 'A failed run was through before the worker was killed.');
	}
	assertHolds(misplaced(service, calls) !== '', 'The kill left nothing undone.');

	const again = await Promise.all(failed.map((call) => send(cluster, call)));
	assertHolds(
		again.every((status) => status === 200),
		`Started again, the runs were answered ${again.join(', ')}.`,
	);
	const wrong = misplaced(service, calls);
	assertHolds(wrong === '', wrong);
}

/** docs/behaviour.md tells what the list of executions shows, and that Retry there has nothing to send. */
async function checkReport(
	{ main: { rest } }: Cluster,
	workflowId: string,
	failed: number,
	service: Service,
): Promise<void> {
	const ids = (await rest.executionsOf(workflowId)).slice(0, 8);
	const executions = await Promise.all(ids.map(async (id) => await rest.getExecution(id)));
	const [given, ...more] = executions.filter(({ status }) => status !== 'success');
	const states = executions.map(({ status, error }) => `${status} (${error})`).join(', ');
	assertHolds(
		given !== undefined &&
			more.length === failed - 1 &&
			[given, ...more].every(
				({ status, error }) => status === 'error' && error.startsWith(GIVEN_UP),
			),
		`n8n files the executions as ${states}.`,
	);
	const before = service.requests().length;
	// Not waited for: n8n now and then never answers this, though the execution has ended.
	rest.retryExecution(given.id).catch(() => undefined);
	await until("n8n's Retry has ended", 60_000, async () => {
		const [newest = ''] = await rest.executionsOf(workflowId);
		if (ids.includes(newest)) return false;
		return !['new', 'running'].includes((await rest.getExecution(newest)).status);
	});
	assertHolds(service.requests().length === before, "n8n's Retry has sent something.");
}

/** The requests of a call that the service has carried out. */
function changesOf(service: Service, call: Call) {
	const ids = new Set(call.entries.flatMap(({ add }) => add));
	return service.log.filter(
		({ applied, uniqueIds }) => applied && (uniqueIds ?? []).some((id) => ids.has(id)),
	);
}

/** How many executions a worker says it has started. */
function startedBy(worker: RunningWorker): number {
	return linesWith(worker, 'Worker started execution');
}

function finishedBy(worker: RunningWorker): number {
	return linesWith(worker, 'Worker finished execution');
}

function linesWith({ logFile }: RunningWorker, words: string): number {
	return readFileSync(logFile, 'utf8').split(words).length - 1;
}

function agentsOf(service: Service): string[] {
	return service.agents().map(({ uid }) => uid);
}

/** Calls the workflow and waits until it has ended; the status that n8n answers with. */
async function send(cluster: Cluster, call: Call | undefined): Promise<number> {
	const response = await fetch(`${cluster.main.baseUrl}/webhook/replace-files`, {
		method: 'POST',
		headers: { 'Content-Type': 'application/json' },
		body: JSON.stringify(call),
	});
	await response.text();
	return response.status;
}
