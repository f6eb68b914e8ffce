import { isDeepStrictEqual } from 'node:util';
import type { Arrival } from '../../service/service.js';
import { startService, type RecordSeed, type Service } from '../../service/service.js';
import { Checksum } from '../../service/storage/checksum.js';
import type { Execution } from '../execution.mjs';
import { at, listAt, textAt } from '../fields.mjs';
import { assertHolds, type Prove } from '../prove.mjs';
import { sentByAgent } from './expectation.mjs';
import { documentBytes } from './files.mjs';
import { peakRiseOf } from './memory.mjs';
import { accountFor, KEYS, type Stage } from './stage.mjs';

const MEGABYTE = 1_000_000;

/** From a file in hand to an agent that knows it, and what comes after. */
export async function proveDocuments(prove: Prove, stage: Stage): Promise<void> {
	await proveUploading(prove, stage);
	await proveReplacing(prove, stage);
	await proveMemory(prove, stage);
	const library = await startService({ ...KEYS, records: libraryRecords() });
	try {
		await stage.n8n.rest.createCredential(accountFor('Library account', library));
		await proveLibrary(prove, stage, library);
	} finally {
		await library.stop();
	}
}

async function proveUploading(prove: Prove, { reset, run, service }: Stage): Promise<void> {
	await prove(
		'Downloaded files: Upload Files waits until they are indexed, and Add Files takes its output as it is',
		async () => {
			reset();
			service.scriptIndexing({ times: 2, ms: 1500 });
			const execution = await run('upload-then-add');
			assertSucceeded(execution);
			const files = uploadsOf(execution, 'Upload Files');
			assertHolds(
				files.map(({ fileName }) => fileName).join() === 'price-list.pdf,faq.md',
				`The uploads are ${JSON.stringify(files)}.`,
			);
			for (const { uniqueId, status } of files) {
				assertHolds(status === 'indexed', `${uniqueId} is ${status}.`);
			}
			const ids = files.map(({ uniqueId }) => uniqueId);
			const [priceList = '', faq = ''] = ids;
			assertStored(service, priceList, 'price-list.pdf', 300_000);
			assertStored(service, faq, 'faq.md', 1200);
			for (const uid of ['support-bot', 'sales-assistant']) {
				const held = service.files(uid, 'uploads');
				assertHolds(isDeepStrictEqual(held, ids), `${uid} holds ${held.join()}.`);
			}
			const indexedMs = Math.max(...service.records().map(({ lastSynced }) => lastSynced ?? 0));
			const addedMs = Math.min(...service.requests().map(({ atMs }) => atMs));
			assertHolds(addedMs >= indexedMs, `Added ${indexedMs - addedMs} ms before it was indexed.`);
			assertKeyKept(service);
		},
	);

	await prove(
		'Files that n8n made, two in one item: uploaded and added to the agent by one node',
		async () => {
			reset();
			const execution = await run('upload-to-agent');
			assertSucceeded(execution);
			const [item] = execution.items('Upload Files');
			assertHolds(item?.json.addedToAgent === true, JSON.stringify(item));
			const files = uploadsOf(execution, 'Upload Files');
			const names = files.map(({ fileName }) => fileName).sort();
			assertHolds(names.join() === 'deliveries.txt,prices.csv', `Uploaded: ${names.join()}`);
			const held = service.files('support-bot', 'uploads');
			const ids = files.map(({ uniqueId }) => uniqueId);
			assertHolds(isDeepStrictEqual(held, ids), `The agent holds ${held.join()}.`);
			const note = ids[files.findIndex(({ fileName }) => fileName === 'deliveries.txt')] ?? '';
			const stored = service.stored(note);
			const expected = sumOf([Buffer.from('Chairs are delivered within a week.')]);
			assertHolds(isDeepStrictEqual(stored, expected), `Stored: ${JSON.stringify(stored)}`);
			assertKeyKept(service);
		},
	);

	await prove(
		'A file that can not be indexed fails its item in words, and no agent gets it',
		async () => {
			reset();
			service.scriptIndexing({ for: { fileName: 'faq.md' }, ends: 'failed' });
			const execution = await run('upload-then-add');
			assertFailed(execution, 'CometChat was not able to read the file [item 1]');
			assertFailed(execution, '"faq.md" (ID ');
			// n8n keeps no output of a run that failed, and the other file is uploaded.
			assertFailed(execution, 'In CometChat now: "price-list.pdf" (ID ');
			assertHolds(service.requests().length === 0, 'An agent got something.');
		},
	);

	await prove(
		'A file of a type or size that CometChat does not take: nothing is sent for any item',
		async () => {
			for (const [replaced, by, words] of [
				['faq.md', 'photo.png', 'is not of a type that CometChat takes'],
				['1200', '50000001', 'has 50.0 MB, more than CometChat takes'],
			] as const) {
				reset();
				const execution = await run('upload-then-add', { [replaced]: by });
				assertFailed(execution, words);
				assertFailed(execution, 'PDF, TXT, DOCX, CSV and MD files of up to 50 MB');
				assertHolds(service.log.length === 0, `${service.log[0]?.path} was asked.`);
			}
		},
	);

	await prove(
		'An upload whose connection is lost half-way is sent again, and arrives whole',
		async () => {
			reset();
			service.script(
				{ for: { operation: 'upload' }, afterBytes: 150_000, drop: 'beforeApplying' },
				{ for: { operation: 'upload' }, status: 503 },
			);
			const execution = await run('upload-then-add');
			assertSucceeded(execution);
			const [priceList] = uploadsOf(execution, 'Upload Files');
			assertStored(service, priceList?.uniqueId ?? '', 'price-list.pdf', 300_000);
			assertHolds(service.uploads().length >= 4, `Sent ${service.uploads().length} times.`);
			assertKeyKept(service);
		},
	);

	await prove('Add Text: texts are written, indexed and added to the agent', async () => {
		reset();
		const execution = await run('add-texts');
		assertSucceeded(execution);
		const items = execution.items('Add Text').map(({ json }) => json);
		const titles = items.map(({ title }) => title).join();
		assertHolds(titles === 'Opening hours,Returns', `The output is ${JSON.stringify(items)}.`);
		const ids = items.map(({ uniqueId }) => String(uniqueId)).sort();
		const held = service.files('support-bot', 'text').sort();
		assertHolds(isDeepStrictEqual(held, ids), `The agent holds ${held.join()}.`);
		const records = service.records().map(({ sourceName, status }) => `${sourceName}: ${status}`);
		assertHolds(
			records.sort().join() === 'Opening hours: indexed,Returns: indexed',
			`The service holds ${records.join()}.`,
		);
	});
}

