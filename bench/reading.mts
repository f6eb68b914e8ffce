import { randomUUID } from 'node:crypto';
import { rm, cp, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readJson, type Fields } from '../test/n8n/fields.mjs';
import { REAL_N8N } from '../test/n8n/install.mjs';
import { startN8n, type RunningN8n } from '../test/n8n/server.mjs';
import { until } from '../test/n8n/until.mjs';
import { withStarted } from '../test/n8n/withStarted.mjs';
import { readsFiles, WARM_UP_ITEMS, WARM_UP_UPLOADS } from './cases.mjs';
import type { BenchCase, SyncTask } from './cases.mjs';
import { MEASURED, type Credentials } from './nodes.mjs';
import { environmentOf, type Prepared } from './prepared.mjs';
import type { Recorded } from './recorded.mjs';
import { startStandIn, type StandIn } from './standIn.mjs';
import { syncWorkflow, withNote } from './sync.mjs';
import { fileNames, layFiles, SOURCE, uploadWorkflow } from './uploads.mjs';
import { benchWorkflow, type Contestant } from './workflow.mjs';

/** One run of one contestant. The medians in the table are over these. */
export interface Reading {
	/** The name of the case. */
	case: string;
	/** From 1. The readings of a pair were taken one after the other. */
	pair: number;
	node: Contestant | 'axios';
	/**
	 * A node's own time, as n8n records it; the time of the loop for axios. Of uploads the time of the
	 * whole execution until n8n has saved it, because the HTTP Request node does them in several
	 * steps, without `sourceSeconds`.
	 */
	seconds: number;
	/** The part of that of the node that is measured. */
	ownSeconds?: number;
	/** The time of the node that reads the files from disk, which is neither's work. */
	sourceSeconds?: number;
	/** Memory that the process had in use right before the run (resident). */
	startBytes: number;
	/** The most that it had in use during the run. */
	peakBytes: number;
	/** Requests that arrived, those refused because of a rate limit included. */
	requests: number;
	appliedRequests: number;
	/** The most requests that were under way at the same time. */
	mostAtOnce: number;
	/** The most uploads of a file's bytes that were under way at the same time. */
	mostUploadsAtOnce?: number;
	/** Uploads that were indexed when the run had ended. */
	indexed?: number;
	/** Items that the node put out. */
	items: number;
	failedItems: number;
	/** What is not as it should be; such a reading counts in no median. */
	mismatch?: string;
}

/** What a reading must come to. */
export interface Expected {
	items: number;
	/** That are applied; left out: any number, where files that are ready at the same time share one. */
	requests?: number;
	/** That arrive; left out: any number. */
	arrived?: number;
	/** Failed items. */
	failed: number;
	/** Uploads. */
	indexed?: number;
	/** How many uploads must have been under way at once, at least; left out: none. */
	uploadsAtOnce?: number;
}

/** Emptied and filled again for each reading. */
export const USER_FOLDER = join(REAL_N8N, 'bench/run');
const RECORD = join(USER_FOLDER, 'recorded.json');
export const LONGEST_RUN_MS = 3_600_000;

/**
 * One reading in a fresh n8n: a copy of the prepared user folder, a run of the same workflow with a
 * few items to warm up, then the run that counts.
 */
export async function readInN8n(
	contestant: Contestant,
	benchCase: BenchCase,
	pair: number,
	prepared: Prepared,
): Promise<Reading> {
	await rm(USER_FOLDER, { recursive: true, force: true });
	await cp(prepared.userFolder, USER_FOLDER, { recursive: true, verbatimSymlinks: true });
	return await withStarted(async (start) => {
		const service = await start(startStandIn(benchCase));
		const env = {
			...environmentOf(benchCase),
			BENCH_NODE: MEASURED,
			BENCH_SOURCE: SOURCE,
			BENCH_RECORD: RECORD,
		};
		const n8n = await start(startN8n({ userFolder: USER_FOLDER, env }));
		const credentials = await prepared.addCredentials(n8n.rest, service.baseUrl);
		const place: Place = { n8n, service, credentials };
		const isOfFiles = readsFiles(benchCase);
		const warmUp = isOfFiles ? WARM_UP_UPLOADS : WARM_UP_ITEMS;
		await run(n8n, await laidOut(contestant, { ...benchCase, items: warmUp }, place));
		const measured = await laidOut(contestant, benchCase, place);
		await service.reset();
		const recorded = await run(n8n, measured);
		const counts = await service.counts();
		const [stored] = await n8n.rest.executions(measured);
		const { startBytes, peakBytes, items, failedItems } = recorded;
		const reading: Reading = {
			case: benchCase.name,
			pair,
			node: contestant,
			...(isOfFiles
				? {
						seconds: (recorded.wholeTimeMs - recorded.sourceTimeMs) / 1000,
						ownSeconds: recorded.executionTimeMs / 1000,
						sourceSeconds: recorded.sourceTimeMs / 1000,
						mostUploadsAtOnce: counts.mostUploadsAtOnce,
						indexed: counts.indexed,
					}
				: { seconds: recorded.executionTimeMs / 1000 }),
			startBytes,
			peakBytes,
			requests: counts.arrived,
			appliedRequests: counts.applied,
			mostAtOnce: counts.mostAtOnce,
			items,
			failedItems,
		};
		const wrong = [
			recorded.status === 'success' ? undefined : `n8n: ${recorded.status}, ${recorded.error}`,
			!isOfFiles || stored?.status === 'success'
				? undefined
				: `n8n has not saved it: ${stored?.status}`,
			mismatch(reading, expectedOf(contestant, benchCase)),
		].filter((part) => part !== undefined);
		return { ...reading, mismatch: wrong.length > 0 ? wrong.join('; ') : undefined };
	});
}

