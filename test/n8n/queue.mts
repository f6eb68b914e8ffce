import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startService, type Service } from '../service/service.js';
import { accountFor, KEYS } from './account.mjs';
import { startCluster, type Cluster } from './cluster.mjs';
import { hoursAgo, startFiles, type Files } from './engine/files.mjs';
import { textAt } from './fields.mjs';
import { REAL_N8N } from './install.mjs';
import { assertSame, Folder, FROM_ELSEWHERE } from './nights/folder.mjs';
import type { Sends } from './nights/rows.mjs';
import {
	AGENT,
	calledWorkflow,
	callingWorkflow,
	fireNight,
	nightlyWorkflow,
	SYNC_FILES,
} from './nights/workflow.mjs';
import { showProgress } from './progress.mjs';
import { assertHolds, type Topic } from './prove.mjs';
import { isUnderWay } from './rest.mjs';
import type { RunningWorker } from './server.mjs';
import { until } from './until.mjs';
import { withStarted } from './withStarted.mjs';
import { readWorkflow } from './workflows.mjs';

const FOLDER = join(REAL_N8N, 'queue');
const WORKERS = ['worker-1', 'worker-2'];
/** As n8n says it when a worker has taken an execution and is gone. */
const GIVEN_UP = 'This execution failed to be processed too many times and will no longer retry.';

/** What the proofs work with. */
interface Environment {
	cluster: Cluster;
	workers: RunningWorker[];
	service: Service;
	files: Files;
	workflowId: string;
}

