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

/** One execution of a contestant. The table has the medians of these readings. */
export interface Reading {
	case: string;
	node: Contestant;
	/** The node's own time, as n8n records it; with files, the time of the execution without `sourceSeconds`. */
	seconds: number;
	/** The time of the node that reads the files from disk, which belongs to no contestant. */
	sourceSeconds?: number;
	/** The peak memory of n8n's process during the execution (resident), and its growth. */
	peakBytes: number;
	grownBytes: number;
	/** The number of requests that arrived, including those that the rate limit refused. */
	requests: number;
	failedItems: number;
	/** The longest time for which the node blocked n8n's process. */
	blockedMs: number;
}

/** The start of each reading: n8n's migrated user folder, with the package and an owner. */
const PREPARED = join(REAL_N8N, 'bench/prepared');
/** The user folder of a reading, which is emptied before. */
const USER_FOLDER = join(REAL_N8N, 'bench/run');
const LONGEST_RUN_MS = 3_600_000;

/** The settings for no stored executions: storing one would take longer than the node itself. */
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

/** The environment of a contestant. */
interface Stage {
	n8n: RunningN8n;
	place: Place;
	service: Service;
}

/** Makes a reading in a new n8n, after an execution that warms up. @throws If the result is not as expected. */
export async function read(node: Contestant, benchCase: BenchCase): Promise<Reading> {
	const { agents, latencyMs, rateLimit, files } = benchCase;
	await rm(USER_FOLDER, { recursive: true, force: true });
	await cp(PREPARED, USER_FOLDER, { recursive: true, verbatimSymlinks: true });
	return await withStarted(async (start) => {
		const counts = { arrived: 0, applied: 0 };
		const options: ServiceOptions = {
			...{ ...KEYS, agents, rateLimit },
			onEntry: ({ kind, applied }) => {
				if (kind === 'arrived') counts.arrived += 1;
				else if (applied) counts.applied += 1;
			},
		};
		const service = await start(startService(options));
		const env = {
			// With files, the whole execution is measured, so n8n stores it as it does for its users.
			...(files === undefined ? KEEP_NOTHING : {}),
			...INSIDE,
			N8N_LOG_LEVEL: 'error',
		};
		const n8n = await start(startN8n({ userFolder: USER_FOLDER, env }));
		const place = await placeAt(n8n, service.baseUrl);
		const begin = await warmedUp(node, benchCase, { n8n, place, service });
		Object.assign(counts, { arrived: 0, applied: 0 });
		// The service reads these with each response, so the execution that warms up needs no wait.
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

/** Imports a contestant's workflow into n8n and warms it up. Returns the start of the measured execution. */
async function warmedUp(node: Contestant, benchCase: BenchCase, { n8n, place, service }: Stage) {
	const { items, files } = benchCase;
	if (files?.task === 'sync' && node === 'ours') {
		const path = 'night';
		const folder = await layFiles(items, files);
		await n8n.rest.activate(await n8n.rest.createWorkflow(syncWorkflow(folder, path, place)));
		const night = async () => await fireNight(n8n.baseUrl, path);
		await recordedOf(n8n, night, LONGEST_RUN_MS);
		// The memory of the first night must not be measured in the second night.
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

/** Writes different files where n8n may read them, and returns their folder. @param over Another version's folder. */
async function layFiles(count: number, { bytesEach }: Files, over?: string): Promise<string> {
	const folder = over ?? join(USER_FOLDER, '.n8n-files', String(count));
	await mkdir(folder, { recursive: true });
	for (let number = 1; number <= count; number++) {
		const name = `document-${String(number).padStart(5, '0')}.pdf`;
		await writeFile(join(folder, name), documentBytes(`${name} ${over ?? ''}`, bytesEach));
	}
	return folder;
}

function expectedOf(node: Contestant, { items, files, rateLimit, requests = items }: BenchCase) {
	const done = { status: 'success', error: undefined, items, failed: 0 };
	if (files === undefined) {
		if (node === 'ours') return { ...done, applied: requests };
		// The HTTP Request node does not repeat refused requests.
		const applied = Math.min(items, rateLimit?.requests ?? items);
		return { ...done, applied, failed: items - applied };
	}
	// Two requests for each file: the upload URL and the bytes.
	if (files.task === 'upload' || node === 'httpRequest') {
		return { ...done, applied: 2 * items, indexed: items };
	}
	return { ...done, indexed: items, ...(files.changed === undefined ? { applied: 0 } : {}) };
}