/** Where a workflow runs. */
interface Place {
	n8n: RunningN8n;
	service: StandIn;
	credentials: Credentials;
}

/** Puts a contestant's workflow into n8n, with all that it finds there. @returns Its ID. */
async function laidOut(
	contestant: Contestant,
	benchCase: BenchCase,
	{ n8n, service, credentials }: Place,
): Promise<string> {
	const { items, upload, sync } = benchCase;
	const { baseUrl } = service;
	const { rest } = n8n;
	const task = sync ?? upload;
	if (task === undefined) {
		return await rest.createWorkflow(benchWorkflow(contestant, benchCase, baseUrl, credentials));
	}
	// What the agent has is in the folder, too.
	const stored = service.files.slice(0, items);
	const names = stored.length > 0 ? stored.map(({ sourceName }) => sourceName) : fileNames(items);
	const folder = await layFiles(USER_FOLDER, names, task);
	if (sync === undefined || contestant === 'httpRequest') {
		return await rest.createWorkflow(uploadWorkflow(contestant, folder, baseUrl, credentials));
	}
	const workflow = syncWorkflow(contestant, folder, credentials);
	return contestant === 'ours' && stored.length > 0
		? await importWorkflow(n8n, withNote(workflow, stored, sync, baseUrl))
		: await rest.createWorkflow(workflow);
}

/** With what its nodes have noted, which n8n takes from its command line only. @returns Its ID. */
async function importWorkflow(n8n: RunningN8n, workflow: Fields): Promise<string> {
	const file = join(USER_FOLDER, 'workflow.json');
	const id = randomUUID();
	await writeFile(file, JSON.stringify({ ...workflow, id, active: false }));
	await n8n.command('import:workflow', `--input=${file}`);
	return id;
}

async function run(n8n: RunningN8n, workflowId: string): Promise<Recorded> {
	await rm(RECORD, { force: true });
	await n8n.rest.start(workflowId);
	await until('n8n has recorded the run', LONGEST_RUN_MS, () => {
		if (!isAlive(n8n.pid)) throw new Error(`n8n has ended during the run; see ${n8n.logFile}.`);
		return existsSync(RECORD);
	});
	const recorded: unknown = readJson(RECORD);
	if (isRecorded(recorded)) return recorded;
	throw new Error(`n8n has recorded something else: ${JSON.stringify(recorded)}`);
}

function isRecorded(value: unknown): value is Recorded {
	return typeof value === 'object' && value !== null && 'executionTimeMs' in value;
}

export function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

function expectedOf(contestant: Contestant, benchCase: BenchCase): Expected {
	const { items, upload, sync, rateLimit, requests = items } = benchCase;
	if (sync !== undefined) return expectedOfSync(contestant, items, sync);
	// Room made for each file, and its bytes taken.
	if (upload !== undefined) return { items, requests: 2 * items, failed: 0, indexed: items };
	if (contestant === 'ours') return { items, requests, failed: 0 };
	// It does not send again what was refused.
	const allowed = Math.min(items, rateLimit?.requests ?? items);
	return { items, requests: allowed, failed: items - allowed };
}

function expectedOfSync(contestant: Contestant, items: number, { changed }: SyncTask): Expected {
	if (contestant === 'httpRequest') {
		return { items, requests: 2 * items, failed: 0, indexed: 2 * items };
	}
	// The agent alone is asked.
	const sent = changed === 0 ? { requests: 0, arrived: 1 } : { uploadsAtOnce: 2 };
	return { items, ...sent, failed: 0, indexed: items };
}

/** What differs, in words; undefined if nothing does. */
export function mismatch(reading: Reading, expected: Expected): string | undefined {
	const { items, requests, appliedRequests, failedItems, indexed, mostUploadsAtOnce = 0 } = reading;
	const found = [
		items === expected.items ? [] : `${items} items put out, not ${expected.items}`,
		expected.requests === undefined || appliedRequests === expected.requests
			? []
			: `${appliedRequests} requests applied (${requests} arrived), not ${expected.requests}`,
		expected.arrived === undefined || requests === expected.arrived
			? []
			: `${requests} requests arrived, not ${expected.arrived}`,
		mostUploadsAtOnce >= (expected.uploadsAtOnce ?? 0)
			? []
			: `${mostUploadsAtOnce} uploads at once, not ${expected.uploadsAtOnce} or more`,
		failedItems === expected.failed ? [] : `${failedItems} items failed, not ${expected.failed}`,
		indexed === expected.indexed ? [] : `${indexed} files indexed, not ${expected.indexed}`,
	].flat();
	return found.length > 0 ? found.join('; ') : undefined;
}
