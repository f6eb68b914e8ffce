import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startService, type RecordSeed, type Service } from '../service/service.js';
import { accountFor, KEYS } from './account.mjs';
import { attach } from './byHand.mjs';
import { submitForm } from './engine/form.mjs';
import { fieldsOf, listAt, textAt, type Fields } from './fields.mjs';
import { installN8n, REAL_N8N } from './install.mjs';
import { buildAndPack } from './pack.mjs';
import { showProgress } from './progress.mjs';
import { OWNER } from './rest.mjs';
import { startN8n, type RunningN8n } from './server.mjs';
import { SITES } from './sites.mjs';
import { until } from './until.mjs';
import { withStarted } from './withStarted.mjs';
import { readExample } from './workflows.mjs';

const USER_FOLDER = join(REAL_N8N, 'demo');

/** A folder that n8n may read, and the agent that is synced with the folder. */
const FOLDER = join(USER_FOLDER, '.n8n-files/manuals');
const FOLDER_AGENT = 'onboarding-guide';
const EVERY_SECONDS = 10;

/** The documents of the account, newest first, each with the agent that uses it at first. Indexing the first one failed. */
const DOCUMENTS: Array<RecordSeed & { uniqueId: string; of?: string }> = [
	{ uniqueId: 'scan', sourceName: 'Scanned brochure.pdf', status: 'failed' },
	{ uniqueId: 'returns', sourceName: 'Returns.pdf', of: 'support-bot' },
	{ uniqueId: 'prices', sourceName: 'Prices.csv', of: 'sales-assistant' },
	{ uniqueId: 'catalogue', sourceName: 'Catalogue.pdf', of: 'sales-assistant' },
	{ uniqueId: 'benefits', sourceName: 'Benefits.pdf', of: 'onboarding-guide' },
];

/** Enough of a PDF for the simulation. */
const PDF = '%PDF-1.4\nWe are open from 9 to 5.\n%%EOF\n';

async function demo(): Promise<void> {
	const { once, port } = readArguments();
	const [tarball, { version }] = await Promise.all([buildAndPack(), installN8n()]);
	rmSync(USER_FOLDER, { recursive: true, force: true });
	await withStarted(async (start) => {
		const records = DOCUMENTS.map(({ of, ...record }) => record);
		const service = await start(startService({ ...KEYS, sites: SITES, records }));
		for (const { of, uniqueId } of DOCUMENTS) {
			if (of !== undefined) await attach(service, of, [uniqueId]);
		}
		console.log(`  Simulated CometChat API: ${service.baseUrl}`);
		const options = { userFolder: USER_FOLDER, tarball, port };
		const n8n = await start(
			showProgress(`Starting n8n ${version} with the node installed`, () => startN8n(options)),
		);
		await n8n.rest.createCredential(accountFor(service));
		await showAll(n8n, service, once);
	});
}

/** Shows all. A failure sets the exit code, but the editor stays open for a look at the cause. */
async function showAll(n8n: RunningN8n, service: Service, once: boolean): Promise<void> {
	const form = readExample('upload-from-a-form');
	const isForm = (node: unknown) => textAt(node, 'type').endsWith('.formTrigger');
	const path = textAt(listAt(form, 'nodes').find(isForm), 'webhookId');
	try {
		printAgents('Documents of each agent at the start', service);
		console.log('\n1. A PDF is uploaded from a form, indexed and added to an agent');
		await n8n.rest.activate(await n8n.rest.createWorkflow(form));
		const page = await submitForm(n8n, path, { 'Opening hours.pdf': PDF });
		const isThere = namesAt(service, 'support-bot').includes('Opening hours.pdf');
		assert.ok(isThere && page.includes('Opening hours.pdf'), `The form answered: ${page}`);
		console.log('\n2. A folder on disk is synced to an agent');
		for (const name of ['Canteen.md', 'Holidays.md', 'Parking.md'])
			layInFolder(name, 'First version.');
		await n8n.rest.activate(await n8n.rest.createWorkflow(folderWorkflow()));
		await changeFolder((name) => {
			return heldBy(service, FOLDER_AGENT).find((held) => held.sourceName === name)?.uniqueId;
		});
		printAgents('Documents of each agent at the end', service);
		console.log('  \u2713 All agents have the right documents.');
	} catch (error) {
		console.error(`  \u2717 ${error instanceof Error ? error.message : String(error)}`);
		process.exitCode = 1;
	}
	if (!once) await keepOpen(n8n.baseUrl, `${n8n.baseUrl}/form/${path}`);
}

