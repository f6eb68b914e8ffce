import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startService, type Service } from '../../service/service.js';
import { accountFor, KEYS } from '../account.mjs';
import { startCluster, type Cluster } from '../cluster.mjs';
import { startFiles, type Files } from '../engine/files.mjs';
import { textAt } from '../fields.mjs';
import { REAL_N8N } from '../install.mjs';
import { assertSame, Folder, FROM_ELSEWHERE } from '../nights/folder.mjs';
import { AGENT, fireNight, nightlyWorkflow, SYNC_FILES } from '../nights/workflow.mjs';
import { showProgress } from '../progress.mjs';
import { assertHolds, type Topic } from '../prove.mjs';
import type { RunningWorker } from '../server.mjs';
import { until } from '../until.mjs';
import { withStarted } from '../withStarted.mjs';
import { readWorkflow } from '../workflows.mjs';

const FOLDER = join(REAL_N8N, 'queue');
const WORKERS = ['worker-1', 'worker-2'];
/** As n8n says it when a worker has taken an execution and is gone. */
const GIVEN_UP = 'This execution failed to be processed too many times and will no longer retry.';
const NIGHT = 'night';
/** How many are under way when the worker is killed, beside the night. */
const CALLS = 8;

/** What the proofs work with. */
interface Environment {
	cluster: Cluster;
	workers: RunningWorker[];
	service: Service;
	files: Files;
	/** The ID of the workflow `queue`. */
	workflowId: string;
}

/** n8n's queue mode with two workers; every part of it is started and stopped here. */
export const queue: Topic = {
	name: 'queue',
	async proveAll(prove, { tarball }) {
		rmSync(FOLDER, { recursive: true, force: true });
		await withStarted(async (start) => {
			const service = await start(startService({ ...KEYS, records: [FROM_ELSEWHERE] }));
			const files = await start(startFiles());
			const cluster = await showProgress('Starting Redis, PostgreSQL and n8n', () =>
				startCluster(start, FOLDER, tarball),
			);
			const workers = await showProgress('Starting two workers', () =>
				Promise.all(WORKERS.map((name) => cluster.startWorker(name))),
			);
			const workflowId = await connect(cluster, service);
			const environment = { cluster, workers, service, files, workflowId };
			await prove(
				'200 executions at once, on two workers with the node installed on each, put every file where it belongs',
				async () => await manyAtOnce(environment),
			);
			await prove(
				'a worker killed in the middle of its runs: n8n reports each as failed and sends nothing again by itself, starting them again leaves every knowledge base as it should be, and what a killed night has left twice is named by the next',
				async () => await killed(environment),
			);
		});
	},
};

async function connect(cluster: Cluster, service: Service): Promise<string> {
	const { rest } = cluster.main;
	await rest.createCredential(accountFor(service));
	const workflowId = await rest.createWorkflow(readWorkflow('queue'));
	await rest.activate(workflowId);
	const [first] = makeCalls(service, 'first', 1, 1);
	await until('the webhook is there', 60_000, async () => (await send(cluster, first)) !== 404);
	return workflowId;
}

async function manyAtOnce({ cluster, workers, service, workflowId }: Environment): Promise<void> {
	service.reset();
	const before = workers.map((worker) => countOf(worker, 'started'));
	const calls = makeCalls(service, 'many', 200, 3);
	const statuses = await Promise.all(calls.map((call) => send(cluster, call)));
	const refused = statuses.filter((status) => status !== 200);
	assertHolds(refused.length === 0, `${refused.length} calls were answered ${refused.join(', ')}.`);
	assertPlaced(service, calls);
	const sent = service.requests().length;
	assertHolds(sent === 1200, `${sent} requests arrived, not one per item and node: 1200.`);

	const shares = workers.map((worker, index) => countOf(worker, 'started') - (before[index] ?? 0));
	const ran = `The workers ran ${shares.join(' and ')} of 200 executions.`;
	const sum = shares.reduce((total, share) => total + share, 0);
	assertHolds(sum === 200 && !shares.includes(0), ran);
	const { status } = await cluster.main.rest.newest(workflowId);
	assertHolds(status === 'success', `n8n files the last execution as ${status}.`);
}

async function killed(environment: Environment): Promise<void> {
	const { cluster, workers, service } = environment;
	service.reset();
	const night = await nightInItsMidst(environment);
	const index = busyOf(workers).indexOf(1);
	service.script({ times: Infinity, latencyMs: 500 });
	// Six requests one after the other for each agent: three seconds to add, three to remove.
	const calls = makeCalls(service, 'slow', CALLS, 12);
	const sending = calls.map(async (call) => await send(cluster, call));
	await until('each run has changed something', 60_000, () =>
		calls.every((call) => changesOf(service, call).length > 0),
	);
	const runs = busyOf(workers);
	assertHolds(!runs.includes(0), `The workers run ${runs.join(' and ')} executions.`);
	await workers[index]?.kill();
	// What was on its way has arrived by then.
	await new Promise((resolve) => setTimeout(resolve, 1000));
	const early = calls.map((call) => changesOf(service, call).length);
	// As a supervisor would.
	workers[index] = await cluster.startWorker(WORKERS[index] ?? '');

	const statuses = await Promise.all(sending);
	const failed = calls.filter((_, at) => statuses[at] !== 200);
	const answered = `${runs[index]} executions were on the killed worker, but n8n answered ${statuses.join(', ')}.`;
	assertHolds(failed.length + 1 === runs[index], answered);
	await checkReport(environment, failed.length);
	for (const call of failed) {
		const late = changesOf(service, call).length - (early[calls.indexOf(call)] ?? 0);
		assertHolds(late === 0, `${late} requests of a failed run were sent by another worker.`);
	}
	const again = await Promise.all(failed.map((call) => send(cluster, call)));
	const allWell = again.every((status) => status === 200);
	assertHolds(allWell, `Started again, the runs were answered ${again.join(', ')}.`);
	assertPlaced(service, calls);
	await night.assertNamed();
}

