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

/** A folder that n8n may read, and who is kept in step with it. */
const FOLDER = join(USER_FOLDER, '.n8n-files/manuals');
const FOLDER_AGENT = 'onboarding-guide';
const EVERY_SECONDS = 10;

/** What the account has, newest first; who has it at first; and one that can't be read. */
const DOCUMENTS: Array<RecordSeed & { uniqueId: string; of?: string }> = [
	{ uniqueId: 'scan', sourceName: 'Scanned brochure.pdf', status: 'failed' },
	{ uniqueId: 'returns', sourceName: 'Returns.pdf', of: 'support-bot' },
	{ uniqueId: 'prices', sourceName: 'Prices.csv', of: 'sales-assistant' },
	{ uniqueId: 'catalogue', sourceName: 'Catalogue.pdf', of: 'sales-assistant' },
	{ uniqueId: 'benefits', sourceName: 'Benefits.pdf', of: 'onboarding-guide' },
];

/** As much of one as the stand-in looks at. */
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
		console.log(`  Stand-in for CometChat's REST API: ${service.baseUrl}`);
		const options = { userFolder: USER_FOLDER, tarball, port };
		const n8n = await start(
			showProgress(`Starting n8n ${version} with the node installed`, () => startN8n(options)),
		);
		await n8n.rest.createCredential(accountFor(service));
		await showAll(n8n, service, once);
	});
}

/** A failure ends in the exit code: the editor stays open all the same, to look at what went wrong. */
async function showAll(n8n: RunningN8n, service: Service, once: boolean): Promise<void> {
	const form = readExample('upload-from-a-form');
	const isForm = (node: unknown) => textAt(node, 'type').endsWith('.formTrigger');
	const path = textAt(listAt(form, 'nodes').find(isForm), 'webhookId');
	try {
		printAgents('What each agent has at first', service);
		console.log('\n1. A PDF from a form: uploaded, indexed, added to an agent');
		await n8n.rest.activate(await n8n.rest.createWorkflow(form));
		const page = await submitForm(n8n, path, { 'Opening hours.pdf': PDF });
		const isThere = namesAt(service, 'support-bot').includes('Opening hours.pdf');
		assert.ok(isThere && page.includes('Opening hours.pdf'), `The form answered: ${page}`);
		console.log('\n2. A folder on disk: an agent is kept in step with it');
		for (const name of ['Canteen.md', 'Holidays.md', 'Parking.md'])
			layInFolder(name, 'First version.');
		await n8n.rest.activate(await n8n.rest.createWorkflow(folderWorkflow()));
		await changeFolder((name) => {
			return heldBy(service, FOLDER_AGENT).find((held) => held.sourceName === name)?.uniqueId;
		});
		printAgents('What each agent has now', service);
		console.log('  \u2713 The agents have what they should.');
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

/** The example, every few seconds in place of every night. */
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
	return { ...example, name: 'Keep an agent in step with a folder on disk' };
}

/**
 * New, changed and deleted files, each until the agent has it so.
 *
 * @param idOf The ID of what the agent has by a name.
 */
async function changeFolder(idOf: (name: string) => string | undefined): Promise<void> {
	const follow = async (what: string, holds: () => boolean) =>
		await showProgress(what, async () => await until(what, 120_000, holds));
	await follow('Three files of the folder come to the agent', () =>
		['Canteen.md', 'Holidays.md', 'Parking.md'].every((name) => idOf(name) !== undefined),
	);
	const before = idOf('Canteen.md');
	layInFolder('Canteen.md', 'Second version, with a longer menu.');
	rmSync(join(FOLDER, 'Parking.md'));
	await follow('One that has changed is replaced', () => {
		return ![undefined, before].includes(idOf('Canteen.md'));
	});
	const isStillThere = idOf('Parking.md') !== undefined && idOf('Holidays.md') !== undefined;
	assert.ok(isStillThere, 'A file that has just left the folder must stay with the agent.');
	console.log(
		'  One that was deleted stays for now: an execution at least an hour later removes it',
	);
}

/** What an agent has, oldest first. */
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
	if (!Number.isInteger(port)) throw new Error(`--port takes a number, not "${values.port}".`);
	return { once: values.once, port };
}

async function keepOpen(editor: string, form: string): Promise<void> {
	console.log(`
  Editor    ${editor}
  E-mail    ${OWNER.email}
  Password  ${OWNER.password}

  What to try now:
  - Send a PDF of your own: ${form}
  - Put a file into this folder, change one, delete one. The agent follows within seconds:
    ${FOLDER}
  - In the editor, open a workflow, double-click a CometChat node, and execute it.
  - Add a node and type "upload a file" or "sync folder".
  - List the documents with Document: Get Many: "Scanned brochure.pdf" is one that could not be read.
  - Let an agent know a website with Website: Crawl. The stand-in knows https://docs.example.com, of
    which one page can be read only the third time: Website: Retry Pages sends it again.

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