async function proveReplacing(prove: Prove, { reset, run, service }: Stage): Promise<void> {
	const larger = { '300000': '310000' };
	/** The first version, which is added because there is none; returns its ID. */
	const addFirst = async () => {
		reset();
		const execution = await run('replace-file');
		assertSucceeded(execution);
		const { newId } = execution.items('Replace File')[0]?.json ?? {};
		assertHolds(typeof newId === 'string', 'The first version was not added.');
		service.clearLog();
		return newId;
	};

	await prove(
		'Replace File: the new version is indexed and added before the old one goes',
		async () => {
			const oldId = await addFirst();
			const execution = await run('replace-file', larger);
			assertSucceeded(execution);
			const { newId, oldId: said, reached } = execution.items('Replace File')[0]?.json ?? {};
			assertHolds(said === oldId && typeof newId === 'string', `It replaced ${String(said)}.`);
			assertHolds(
				String(reached) === 'uploaded,indexed,added,removed,deleted',
				`It reached ${String(reached)}.`,
			);
			assertOrder(service, 'records list initiate upload poll add remove list deleteUpload');
			assertSent(service, [`add uploads ${newId}`, `remove uploads ${oldId}`]);
			assertStored(service, newId, 'price-list.pdf', 310_000);
			const records = service.records().map(({ uniqueId }) => uniqueId);
			assertHolds(records.join() === newId, `The service holds ${records.join()}.`);
			assertKeyKept(service);
		},
	);

	await prove(
		'Replace File that fails as it takes the old version away: the agent has the new one, and the words say how to go on',
		async () => {
			const oldId = await addFirst();
			service.script({ for: { operation: 'remove' }, status: 400, message: 'Not now.' });
			const execution = await run('replace-file', larger);
			const held = service.files('support-bot', 'uploads');
			const newId = held.find((id) => id !== oldId) ?? 'none';
			assertHolds(held.length === 2 && held.includes(oldId), `The agent has ${held.join()}.`);
			assertFailed(execution, `The agent has the new version (ID ${newId})`);
			assertFailed(execution, `still has the old one (ID ${oldId})`);
			assertFailed(execution, 'remove the old one with Remove Files');
			assertOrder(service, 'records list initiate upload poll add remove');
		},
	);

	await prove(
		'Replace File whose new version can not be indexed: the agent keeps the old one',
		async () => {
			const oldId = await addFirst();
			service.scriptIndexing({ ends: 'failed' });
			const execution = await run('replace-file', larger);
			assertFailed(execution, `The old version (ID ${oldId}) was not taken from the agent`);
			const held = service.files('support-bot', 'uploads');
			assertHolds(held.join() === oldId, `The agent has ${held.join()}.`);
			assertHolds(service.requests().length === 0, 'The agent was changed.');
		},
	);

	await prove(
		'Replace File by name takes the file that the agent has; where it has none, nothing is uploaded',
		async () => {
			const oldId = await addFirst();
			assertSucceeded(await run('upload-large-file', { 'handbook.pdf': 'price-list.pdf' }));
			const execution = await run('replace-file', larger);
			assertSucceeded(execution);
			const { oldId: said } = execution.items('Replace File')[0]?.json ?? {};
			assertHolds(said === oldId, `It replaced ${String(said)}, not ${oldId}.`);
			reset();
			const none = await run('replace-file', { '"ifNotFound": "add"': '"ifNotFound": "fail"' });
			assertFailed(none, 'CometChat has no upload named "price-list.pdf"');
			assertOrder(service, 'records list');
		},
	);
}