/** A night that waits for an answer when the old version of a file is to be taken out. */
async function nightInItsMidst({ cluster, service, files }: Environment) {
	const { rest, baseUrl } = cluster.main;
	const folder = await Folder.beside(service, files);
	folder.lay({ 'hours.md': 'hours 1', 'prices.md': 'prices 1' });
	const workflowId = await rest.createWorkflow(nightlyWorkflow(files, NIGHT));
	await rest.activate(workflowId);
	await fireNight(baseUrl, NIGHT);
	folder.assertInStep();

	folder.lay({ 'prices.md': 'prices 2' });
	service.script({ for: { operation: 'remove' }, latencyMs: 600_000 });
	const cut = fireNight(baseUrl, NIGHT);
	await until('the old version is to be taken out', 60_000, () =>
		service.log.some(({ operation }) => operation === 'remove'),
	);
	return {
		assertNamed: async () => {
			const status = await cut;
			assertHolds(status === 500, `The night's worker is gone, and n8n answered ${status}.`);
			service.clearScript();
			service.clearLog();
			await fireNight(baseUrl, NIGHT);
			const execution = await rest.newest(workflowId);
			const [hours, prices] = execution.items(SYNC_FILES).map(({ json }) => json);
			const words = JSON.stringify([hours, prices]);
			assertHolds(hours?.action === 'unchanged', words);
			assertHolds(textAt(prices?.error, 'message').includes('2 files named "prices.md"'), words);
			assertSame(folder.sent(), {}, 'It sent');
		},
	};
}

/** n8n's list of executions has each that was on the killed worker as failed, and all others as done. */
async function checkReport({ cluster, workflowId }: Environment, failed: number): Promise<void> {
	const { rest } = cluster.main;
	const newest = (await rest.executions(workflowId)).slice(0, CALLS);
	const executions = await Promise.all(newest.map(({ id }) => rest.untilEnded(id)));
	const givenUp = executions.filter(({ status, error }) => {
		return status === 'error' && error.startsWith(GIVEN_UP);
	});
	const succeeded = executions.filter(({ status }) => status === 'success');
	assertHolds(
		givenUp.length === failed && succeeded.length === CALLS - failed,
		executions.map(({ status, error }) => `${status} (${error})`).join(', '),
	);
}

/** One call of the workflow `queue.json`: an item for each entry. */
interface Call {
	entries: Array<{ agent: string; add: string[]; remove: string[] }>;
}

/** Calls whose file IDs all differ. Each entry adds three files and then removes one of them. */
function makeCalls(service: Service, name: string, count: number, entriesEach: number): Call[] {
	const agents = agentsOfCalls(service);
	return Array.from({ length: count }, (_, call) => ({
		entries: Array.from({ length: entriesEach }, (_, entry) => {
			const file = (kind: string) => `${name}-${call}-${entry}-${kind}`;
			return {
				agent: agents[(call + entry) % agents.length]?.uid ?? '',
				add: [file('first'), file('second'), file('outdated')],
				remove: [file('outdated')],
			};
		}),
	}));
}

/** All but the one that is kept in step with a folder. */
function agentsOfCalls(service: Service) {
	return service.agents().filter(({ uid }) => uid !== AGENT);
}

/** Every agent holds exactly what these calls leave there. */
function assertPlaced(service: Service, calls: Call[]): void {
	const entries = calls.flatMap((call) => call.entries);
	for (const { uid } of agentsOfCalls(service)) {
		const wanted = entries
			.filter(({ agent }) => agent === uid)
			.flatMap(({ add, remove }) => add.filter((id) => !remove.includes(id)));
		const held = service.files(uid, 'uploads');
		const missing = wanted.filter((id) => !held.includes(id));
		const tooMany = held.filter((id) => !wanted.includes(id));
		const words = `${uid} lacks ${missing.join()} and has ${tooMany.join()} too many`;
		assertHolds(missing.length + tooMany.length === 0, words.slice(0, 500));
	}
}

/** The requests of a call that the service has carried out. */
function changesOf(service: Service, call: Call) {
	const ids = new Set(call.entries.flatMap(({ add }) => add));
	return service.log.filter(
		({ applied, uniqueIds }) => applied && (uniqueIds ?? []).some((id) => ids.has(id)),
	);
}

/** How many executions each worker has under way. */
function busyOf(workers: RunningWorker[]): number[] {
	return workers.map((worker) => countOf(worker, 'started') - countOf(worker, 'finished'));
}

/** How many executions a worker says it has started, or finished. */
function countOf({ logFile }: RunningWorker, what: 'started' | 'finished'): number {
	return readFileSync(logFile, 'utf8').split(`Worker ${what} execution`).length - 1;
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
