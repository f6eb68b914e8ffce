import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import { startService, type Service } from '../service/service.js';
import { accountFor, KEYS } from './account.mjs';
import { attachHeld, DOCUMENTS, namesAt, WEBSITES } from './demo/account.mjs';
import { Folder } from './demo/folder.mjs';
import { submitForm } from './engine/form.mjs';
import { assertAsExpected, type Seen } from './expectation.mjs';
import { listAt, textAt } from './fields.mjs';
import { installN8n, REAL_N8N } from './install.mjs';
import { buildAndPack } from './pack.mjs';
import { showProgress } from './progress.mjs';
import { assertHolds } from './prove.mjs';
import { OWNER } from './rest.mjs';
import { startN8n, type RunningN8n } from './server.mjs';
import { withStarted } from './withStarted.mjs';
import { expectationOf, readExample, readWorkflow } from './workflows.mjs';

const USER_FOLDER = join(REAL_N8N, 'demo');

async function demo(): Promise<void> {
	const { once, port } = readArguments();
	const tarball = await buildAndPack();
	const { version } = await installN8n();
	rmSync(USER_FOLDER, { recursive: true, force: true });
	await withStarted(async (start) => {
		const service = await start(startService({ ...KEYS, ...WEBSITES, records: DOCUMENTS }));
		await attachHeld(service);
		console.log(`  Stand-in for CometChat's REST API: ${service.baseUrl}`);
		const options = { userFolder: USER_FOLDER, tarball, port };
		const n8n = await start(
			showProgress(`Starting n8n ${version} with the node installed`, () => startN8n(options)),
		);
		const credential = accountFor(service);
		const id = await n8n.rest.createCredential(credential);
		const { status, message } = await n8n.rest.testCredential(id, credential);
		console.log(`  Credential "${credential.name}": ${status}, ${message}`);
		if (status !== 'OK') throw new Error("n8n's test of the credential failed.");
		await showAll({ n8n, service, folder: new Folder(USER_FOLDER) }, once);
	});
}

interface Stage {
	n8n: RunningN8n;
	service: Service;
	folder: Folder;
}

/** A failure ends in the exit code: the editor stays open all the same, to look at what went wrong. */
async function showAll({ n8n, service, folder }: Stage, once: boolean): Promise<void> {
	const { rest } = n8n;
	const form = readExample('upload-from-a-form');
	const path = textAt(
		listAt(form, 'nodes').find((node) => textAt(node, 'type').endsWith('.formTrigger')),
		'webhookId',
	);
	const formId = await rest.createWorkflow(form);
	const listId = await rest.createWorkflow(readWorkflow('demo'));
	const folderId = await rest.createWorkflow(folder.workflow());
	try {
		printAgents('What each agent has at first', service);
		await part(
			'1. Files that are in CometChat already: added and removed by their IDs',
			async () => {
				report({ execution: await rest.run(listId), service });
			},
		);
		await part('2. A PDF from a form: uploaded, indexed, added to an agent', async () => {
			await rest.activate(formId);
			const page = await submitForm(n8n, path, { 'Opening hours.pdf': PDF });
			const isThere = namesAt(service, 'support-bot').includes('Opening hours.pdf');
			assertHolds(isThere && page.includes('Opening hours.pdf'), `The form answered: ${page}`);
		});
		await part('3. A folder on disk: an agent is kept in step with it', async () => {
			await rest.activate(folderId);
			await folder.change(service);
		});
		printAgents('What each agent has now', service);
		console.log('  ✓ The agents have what they should.');
	} catch (error) {
		console.error(`  ✗ ${error instanceof Error ? error.message : String(error)}`);
		process.exitCode = 1;
	}
	if (!once) await keepOpen(n8n.baseUrl, `${n8n.baseUrl}/form/${path}`, folder.path);
}

async function part(title: string, show: () => Promise<void>): Promise<void> {
	console.log(`\n${title}`);
	await show();
}

/** As much of one as the stand-in looks at. */
const PDF = '%PDF-1.4\nWe are open from 9 to 5.\n%%EOF\n';

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

/** @throws If it is not as it should be. */
function report(seen: Seen): void {
	const { service } = seen;
	const nameOf = (id: string) =>
		service.records().find(({ uniqueId }) => uniqueId === id)?.sourceName ?? id;
	const sent = service.log.filter(({ kind, method }) => kind !== 'arrived' && method === 'PATCH');
	print(
		'What the node sent',
		['#', 'Operation', 'Agent', 'Files, each by its ID', 'Status'],
		sent.map(({ operation, uid, uniqueIds = [], status, kind }, index) =>
			[index + 1, operation, uid, uniqueIds.map(nameOf).join(', '), status ?? kind].map(String),
		),
	);
	assertAsExpected(seen, expectationOf('demo'));
}

function printAgents(title: string, service: Service): void {
	const agents = service.agents();
	const rows = agents.map(({ uid, name }) => [name, namesAt(service, uid).join(', ')]);
	print(title, ['Agent', 'Files'], rows);
}

function print(title: string, head: string[], rows: string[][]): void {
	const table = new Table({
		head,
		style: { head: process.stdout.isTTY ? ['bold'] : [], border: [] },
		chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
	});
	table.push(...rows);
	console.log(`\n${title}\n${table.toString()}`);
}

async function keepOpen(editor: string, form: string, folder: string): Promise<void> {
	console.log(`
  Editor    ${editor}
  E-mail    ${OWNER.email}
  Password  ${OWNER.password}

  What to try now:
  - Send a PDF of your own: ${form}
  - Put a file into this folder, change one, delete one. The agent follows within seconds:
    ${folder}
  - In the editor, open a workflow, double-click a CometChat node, and execute it.
  - Add a node and type "upload a file" or "sync folder".
  - List the documents with Document: Get Many: "Scanned brochure.pdf" is one that could not be read.
  - Let an agent know a website with Website: Crawl. The stand-in knows https://docs.example.com, of
    which one page can be read only the second time: Website: Retry Pages sends it again.

  Press Ctrl-C to stop n8n and end the demo.`);
	await new Promise((resolve) => {
		process.once('SIGINT', resolve);
		process.once('SIGTERM', resolve);
	});
}

try {
	await demo();
} catch (error) {
	console.error(error instanceof Error ? `\n${error.message}` : error);
	if (error instanceof Error && error.cause !== undefined) console.error(error.cause);
	process.exitCode = 1;
}