/** How far the process may rise for 50 MB above what it rises for 1 MB: pieces, and garbage of them. */
const MOST_RISE = 25 * MEGABYTE;

async function proveMemory(prove: Prove, { n8n, reset, run, service }: Stage): Promise<void> {
	await prove(
		"A file of 50 MB, downloaded and uploaded: n8n's process grows by less than half of that",
		async () => {
			reset();
			const upload = async (bytes: number) => {
				const execution = await run('upload-large-file', { '1000000': String(bytes) });
				assertSucceeded(execution);
				const [file] = uploadsOf(execution, 'Upload Files');
				assertStored(service, file?.uniqueId ?? '', 'handbook.pdf', bytes);
			};
			// The first run of a path costs what no later one does.
			await upload(MEGABYTE);
			const small = await peakRiseOf(n8n.pid, async () => await upload(MEGABYTE));
			const large = await peakRiseOf(n8n.pid, async () => await upload(50 * MEGABYTE));
			const inMegabytes = (bytes: number) => `${(bytes / MEGABYTE).toFixed(1)} MB`;
			console.log(`    (1 MB: ${inMegabytes(small)}, 50 MB: ${inMegabytes(large)})`);
			assertHolds(
				large - small < MOST_RISE,
				`It rises by ${inMegabytes(large)}, for 1 MB by ${inMegabytes(small)}.`,
			);
		},
	);
}

/** Several pages; every tenth could not be read, of which every other is a text, and one a website. */
function libraryRecords(): RecordSeed[] {
	return Array.from({ length: 230 }, (_, index) => ({
		sourceName: `document-${index}`,
		status: index % 10 === 0 ? 'failed' : 'indexed',
		type: index % 20 === 0 ? 'text-details' : index === 110 ? 'website' : 'uploads',
	}));
}

