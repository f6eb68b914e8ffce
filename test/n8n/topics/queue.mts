import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService, type LogEntry, type Service } from '../../service/service.js';
import { accountFor, KEYS } from '../account.mjs';
import { REAL_N8N } from '../install.mjs';
import { fireNight } from '../nights/nights.mjs';
import { startPostgres, type Database } from '../postgres.mjs';
import { showProgress } from '../progress.mjs';
import { NO_REUSE } from '../rest.mjs';
import type { Topic } from '../prove.mjs';
import { textAt } from '../fields.mjs';
import { startN8n, startWorker, type RunningN8n, type RunningProcess } from '../server.mjs';
import { startRedis } from '../redis.mjs';
import { until } from '../until.mjs';
import { withStarted, type Start } from '../withStarted.mjs';
import { chosen, readExample, readWorkflow, startedByCall } from '../workflows.mjs';

const FOLDER = join(REAL_N8N, 'queue');
const WORKERS = ['worker-1', 'worker-2'];
/** n8n's message for an execution of a worker that was killed. */
const GIVEN_UP = 'This execution failed to be processed too many times and will no longer retry.';
/** The number of executions that run when the worker is killed. */
const CALLS = 8;

/** Settings with which n8n notices a killed worker soon, but doesn't give up a worker on a busy machine. */
const NOTICE = {
	QUEUE_WORKER_LOCK_DURATION: '30000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '3000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
};

interface Environment {
	/** The n8n that receives calls and shows the editor. */
	main: RunningN8n;
	/** The workers, each with its own installation of the node. */
	workers: RunningProcess[];
	service: Service;
	workflowId: string;
}

/** Proves n8n's queue mode with two workers. All parts are started and stopped here. */
export const queue: Topic = {
	name: 'queue',
	async proveAll(prove, { tarball }) {
		rmSync(FOLDER, { recursive: true, force: true });
		await withStarted(async (start) => {
			const service = await start(startService(KEYS));
			const { main, workers, database } = await showProgress(
				'Starting Redis, PostgreSQL, n8n, workers',
				() => startCluster(start, tarball),
			);
			const workflowId = await connect(main, service);
			const environment = { main, workers, service, workflowId };
			await prove(
				'100 executions at once, on two workers with the node installed on each, put every file where it belongs',
				async () => await manyAtOnce(environment),
			);
			await prove(
				'a worker killed in the middle of its runs: n8n reports each as failed and sends nothing again by itself, and starting them again leaves every knowledge base as it should be',
				async () => await killed(environment),
			);
			service.reset();
			await prove(
				'the pair of workflows in examples/ keeps its record: unchanged, replaced, missing, and an hour later removed',
				async () => await nightsOfPair(environment, database),
			);
			await prove(
				'without the pair, n8n keeps no record: the message says so and names the sub-workflow',
				async () => await nightsWithoutPair(environment),
			);
		});
	},
};

async function startCluster(start: Start, tarball: string) {
	const redis = await start(startRedis(join(FOLDER, 'redis')));
	const postgres = await start(startPostgres(join(FOLDER, 'postgres')));
	const env = {
		...{ ...redis.env, ...postgres.env, ...NOTICE },
		EXECUTIONS_MODE: 'queue',
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		// The key with which all of them read the same credentials.
		N8N_ENCRYPTION_KEY: randomUUID(),
	};
	const options = (name: string) => ({ userFolder: join(FOLDER, name), tarball, env });
	const main = await start(startN8n(options('main')));
	const starting = WORKERS.map(async (name) => await start(startWorker(options(name))));
	return { main, workers: await Promise.all(starting), database: postgres };
}

async function connect(main: RunningN8n, service: Service): Promise<string> {
	const { rest } = main;
	await rest.createCredential(accountFor(service));
	const workflowId = await rest.createWorkflow(readWorkflow('queue'));
	await rest.activate(workflowId);
	const [first] = makeCalls(service, 'first', 1, 1);
	await until('the webhook is there', 60_000, async () => (await send(main, first)) !== 404);
	return workflowId;
}

