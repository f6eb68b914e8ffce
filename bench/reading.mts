import assert from 'node:assert/strict';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startService, type Service, type ServiceOptions } from '../test/service/service.js';
import { accountFor, KEYS } from '../test/n8n/account.mjs';
import { documentBytes } from '../test/n8n/engine/files.mjs';
import { REAL_N8N } from '../test/n8n/install.mjs';
import { fireNight } from '../test/n8n/nights/nights.mjs';
import { showProgress } from '../test/n8n/progress.mjs';
import { INSIDE, recordedOf } from '../test/n8n/recorded.mjs';
import { startN8n, type RunningN8n } from '../test/n8n/server.mjs';
import { withStarted } from '../test/n8n/withStarted.mjs';
import {
	INDEXING_MS,
	WARM_UP_ITEMS,
	WARM_UP_UPLOADS,
	type BenchCase,
	type Files,
} from './cases.mjs';
import { addWorkflow, MEASURED, SOURCE, syncWorkflow, uploadWorkflow } from './workflows.mjs';
import type { Contestant, Place } from './workflows.mjs';

/** One run of one contestant. The medians in the table are over these. */
export interface Reading {
	/** The name of the case. */
	case: string;
	node: Contestant;
	/**
	 * A node's own time, as n8n records it. Of files the time of the whole execution until n8n has saved
	 * it, because the HTTP Request node uploads in several steps, without `sourceSeconds`.
	 */
	seconds: number;
	/** The time of the node that reads the files from disk, which is neither's work. */
	sourceSeconds?: number;
	/** The most memory that n8n's process had in use during the run (resident), and how much that is above what it had before. */
	peakBytes: number;
	grownBytes: number;
	/** Requests that arrived, those refused because of a rate limit included. */
	requests: number;
	failedItems: number;
	/** The longest time that n8n's process could do nothing else while the node ran. */
	blockedMs: number;
}

/** What every reading starts from: n8n's user folder, migrated, with the package and an owner. */
const PREPARED = join(REAL_N8N, 'bench/prepared');
/** Emptied and filled again for each reading. */
const USER_FOLDER = join(REAL_N8N, 'bench/run');
const LONGEST_RUN_MS = 3_600_000;

/** n8n keeps nothing of an execution: storing it would take longer than the node itself. */
const KEEP_NOTHING: NodeJS.ProcessEnv = {
	EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'none',
	EXECUTIONS_DATA_SAVE_ON_ERROR: 'none',
	EXECUTIONS_DATA_SAVE_MANUAL_EXECUTIONS: 'false',
	EXECUTIONS_DATA_SAVE_ON_PROGRESS: 'false',
};

export async function prepareUserFolder(tarball: string): Promise<void> {
	await rm(PREPARED, { recursive: true, force: true });
	await showProgress('Preparing an n8n with the node installed', async () => {
		const n8n = await startN8n({ userFolder: PREPARED, tarball });
		await n8n.stop();
	});
}

/** What a contestant works with. */
interface Stage {
	n8n: RunningN8n;
	place: Place;
	service: Service;
}

/**
 * One reading in a fresh n8n: a copy of the prepared user folder, a run that warms up, then the run that
 * counts. One that is not as it should be is an error.
 */
