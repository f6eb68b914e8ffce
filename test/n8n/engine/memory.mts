import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import crc32 from 'crc-32';
import { startService } from '../../service/service.js';
import { accountFor, KEYS } from '../account.mjs';
import { assertSucceeded } from '../expectation.mjs';
import { at, listAt, textAt } from '../fields.mjs';
import { residentBytes, resetPeak } from '../memory.mts';
import { assertHolds, type Prove } from '../prove.mjs';
import { until } from '../until.mjs';
import { withStarted } from '../withStarted.mjs';
import type { Environment } from './environment.mjs';
import { documentBytes } from './files.mjs';

const MEGABYTE = 1_000_000;
const inMegabytes = (bytes: number) => `${(bytes / MEGABYTE).toFixed(1)} MB`;

/** How far the process may rise for 50 MB above what it rises for 1 MB: pieces, and garbage of them. */
const MOST_RISE = 25 * MEGABYTE;
const MOST_ROUNDS = 8;

/** As in the workflow `many-items`, which has 50 requests under way at once. */
const ITEMS = 10_000;
const AGENTS = 50;

/** Where the run is looked at. What becomes of an item takes about 2 KB; n8n holds it to the end. */
const FIRST_LOOK = 4000;
const SECOND_LOOK = 9000;
const MOST_BYTES_A_REQUEST = 5000;

/** What n8n's process holds of what goes through the node. */
export async function proveMemory(prove: Prove, environment: Environment): Promise<void> {
	await prove(
		"a file of 50 MB is streamed: n8n's process grows by less than half of that",
		async () => await assertStreamed(environment),
	);
	await prove(
		`${ITEMS} items each keep their link, and memory does not grow with the requests`,
		async () => await assertLevel(environment),
	);
}

async function assertStreamed({ n8n, service, reset, run }: Environment): Promise<void> {
	const riseOf = async (bytes: number) => {
		reset();
		resetPeak(n8n.pid);
		const before = residentBytes(n8n.pid, 'now');
		const execution = await run('upload-large-file', { '1000000': String(bytes) });
		assertSucceeded(execution);
		const [item] = execution.items('Upload Files');
		const [upload] = listAt(item?.json, 'uploads');
		const stored = service.stored(textAt(upload, 'uniqueId'));
		const checksum = [...documentBytes('handbook.pdf', bytes)].reduce(
			(sum, piece) => crc32.buf(piece, sum),
			0,
		);
		const words = `Uploaded: ${JSON.stringify(upload)}`;
		assertHolds(isDeepStrictEqual(stored, { bytes, checksum }), words);
		return residentBytes(n8n.pid, 'at most') - before;
	};
	// The first run of a path costs what no later one does.
	await riseOf(MEGABYTE);
	const small = await riseOf(MEGABYTE);
	// What a busy machine has not collected yet comes on top; a file that is held whole is there each time.
	let large = Infinity;
	for (let round = 0; round < MOST_ROUNDS && large - small >= MOST_RISE; round++) {
		large = Math.min(large, await riseOf(50 * MEGABYTE));
	}
	const words = `It rises by ${inMegabytes(large)}, for 1 MB by ${inMegabytes(small)}.`;
	assertHolds(large - small < MOST_RISE, words);
}

async function assertLevel({ n8n, userFolder, importWorkflow }: Environment): Promise<void> {
	await withStarted(async (start) => {
		const service = await start(startService({ ...KEYS, agents: AGENTS }));
		await n8n.rest.createCredential(accountFor(service, 'Items account'));
		const id = await n8n.rest.start(await importWorkflow('many-items'));
		const held = async (requests: number) => {
			await until(`${requests} requests`, 300_000, () => service.requests().length >= requests);
			return await heldBytes(n8n.pid, userFolder);
		};
		const first = await held(FIRST_LOOK);
		const grown = (await held(SECOND_LOOK)) - first;
		const execution = await n8n.rest.untilEnded(id);
		assertSucceeded(execution);
		const links = execution.items('Add Files').map(({ json, pairedItem }) => {
			return `${String(at(pairedItem, 'item'))} ${String(at(json, 'uniqueIds'))}`;
		});
		const expected = Array.from({ length: ITEMS }, (_, index) => `${index} file-${index}`);
		assertHolds(isDeepStrictEqual(links, expected), `Not each has its link: ${links.slice(0, 5)}`);
		const files = service.agents().map(({ uid }) => service.files(uid, 'uploads').length);
		assertHolds(new Set(files).size === 1, `The agents hold ${files.join()}.`);
		const each = grown / (SECOND_LOOK - FIRST_LOOK);
		assertHolds(each < MOST_BYTES_A_REQUEST, `It grows by ${Math.round(each)} bytes a request.`);
	});
}

/** What n8n's process holds without its garbage; see `garbage.mts`. */
async function heldBytes(pid: number, userFolder: string): Promise<number> {
	const file = join(userFolder, 'held');
	rmSync(file, { force: true });
	process.kill(pid, 'SIGUSR2');
	await until('garbage is collected', 60_000, () => existsSync(file));
	return Number(readFileSync(file, 'utf8'));
}