async function manyAtOnce({ main, workers, service, workflowId }: Environment): Promise<void> {
	service.reset();
	const before = workers.map((worker) => countOf(worker, 'started'));
	const calls = makeCalls(service, 'many', 100, 3);
	const statuses = await Promise.all(calls.map((call) => send(main, call)));
	assert.deepEqual(new Set(statuses), new Set([200]));
	assertPlaced(service, calls);
	// One request per item and node.
	assert.equal(service.requests().length, 600);
	const shares = workers.map((worker, index) => countOf(worker, 'started') - (before[index] ?? 0));
	const ran = `The workers ran ${shares.join(' and ')} executions.`;
	assert.ok(shares[0] !== 0 && shares[1] !== 0, ran);
	assert.equal((shares[0] ?? 0) + (shares[1] ?? 0), 100, ran);
	assert.equal((await main.rest.newest(workflowId)).status, 'success');
}

async function killed(environment: Environment): Promise<void> {
	const { main, workers, service } = environment;
	service.reset();
	// Eight requests one after another for each agent, so that no execution ends before the worker is killed.
	service.script({ times: Infinity, latencyMs: 3000 });
	const calls = makeCalls(service, 'slow', CALLS, 12);
	const sending = calls.map(async (call) => await send(main, call));
	await until('each run has changed something', 60_000, () =>
		calls.every((call) => changesOf(service, call) > 0),
	);
	const runs = busyOf(workers);
	assert.ok(!runs.includes(0), `The workers run ${runs.join(' and ')} executions.`);
	await workers[0]?.kill();
	// After this time, requests that were being sent have arrived.
	await sleep(4000);
	const early = calls.map((call) => changesOf(service, call));
	service.clearScript();
	// Like a supervisor.
	await workers[0]?.startAgain();

	const statuses = await Promise.all(sending);
	const failed = calls.filter((_, at) => statuses[at] !== 200);
	assert.equal(failed.length, runs[0], `n8n answered ${statuses.join(', ')}.`);
	await checkReport(environment, failed.length);
	// No other worker continues them.
	for (const call of failed) {
		assert.equal(changesOf(service, call), early[calls.indexOf(call)]);
	}
	const again = await Promise.all(failed.map((call) => send(main, call)));
	assert.deepEqual(new Set(again), new Set([200]));
	assertPlaced(service, calls);
}

/** Asserts that n8n lists the executions of the killed worker as failed, and all others as successful. */
async function checkReport({ main, workflowId }: Environment, failed: number): Promise<void> {
	const { rest } = main;
	const newest = (await rest.executions(workflowId)).slice(0, CALLS);
	const executions = await Promise.all(newest.map(({ id }) => rest.untilEnded(id)));
	const said = executions.map(({ status, error }) => `${status} ${error}`).sort();
	assert.equal(said.filter((each) => each.startsWith(`error ${GIVEN_UP}`)).length, failed);
	assert.equal(said.filter((each) => each.startsWith('success')).length, CALLS - failed);
}

const HOUR_MS = 3_600_000;
const SYNC = 'Sync Folder or Table';