export async function read(node: Contestant, benchCase: BenchCase): Promise<Reading> {
	const { agents, latencyMs, rateLimit, files } = benchCase;
	await rm(USER_FOLDER, { recursive: true, force: true });
	await cp(PREPARED, USER_FOLDER, { recursive: true, verbatimSymlinks: true });
	return await withStarted(async (start) => {
		const counts = { arrived: 0, applied: 0 };
		const options: ServiceOptions = {
			...{ ...KEYS, agents, rateLimit, keepLog: false },
			onEntry: ({ kind, applied }) => {
				if (kind === 'arrived') counts.arrived += 1;
				else if (applied) counts.applied += 1;
			},
		};
		const service = await start(startService(options));
		const env = {
			// Where the whole execution counts, n8n keeps it as it does for its users.
			...(files === undefined ? KEEP_NOTHING : {}),
			...INSIDE,
			N8N_LOG_LEVEL: 'error',
		};
		const n8n = await start(startN8n({ userFolder: USER_FOLDER, env }));
		const place = await placeAt(n8n, service.baseUrl);
		const begin = await warmedUp(node, benchCase, { n8n, place, service });
		Object.assign(counts, { arrived: 0, applied: 0 });
		// The service looks at them with each answer; what only warms up need not wait.
		Object.assign(options, { latencyMs, indexing: { ms: INDEXING_MS } });
		const recorded = await recordedOf(n8n, begin, LONGEST_RUN_MS);
		const { status, error, startBytes, peakBytes, wholeMs, nodes } = recorded;
		const { ms = 0, items = 0, failed = 0, blockedMs = 0 } = nodes[MEASURED] ?? {};
		const sourceMs = nodes[SOURCE]?.ms;
		const indexed = service.records().filter((record) => record.status === 'indexed').length;
		const found = { status, error, items, failed, applied: counts.applied, indexed };
		assert.deepEqual(found, { ...found, ...expectedOf(node, benchCase) });
		return {
			...{ case: benchCase.name, node, peakBytes, grownBytes: peakBytes - startBytes },
			seconds: (sourceMs === undefined ? ms : wholeMs - sourceMs) / 1000,
			sourceSeconds: sourceMs === undefined ? undefined : sourceMs / 1000,
			requests: counts.arrived,
			failedItems: failed,
			blockedMs,
		};
	});
}

async function placeAt({ rest }: RunningN8n, baseUrl: string): Promise<Place> {
	return {
		baseUrl,
		cometChatApi: await rest.createCredential(accountFor({ baseUrl })),
		httpHeaderAuth: await rest.createCredential({
			name: 'Header Auth account',
			type: 'httpHeaderAuth',
			data: { name: 'apikey', value: KEYS.apiKey },
		}),
	};
}

/** Puts a contestant's workflow into n8n, with all that it finds there; returns what begins the run that counts. */
async function warmedUp(node: Contestant, benchCase: BenchCase, { n8n, place, service }: Stage) {
	const { items, files } = benchCase;
	if (files?.task === 'sync' && node === 'ours') {
		const path = 'night';
		const folder = await layFiles(items, files);
		await n8n.rest.activate(await n8n.rest.createWorkflow(syncWorkflow(folder, path, place)));
		const night = async () => await fireNight(n8n.baseUrl, path);
		await recordedOf(n8n, night, LONGEST_RUN_MS);
		// What the first night has left in n8n's memory is none of the second one's.
		await n8n.kill();
		await n8n.startAgain();
		await layFiles(files.changed ?? 0, files, folder);
		return night;
	}
	const laidOut = async (count: number) => {
		const workflow =
			files === undefined
				? addWorkflow(node, { ...benchCase, items: count }, place)
				: uploadWorkflow(node, await layFiles(count, files), place);
		const id = await n8n.rest.createWorkflow(workflow);
		return async () => await n8n.rest.start(id);
	};
	await recordedOf(n8n, await laidOut(files === undefined ? WARM_UP_ITEMS : WARM_UP_UPLOADS));
	service.reset();
	return await laidOut(items);
}

/**
 * Lays files, all of them different, where n8n may read them; returns their folder.
 *
 * @param over The folder that has them in another version.
 */
async function layFiles(count: number, { bytesEach }: Files, over?: string): Promise<string> {
	const folder = over ?? join(USER_FOLDER, '.n8n-files', String(count));
	await mkdir(folder, { recursive: true });
	for (let number = 1; number <= count; number++) {
		const name = `document-${String(number).padStart(5, '0')}.pdf`;
		await writeFile(join(folder, name), documentBytes(`${name} ${over ?? ''}`, bytesEach));
	}
	return folder;
}

/** What is known before of a reading that counts. */
function expectedOf(node: Contestant, { items, files, rateLimit, requests = items }: BenchCase) {
	const done = { status: 'success', error: undefined, items, failed: 0 };
	if (files === undefined) {
		if (node === 'ours') return { ...done, applied: requests };
		// It does not send again what was refused.
		const applied = Math.min(items, rateLimit?.requests ?? items);
		return { ...done, applied, failed: items - applied };
	}
	// Room made for each file, and its bytes taken.
	if (files.task === 'upload' || node === 'httpRequest') {
		return { ...done, applied: 2 * items, indexed: items };
	}
	return { ...done, indexed: items, ...(files.changed === undefined ? { applied: 0 } : {}) };
}