function layInFolder(name: string, text: string): void {
	mkdirSync(FOLDER, { recursive: true });
	writeFileSync(join(FOLDER, name), text);
}

/** Returns the example, but with a schedule of a few seconds instead of a night. */
function folderWorkflow(): Fields {
	const example = readExample('sync-a-disk-folder-nightly', [FOLDER_AGENT], {
		'"fileSelector": ""': `"fileSelector": "${FOLDER}/*"`,
		'Every Night at Three': `Every ${EVERY_SECONDS} Seconds`,
	});
	const schedule = listAt(example, 'nodes').find((node) =>
		textAt(node, 'type').endsWith('.scheduleTrigger'),
	);
	const rule = { interval: [{ field: 'seconds', secondsInterval: EVERY_SECONDS }] };
	Object.assign(fieldsOf(schedule), { parameters: { rule } });
	return { ...example, name: 'Sync a folder on disk to a CometChat agent' };
}

/** Adds, changes and deletes files, and waits each time until the agent has the right documents. */
async function changeFolder(idOf: (name: string) => string | undefined): Promise<void> {
	const follow = async (what: string, holds: () => boolean) =>
		await showProgress(what, async () => await until(what, 120_000, holds));
	await follow('Three files are added to the agent', () =>
		['Canteen.md', 'Holidays.md', 'Parking.md'].every((name) => idOf(name) !== undefined),
	);
	const before = idOf('Canteen.md');
	layInFolder('Canteen.md', 'Second version, with a longer menu.');
	rmSync(join(FOLDER, 'Parking.md'));
	await follow('A changed file is replaced', () => {
		return ![undefined, before].includes(idOf('Canteen.md'));
	});
	const isStillThere = idOf('Parking.md') !== undefined && idOf('Holidays.md') !== undefined;
	assert.ok(isStillThere, 'The agent must keep a file that was only just removed from the folder.');
	console.log(
		'  A deleted file is still used: an execution at least an hour later removes the file from the agent',
	);
}

function heldBy(service: Service, uid: string) {
	const records = service.records();
	return service.files(uid, 'uploads').flatMap((id) => {
		return records.find(({ uniqueId }) => uniqueId === id) ?? [];
	});
}

function namesAt(service: Service, uid: string): string[] {
	return heldBy(service, uid).map(({ sourceName = '' }) => sourceName);
}

function printAgents(title: string, service: Service): void {
	console.log(`\n${title}`);
	for (const { uid, name } of service.agents()) {
		console.log(`  ${name}: ${namesAt(service, uid).join(', ')}`);
	}
}

function readArguments(): { once: boolean; port: number } {
	const { values } = parseArgs({
		options: {
			once: { type: 'boolean', default: false },
			port: { type: 'string', default: '0' },
		},
	});
	const port = Number(values.port);
	if (!Number.isInteger(port)) throw new Error(`--port accepts a number, not "${values.port}".`);
	return { once: values.once, port };
}

async function keepOpen(editor: string, form: string): Promise<void> {
	console.log(`
  Editor    ${editor}
  Email     ${OWNER.email}
  Password  ${OWNER.password}

  Things to try:
  - Send a PDF of your own: ${form}
  - Add a file to this folder, or change a file. The agent is synced within seconds:
    ${FOLDER}
  - In the editor, open a workflow, double-click a CometChat node, and execute the node.
  - Add a node, and search for "upload a file" or "sync folder".
  - List the documents with 'Document: Get Many'. Indexing failed for "Scanned brochure.pdf".
  - Add a website to an agent with 'Website: Crawl'. The simulated CometChat knows the website
    https://docs.example.com. The first two attempts to index one of its pages fail:
    'Document: Retry Indexing' indexes the page again.

  Press Ctrl-C to stop n8n and end the demo.`);
	await new Promise((resolve) => {
		process.once('SIGINT', resolve);
		process.once('SIGTERM', resolve);
	});
}

try {
	await demo();
} catch (error) {
	console.error(error);
	process.exitCode = 1;
}