/** n8n's queue mode with two workers; every part of it is started and stopped here. */
export const queue: Topic = {
	name: 'queue',
	async proveAll(prove, tarball) {
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
				'A worker killed in the middle of its runs: n8n reports each of them as failed, sends nothing again by itself, and starting them again leaves every knowledge base as it should be',
				async () => await killed(environment),
			);
			await prove(
				'Sync Files on workers, whose notes n8n keeps from it: a night goes by the dates, and what a killed one has left twice is named by the next one',
				async () => await killedAtNight(environment),
			);
			await prove(
				'Sync Files on workers with Only This Folder needs no note: what is the same is not sent, what is gone or from elsewhere is taken out at once and not deleted',
				async () => await onlyThisFolder(environment),
			);
			await prove(
				'Sync Files on workers, in a workflow that another one calls, keeps its notes: what is the same is not sent, what is gone is taken out',
				async () => await calledAtNight(environment),
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
	await until('the webhook is there', 30_000, async () => (await send(cluster, first)) !== 404);
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
	assertHolds(sum === 200 && Math.min(...shares) >= 20, ran);
	const [last] = await cluster.main.rest.executions(workflowId);
	assertHolds(last?.status === 'success', `n8n files the last execution as ${last?.status}.`);
}

async function killed(environment: Environment): Promise<void> {
	const { cluster, workers, service } = environment;
	service.reset();
	service.script({ times: Infinity, latencyMs: 500 });
	// Six requests one after the other for each agent: three seconds to add, three to remove.
	const calls = makeCalls(service, 'slow', 8, 12, 2);
	const sending = calls.map(async (call) => await send(cluster, call));
	await until('each run has changed something', 60_000, () =>
		calls.every((call) => changesOf(service, call).length > 0),
	);
	const busy = workers.map((worker) => countOf(worker, 'started') - countOf(worker, 'finished'));
	assertHolds(!busy.includes(0), `The workers run ${busy.join(' and ')} executions.`);
	const killedAtMs = Date.now();
	await killAndRestart(environment, 0);

	const statuses = await Promise.all(sending);
	const failed = calls.filter((_, index) => statuses[index] !== 200);
	const answered = `${busy[0]} executions were on the killed worker, but n8n answered ${statuses.join(', ')}.`;
	assertHolds(failed.length === busy[0], answered);
	await checkReport(environment, failed.length);
	for (const call of failed) {
		const changes = changesOf(service, call);
		const late = changes.filter(({ atMs }) => atMs > killedAtMs + 1000).length;
		assertHolds(late === 0, `${late} requests of a failed run were sent by another worker.`);
		assertHolds(changes.length < 24, 'A failed run was through before the worker was killed.');
	}
	const again = await Promise.all(failed.map((call) => send(cluster, call)));
	const allWell = again.every((status) => status === 200);
	assertHolds(allWell, `Started again, the runs were answered ${again.join(', ')}.`);
	assertPlaced(service, calls);
}

async function killedAtNight(environment: Environment): Promise<void> {
	const { cluster, workers, service, files } = environment;
	const { rest, baseUrl } = cluster.main;
	service.reset();
	const folder = await Folder.beside(service, files);
	folder.lay({ 'hours.md': 'hours 1', 'prices.md': 'prices 1' });
	const workflowId = await rest.createWorkflow(nightlyWorkflow(files, 'night'));
	await rest.activate(workflowId);
	await fireNight(baseUrl, 'night');
	folder.assertInStep();

	folder.lay({ 'prices.md': 'prices 2' }, hoursAgo(0));
	service.script({ for: { operation: 'remove' }, latencyMs: 600_000 });
	const night = fireNight(baseUrl, 'night');
	await until('the old version is to be taken out', 30_000, () =>
		service.log.some(({ operation }) => operation === 'remove'),
	);
	const busy = workers.map((worker) => countOf(worker, 'started') - countOf(worker, 'finished'));
	await killAndRestart(environment, busy.indexOf(1));
	const { status } = await night;
	assertHolds(status === 500, `The worker of ${busy.join()} is gone, and n8n answered ${status}.`);
	folder.assertInStep({ 'prices.md': ['prices 1', 'prices 2'] });

	service.clearLog();
	await fireNight(baseUrl, 'night');
	const [last] = await rest.executions(workflowId);
	const execution = await rest.untilEnded(last?.id ?? 'none');
	const [hours, prices] = execution.items(SYNC_FILES).map(({ json }) => json);
	const words = JSON.stringify([hours, prices]);
	assertHolds(hours?.action === 'unchanged', words);
	assertHolds(textAt(prices?.error, 'message').includes('2 files named "prices.md"'), words);
	assertSame(folder.sent(), {}, 'It sent');
	folder.assertInStep({ 'prices.md': ['prices 1', 'prices 2'] });
}

async function calledAtNight({ cluster, service, files }: Environment): Promise<void> {
	const { rest, baseUrl } = cluster.main;
	service.reset();
	const folder = await Folder.beside(service, files);
	const called = await rest.createWorkflow(calledWorkflow(files));
	await rest.activate(called);
	await rest.activate(await rest.createWorkflow(callingWorkflow('called', called)));
	// As of today, so that no date says that nothing has changed.
	const lay = (changed: Record<string, string | null>) => folder.lay(changed, hoursAgo(0));
	lay({ 'hours.md': 'hours 1', 'menu.md': 'menu 1', 'prices.md': 'prices 1' });
	const nights: Array<[Record<string, string | null>, Sends, Record<string, string[]>?]> = [
		[{}, { initiate: 3, upload: 3, add: 3 }],
		[{}, {}],
		[{ 'menu.md': null }, {}, { 'menu.md': ['menu 1'] }],
		[{}, { remove: 1 }],
	];
	for (const [change, sends, agentHas] of nights) {
		lay(change);
		service.clearLog();
		const { status } = await fireNight(baseUrl, 'called');
		assertHolds(status === 200, `n8n answered ${status}.`);
		assertSame(folder.sent(), sends, 'It sent');
		folder.assertInStep(agentHas);
	}
}

async function onlyThisFolder({ cluster, service, files }: Environment): Promise<void> {
	const { rest, baseUrl } = cluster.main;
	service.reset();
	const folder = await Folder.beside(service, files);
	const options = { onlyThisFolder: true };
	await rest.activate(await rest.createWorkflow(nightlyWorkflow(files, 'only', options)));
	const names = () => {
		const held = service.files(AGENT, 'uploads');
		const records = service.records().filter(({ uniqueId }) => held.includes(uniqueId));
		return records.map(({ sourceName }) => sourceName).sort();
	};
	const first = { 'hours.md': 'hours 1', 'menu.md': 'menu 1', 'prices.md': 'prices 1' };
	for (const [change, sends, wanted] of [
		[first, { initiate: 3, upload: 3, add: 3, remove: 1 }, Object.keys(first)],
		[{}, {}, Object.keys(first)],
		[{ 'menu.md': null }, { remove: 1 }, ['hours.md', 'prices.md']],
		[{}, {}, ['hours.md', 'prices.md']],
	] as const) {
		folder.lay(change);
		service.clearLog();
		const { status } = await fireNight(baseUrl, 'only');
		assertHolds(status === 200, `n8n answered ${status}.`);
		assertSame(folder.sent(), sends, 'It sent');
		assertSame(names(), wanted, 'The agent has');
	}
	// The three that were sent, and the one that was there: none is deleted.
	assertSame(service.records().length, 4, 'The number of uploads in CometChat is');
}

async function killAndRestart({ cluster, workers }: Environment, index: number): Promise<void> {
	await workers[index]?.kill();
	// As a supervisor would.
	workers[index] = await cluster.startWorker(WORKERS[index] ?? '');
}

/** docs/behaviour.md tells what the list of executions shows, and that Retry there has nothing to send. */
async function checkReport(
	{ cluster, service, workflowId }: Environment,
	failed: number,
): Promise<void> {
	const { rest } = cluster.main;
	const newest = (await rest.executions(workflowId)).slice(0, 8);
	const executions = await Promise.all(newest.map(({ id }) => rest.getExecution(id)));
	const states = executions.map(({ status, error }) => `${status} (${error})`).join(', ');
	const lost = executions.filter(({ status }) => status !== 'success');
	const areGivenUp = lost.every(
		({ status, error }) => status === 'error' && error.startsWith(GIVEN_UP),
	);
	const [given] = lost;
	assertHolds(
		given !== undefined && lost.length === failed && areGivenUp,
		`n8n files the executions as ${states}.`,
	);
	const before = service.requests().length;
	// Not waited for: n8n now and then never answers this, though the execution has ended.
	rest.retryExecution(given.id).catch(() => undefined);
	await until("n8n's Retry has ended", 60_000, async () => {
		const [last] = await rest.executions(workflowId);
		return last !== undefined && last.id !== newest[0]?.id && !isUnderWay(last);
	});
	assertHolds(service.requests().length === before, "n8n's Retry has sent something.");
}

/** One call of the workflow `queue.json`: an item for each entry. */
interface Call {
	entries: Array<{ agent: string; add: string[]; remove: string[] }>;
}

/** Calls whose file IDs all differ. Each entry adds three files and then removes one of them. */
function makeCalls(
	service: Service,
	name: string,
	count: number,
	entriesEach: number,
	mostAgents = Infinity,
): Call[] {
	const agents = service.agents().slice(0, mostAgents);
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

/** Every agent holds exactly what these calls leave there. */
function assertPlaced(service: Service, calls: Call[]): void {
	const entries = calls.flatMap((call) => call.entries);
	for (const { uid } of service.agents()) {
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