async function nightsOfPair({ main, service }: Environment, database: Database): Promise<void> {
	const { rest } = main;
	const row = (question: string, answer = 'one') => ({ question, answer });
	const rows = [row('a'), row('b'), row('c')];
	const table = await rest.createTable('Nights', ['question', 'answer'], rows);
	const inTable = chosen('dataTableId', table);
	const sync = await rest.createWorkflow(readExample('queue-mode-sync', ['support-bot'], inTable));
	await rest.activate(sync);
	const schedule = readExample('queue-mode-schedule', [], chosen('workflowId', sync));
	await rest.activate(await rest.createWorkflow(startedByCall(schedule, 'pair')));
	const night = async () => {
		await fireNight(main.baseUrl, 'pair');
		return textAt((await rest.newest(sync)).items(SYNC)[0]?.json, 'reason');
	};
	const names = () =>
		service
			.records()
			.map(({ sourceName }) => sourceName)
			.sort();
	assert.equal(await night(), 'Support Bot: 3 added.');
	assert.equal(await night(), 'Support Bot: 3 unchanged.');
	await rest.fillTable(table, [row('a', 'two'), row('b')]);
	assert.equal(await night(), 'Support Bot: 1 replaced, 1 unchanged, 1 missing.');
	assert.deepEqual(names(), ['a.txt', 'b.txt', 'c.txt']);
	const since = `"since":${Date.now() - HOUR_MS}`;
	const older = `regexp_replace("staticData"::text, '"since": ?[0-9]+', '${since}')::json`;
	await database.run(`UPDATE workflow_entity SET "staticData" = ${older} WHERE id = '${sync}'`);
	assert.equal(await night(), 'Support Bot: 2 unchanged, 1 removed.');
	assert.equal(service.files('support-bot', 'uploads').length, 2);
}

async function nightsWithoutPair({ main }: Environment): Promise<void> {
	const { rest } = main;
	const rows = [{ question: 'When are you open?', answer: 'From 9 to 5.' }];
	const table = await rest.createTable('Direct', ['question', 'answer'], rows);
	const inTable = chosen('dataTableId', table);
	const example = readExample('answer-from-a-faq-table', ['sales-assistant'], inTable);
	const workflow = await rest.createWorkflow(startedByCall(example, 'direct'));
	await rest.activate(workflow);
	const night = async () => {
		await fireNight(main.baseUrl, 'direct');
		return (await rest.newest(workflow)).items('Message').map(({ json }) => json.text);
	};
	assert.deepEqual(await night(), []);
	assert.deepEqual(await night(), [
		'Sales Assistant: 1 replaced. n8n kept no record of the last execution. In queue mode, put this node into a sub-workflow.',
	]);
}

/** A call of the workflow `queue.json`: an item for each entry. */
interface Call {
	entries: Array<{ agent: string; add: string[]; remove: string[] }>;
}

/** Makes calls with different file IDs. Each entry adds three files and then removes one of them. */
function makeCalls(service: Service, name: string, count: number, entriesEach: number): Call[] {
	const agents = service.agents();
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

/** Asserts that each agent uses exactly the documents that these calls leave. */
function assertPlaced(service: Service, calls: Call[]): void {
	const entries = calls.flatMap((call) => call.entries);
	for (const { uid } of service.agents()) {
		const wanted = entries
			.filter(({ agent }) => agent === uid)
			.flatMap(({ add, remove }) => add.filter((id) => !remove.includes(id)));
		const held = service.files(uid, 'uploads');
		assert.deepEqual(held.sort(), wanted.sort(), uid);
	}
}

/** Returns the number of a call's requests that the service has carried out. */
function changesOf(service: Service, call: Call): number {
	const ids = new Set(call.entries.flatMap(({ add }) => add));
	const isOfIt = ({ applied, uniqueIds = [] }: LogEntry) =>
		applied === true && uniqueIds.some((id) => ids.has(id));
	return service.log.filter(isOfIt).length;
}

function busyOf(workers: RunningProcess[]): number[] {
	return workers.map((worker) => countOf(worker, 'started') - countOf(worker, 'finished'));
}

function countOf({ logFile }: RunningProcess, what: 'started' | 'finished'): number {
	return readFileSync(logFile, 'utf8').split(`Worker ${what} execution`).length - 1;
}

async function send({ baseUrl }: RunningN8n, call: Call | undefined): Promise<number> {
	const response = await fetch(`${baseUrl}/webhook/replace-files`, {
		method: 'POST',
		headers: { 'Content-Type': 'application/json', ...NO_REUSE },
		body: JSON.stringify(call),
	});
	await response.text();
	return response.status;
}
