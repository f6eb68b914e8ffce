import assert from 'node:assert/strict';
import crc32 from 'crc-32';
import { startService } from '../../service/service.js';
import { accountFor, KEYS } from '../account.mjs';
import { assertSucceeded } from '../expectation.mjs';
import { at } from '../fields.mjs';
import type { Prove } from '../prove.mjs';
import { heldBytes, recordedOf } from '../recorded.mjs';
import { until } from '../until.mjs';
import { withStarted } from '../withStarted.mjs';
import type { Environment } from './environment.mjs';
import { documentBytes } from './files.mjs';

const MEGABYTE = 1_000_000;

/** The limit for the growth of the process with 50 MB compared to 1 MB: parts of the file, and garbage. */
const MOST_RISE = 25 * MEGABYTE;
const MOST_ROUNDS = 8;

/** As in the workflow `many-items`. */
const ITEMS = 10_000;
const AGENTS = 50;
/** The items at which the memory is measured. */
const LOOKS = [4000, 9000] as const;
/** A node that keeps each request and response would need 13 KB. n8n itself keeps the result of an item. */
const MOST_BYTES_A_REQUEST = 5000;

export async function proveMemory(prove: Prove, environment: Environment): Promise<void> {
	await prove("a file of 50 MB is streamed: n8n's process grows by less than half of that", () =>
		assertStreamed(environment),
	);
	await prove(`${ITEMS} items each keep their link, and no request stays in memory`, () =>
		assertLevel(environment),
	);
}

async function assertStreamed({ n8n, service, reset, importWorkflow }: Environment): Promise<void> {
	const riseOf = async (bytes: number) => {
		reset();
		const id = await importWorkflow('upload-large-file', { '1000000': String(bytes) });
		const { peakBytes, startBytes } = await recordedOf(n8n, () => n8n.rest.run(id));
		let checksum = 0;
		for (const piece of documentBytes('handbook.pdf', bytes)) checksum = crc32.buf(piece, checksum);
		const [newest] = service.records();
		assert.deepEqual(service.stored(newest?.uniqueId ?? 'none'), { bytes, checksum });
		return peakBytes - startBytes;
	};
	// The first execution needs more memory than later ones.
	await riseOf(MEGABYTE);
	const small = await riseOf(MEGABYTE);
	// A busy machine may not have collected all garbage, so the lowest of several values counts.
	let large = Infinity;
	for (let round = 0; round < MOST_ROUNDS && large - small >= MOST_RISE; round++) {
		large = Math.min(large, await riseOf(50 * MEGABYTE));
	}
	assert.ok(large - small < MOST_RISE, `It rises by ${large} bytes, for 1 MB by ${small}.`);
}

async function assertLevel({ n8n, importWorkflow }: Environment): Promise<void> {
	await withStarted(async (start) => {
		const service = await start(startService({ ...KEYS, agents: AGENTS }));
		await n8n.rest.createCredential(accountFor(service, 'Items account'));
		const id = await n8n.rest.start(await importWorkflow('many-items'));
		const held: number[] = [];
		for (const look of LOOKS) {
			await until(`${look} requests`, 300_000, () => service.requests().length >= look);
			held.push(await heldBytes(n8n));
		}
		const execution = await n8n.rest.untilEnded(id);
		assertSucceeded(execution);
		const links = execution.items('Add Files').map(({ json, pairedItem }) => {
			return `${String(at(pairedItem, 'item'))} ${String(at(json, 'uniqueIds'))}`;
		});
		assert.equal(links.length, ITEMS);
		links.forEach((link, index) => assert.equal(link, `${index} file-${index}`));
		const [first = 0, second = Infinity] = held;
		const each = (second - first) / (LOOKS[1] - LOOKS[0]);
		assert.ok(each < MOST_BYTES_A_REQUEST, `It grows by ${each} bytes a request.`);
	});
}
