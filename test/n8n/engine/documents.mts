import { isDeepStrictEqual } from 'node:util';
import crc32 from 'crc-32';
import { startService, type RecordSeed, type Service } from '../../service/service.js';
import { accountFor, KEYS } from '../account.mjs';
import type { Execution } from '../execution.mjs';
import { assertSucceeded } from '../expectation.mjs';
import { listAt, textAt } from '../fields.mjs';
import { residentBytes, resetPeak } from '../memory.mts';
import { assertHolds, type Prove } from '../prove.mjs';
import { withStarted } from '../withStarted.mjs';
import type { Environment } from './environment.mjs';
import { documentBytes } from './files.mjs';

const MEGABYTE = 1_000_000;

/** How far the process may rise for 50 MB above what it rises for 1 MB: pieces, and garbage of them. */
const MOST_RISE = 25 * MEGABYTE;
const MOST_ROUNDS = 8;

/** Files as n8n keeps them, and the operations that no example uses. */
export async function proveDocuments(
	prove: Prove,
	{ n8n, service, reset, run }: Environment,
): Promise<void> {
	await prove(
		'Downloaded files: Upload Files waits until they are indexed, and Add Files takes its output as it is',
		async () => {
			reset();
			service.scriptIndexing({ times: 2, ms: 1500 });
			const execution = await run('upload-then-add');
			assertSucceeded(execution);
			const ids = assertUploaded(execution, service, [
				['price-list.pdf', 300_000],
				['faq.md', 1200],
			]);
			for (const uid of ['support-bot', 'sales-assistant']) {
				const held = service.files(uid, 'uploads');
				assertHolds(isDeepStrictEqual(held, ids), `${uid} holds ${held.join()}.`);
			}
			const indexedMs = Math.max(...service.records().map(({ lastSynced }) => lastSynced ?? 0));
			const addedMs = Math.min(...service.requests().map(({ atMs }) => atMs));
			assertHolds(addedMs >= indexedMs, `Added ${indexedMs - addedMs} ms before it was indexed.`);
		},
	);

	await prove(
		"A file of 50 MB, downloaded and uploaded: n8n's process grows by less than half of that",
		async () => {
			const riseOf = async (bytes: number) => {
				reset();
				resetPeak(n8n.pid);
				const before = residentBytes(n8n.pid, 'now');
				const execution = await run('upload-large-file', { '1000000': String(bytes) });
				assertSucceeded(execution);
				assertUploaded(execution, service, [['handbook.pdf', bytes]]);
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
			const inMegabytes = (bytes: number) => `${(bytes / MEGABYTE).toFixed(1)} MB`;
			const risen = `It rises by ${inMegabytes(large)}, for 1 MB by ${inMegabytes(small)}.`;
			console.log(`    (${risen})`);
			assertHolds(large - small < MOST_RISE, risen);
		},
	);

	await prove('Add Text: texts are written, indexed and added to the agent', async () => {
		reset();
		const execution = await run('add-texts');
		assertSucceeded(execution);
		const written = execution.items('Add Text').map(({ json }) => String(json.uniqueId));
		const held = service.files('support-bot', 'text');
		assertHolds(isDeepStrictEqual(held.sort(), written.sort()), `The agent holds ${held.join()}.`);
		const records = service.records().map(({ sourceName, status }) => `${sourceName}: ${status}`);
		assertHolds(
			records.sort().join() === 'Opening hours: indexed,Returns: indexed',
			`The service holds ${records.join()}.`,
		);
	});

	await prove(
		'A new agent gets a text, which is changed where it is; text, content, agent and what it knows are as CometChat has them',
		async () => {
			reset();
			const execution = await run('agent-and-text');
			assertSucceeded(execution);
			const told = (node: string) => Object(execution.items(node)[0]?.json);
			const { uid } = told('Create Agent');
			const { uniqueId } = told('Write Text');
			const changed = 'We are open from 8 to 6.';
			const found = [
				[told('Get Text').text, told('Get Content').text, service.text(uniqueId)],
				[told('Find Agents').uid, told('List Documents').uid, uid],
				[told('List Documents').uniqueId, service.files(uid, 'text').join(), uniqueId],
				[told('List Documents').name, 'Opening hours'],
			];
			const expected = [Array(3).fill(changed), Array(3).fill(uid), Array(3).fill(uniqueId)];
			const isAsTold = isDeepStrictEqual(found.slice(0, 3), expected);
			const [name, title] = found[3] ?? [];
			assertHolds(isAsTold && name === title, JSON.stringify(found));
			const { instruction } = Object(service.agents().find((agent) => agent.uid === uid));
			assertHolds(instruction === 'Answer briefly.', `The agent is told: ${instruction}`);
		},
	);

	await prove(
		'Get Many names the agents of each document, and finds those of one agent, of any, and of none',
		async () =>
			await withStarted(async (start) => {
				const shelf = await start(startService({ ...KEYS, records: SHELF }));
				await n8n.rest.createCredential(accountFor(shelf, 'Shelf account'));
				const execution = await run('documents-of-agents');
				assertSucceeded(execution);
				const told = (node: string) =>
					execution
						.items(node)
						.map(({ json: { name, agents, agentIds } }) =>
							[String(name), ...[agents ?? []].flat(), ...[agentIds ?? []].flat()].join(' '),
						);
				const found = ['All Documents', 'Of Support', 'Of Any Agent', 'Of No Agent'].map(told);
				const expected = [
					[
						'Prices.pdf Support Bot Sales Assistant support-bot sales-assistant',
						'FAQ.md Support Bot support-bot',
						'Old.txt',
					],
					['Prices.pdf', 'FAQ.md'],
					['Prices.pdf', 'FAQ.md'],
					['Old.txt'],
				];
				assertHolds(isDeepStrictEqual(found, expected), JSON.stringify(found));
				const isNobodys = execution.items('Of No Agent')[0]?.json.agents;
				assertHolds(isDeepStrictEqual(isNobodys, []), `It says: ${JSON.stringify(isNobodys)}`);
			}),
	);

	await prove(
		'Get Many Files finds all failed ones on several pages, Delete Files deletes them and no others, and Get Status does not find them any more',
		async () =>
			await withStarted(async (start) => {
				const library = await start(startService({ ...KEYS, records: LIBRARY }));
				await n8n.rest.createCredential(accountFor(library, 'Library account'));
				const before = library.records();
				const failed = before.filter(({ status }) => status === 'failed');
				const execution = await run('delete-files');
				assertSucceeded(execution);
				const deleted = execution.items('Delete Files').map(({ json }) => json);
				const expected = failed.map(({ uniqueId }) => ({ deleted: true, uniqueIds: [uniqueId] }));
				assertHolds(isDeepStrictEqual(deleted, expected), JSON.stringify(deleted.slice(0, 2)));
				const kept = before.filter((record) => !failed.includes(record));
				const left = library.records();
				assertHolds(isDeepStrictEqual(left, kept), `${left.length} of ${kept.length} are left.`);
				const statuses = execution.items('Get Status').map(({ json }) => json.status);
				const areGone = statuses.every((status) => status === 'notFound');
				assertHolds(areGone && statuses.length === 23, `Their status is ${statuses.join()}.`);
			}),
	);
}

/** Two that agents get, and one that nobody gets. */
const SHELF: RecordSeed[] = [
	{ sourceName: 'Prices.pdf', uniqueId: 'prices' },
	{ sourceName: 'FAQ.md', uniqueId: 'faq' },
	{ sourceName: 'Old.txt', uniqueId: 'old' },
];

/** Several pages; every tenth could not be read, of which every other is a text, and one a website. */
const LIBRARY = Array.from({ length: 230 }, (_, index): RecordSeed => ({
	sourceName: `document-${index}`,
	status: index % 10 === 0 ? 'failed' : 'indexed',
	type: index % 20 === 0 ? 'text-details' : index === 110 ? 'website' : 'uploads',
}));

/** The files of the item are indexed and whole, and the upload host got no key; returns their IDs. */
function assertUploaded(
	execution: Execution,
	service: Service,
	files: Array<[name: string, bytes: number]>,
): string[] {
	const uploads = execution.items('Upload Files').flatMap(({ json }) => listAt(json, 'uploads'));
	const found = uploads.map((upload) => ({
		name: textAt(upload, 'fileName'),
		status: textAt(upload, 'status'),
		stored: service.stored(textAt(upload, 'uniqueId')),
	}));
	const expected = files.map(([name, bytes]) => {
		let checksum = 0;
		for (const piece of documentBytes(name, bytes)) checksum = crc32.buf(piece, checksum);
		return { name, status: 'indexed', stored: { bytes, checksum } };
	});
	assertHolds(isDeepStrictEqual(found, expected), `Uploaded: ${JSON.stringify(found)}`);
	const sent = JSON.stringify(service.uploads());
	assertHolds(!sent.includes(KEYS.apiKey), 'The upload host got the API key.');
	return uploads.map((upload) => textAt(upload, 'uniqueId'));
}