async function proveLibrary(prove: Prove, { run }: Stage, library: Service): Promise<void> {
	const failedFiles = () => library.records().filter(({ status }) => status === 'failed');
	const failedUploads = () => failedFiles().filter(({ type }) => type === 'uploads');

	await prove(
		'Get Many Files: all of them, the newest 30, and filtered; Get Status of those',
		async () => {
			const execution = await run('get-many-files');
			assertSucceeded(execution);
			const idsFrom = (node: string) =>
				execution.items(node).map(({ json }) => String(json.uniqueId));
			const all = library.records().map(({ uniqueId }) => uniqueId);
			const failed = failedUploads().map(({ uniqueId }) => uniqueId);
			assertHolds(isDeepStrictEqual(idsFrom('All Files'), all), 'Not all are there, each once.');
			assertHolds(isDeepStrictEqual(idsFrom('First Files'), all.slice(0, 30)), 'Others came.');
			assertHolds(failed.length === 10, `There are ${failed.length} failed uploads.`);
			assertHolds(isDeepStrictEqual(idsFrom('Failed Uploads'), failed), 'The filter is not kept.');
			const statuses = execution.items('Get Status').map(({ json }) => json);
			const expected = failed.flatMap((uniqueId, index) => [
				{ uniqueId, status: 'failed', isReady: false },
				{ uniqueId: `gone-${index}`, status: 'notFound', isReady: false },
			]);
			assertHolds(isDeepStrictEqual(statuses, expected), JSON.stringify(statuses.slice(0, 4)));
		},
	);

	await prove('Delete Files: of all kinds, they are gone for good, and only they', async () => {
		library.reset();
		const before = library.records().map(({ uniqueId }) => uniqueId);
		const failed = failedFiles().map(({ uniqueId }) => uniqueId);
		const kinds = new Set(failedFiles().map(({ type }) => type));
		assertHolds(kinds.size === 3, `There are only ${[...kinds].join()}.`);
		const execution = await run('delete-files');
		assertSucceeded(execution);
		const deleted = execution.items('Delete Files').map(({ json }) => json);
		const expected = failed.map((uniqueId) => ({ deleted: true, uniqueIds: [uniqueId] }));
		assertHolds(isDeepStrictEqual(deleted, expected), JSON.stringify(deleted.slice(0, 2)));
		const left = library.records().map(({ uniqueId }) => uniqueId);
		const kept = before.filter((id) => !failed.includes(id));
		assertHolds(isDeepStrictEqual(left, kept), `${left.length} of ${kept.length} are left.`);
		const statuses = execution.items('Get Status').map(({ json }) => json.status);
		assertHolds(
			statuses.length === failed.length && statuses.every((status) => status === 'notFound'),
			`Their status is ${statuses.join()}.`,
		);
	});
}

interface UploadRecord {
	uniqueId: string;
	fileName: string;
	status: string;
}

/** What Upload Files says of all files of all items. */
function uploadsOf(execution: Execution, node: string): UploadRecord[] {
	return execution.items(node).flatMap(({ json }) =>
		listAt(json, 'uploads').map((upload) => ({
			uniqueId: textAt(upload, 'uniqueId'),
			fileName: textAt(upload, 'fileName'),
			status: textAt(upload, 'status'),
		})),
	);
}

function assertSucceeded({ status, error, description }: Execution): void {
	assertHolds(status === 'success', `${status}: ${error}. ${description}`);
}

function assertFailed({ status, error, description }: Execution, words: string): void {
	const said = `${error}. ${description}`;
	assertHolds(status === 'error', `The execution ended with "${status}".`);
	assertHolds(said.includes(words), `"${words}" is not in "${said}".`);
}

function assertStored(service: Service, id: string, name: string, bytes: number): void {
	const stored = service.stored(id);
	const expected = sumOf(documentBytes(name, bytes));
	assertHolds(isDeepStrictEqual(stored, expected), `${name}: ${JSON.stringify(stored)}`);
}

function sumOf(pieces: Iterable<Buffer>) {
	const checksum = new Checksum();
	for (const piece of pieces) checksum.take(piece);
	return { bytes: checksum.bytes, checksum: checksum.hex() };
}

/** What was asked, in order; the same thing several times in a row counts as once. */
function assertOrder({ log }: Service, expected: string): void {
	const asked = log.filter(({ kind }) => kind === 'arrived').map(({ operation }) => operation);
	const order = asked.filter((operation, index) => operation !== asked[index - 1]).join(' ');
	assertHolds(order === expected, `The order was: ${order}`);
}

function assertSent(service: Service, expected: string[]): void {
	const { 'support-bot': sent } = sentByAgent(service);
	assertHolds(isDeepStrictEqual(sent, expected), `Sent: ${JSON.stringify(sent)}`);
}

/** Nothing that reached the upload host holds the API key, and something did. */
function assertKeyKept(service: Service): void {
	const uploads: Arrival[] = service.uploads();
	assertHolds(uploads.length > 0, 'Nothing came to the upload host.');
	for (const { headers, path } of uploads) {
		const seen = JSON.stringify([headers, path]);
		assertHolds(!seen.includes(KEYS.apiKey), 'The upload host got the API key.');
		assertHolds(at(headers, 'apikey') === undefined, 'The upload host got a header apikey.');
	}
}
