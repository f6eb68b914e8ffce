import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import { startService } from '../service/service.js';
import { accountFor, KEYS } from './account.mjs';
import { assertAsExpected, type Seen } from './expectation.mjs';
import { listAt } from './fields.mjs';
import { installN8n, REAL_N8N } from './install.mjs';
import { buildAndPack } from './pack.mjs';
import { showProgress } from './progress.mjs';
import { OWNER } from './rest.mjs';
import { startN8n } from './server.mjs';
import { withStarted } from './withStarted.mjs';
import { expectationOf, readWorkflow } from './workflows.mjs';

const USER_FOLDER = join(REAL_N8N, 'demo');

async function demo(): Promise<void> {
	const { once, port } = readArguments();
	const tarball = await buildAndPack();
	const { version } = await installN8n();
	rmSync(USER_FOLDER, { recursive: true, force: true });
	await withStarted(async (start) => {
		const service = await start(startService(KEYS));
		console.log(`  Stand-in for CometChat's REST API: ${service.baseUrl}`);
		const options = { userFolder: USER_FOLDER, tarball, port };
		const { rest, baseUrl } = await start(
			showProgress(`Starting n8n ${version} with the node installed`, () => startN8n(options)),
		);
		const credential = accountFor(service);
		const id = await rest.createCredential(credential);
		const { status, message } = await rest.testCredential(id, credential);
		console.log(`  Credential "${credential.name}": ${status}, ${message}`);
		if (status !== 'OK') throw new Error("n8n's test of the credential failed.");
		const workflowId = await rest.createWorkflow(readWorkflow('demo'));
		report({ execution: await rest.run(workflowId), service });
		if (!once) await keepOpen(`${baseUrl}/workflow/${workflowId}`);
	});
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

/** A failure ends in the exit code: the editor stays open all the same, to look at what went wrong. */
function report(seen: Seen): void {
	const { execution, service } = seen;
	const sent = service.log.filter(({ kind, method }) => kind !== 'arrived' && method === 'PATCH');
	print(
		'What the node sent',
		['#', 'Operation', 'Agent', 'Source type', 'File IDs', 'Status'],
		sent.map(({ operation, uid, sourceType, uniqueIds, status, kind }, index) =>
			[index + 1, operation, uid, sourceType, uniqueIds?.join(', '), status ?? kind].map(String),
		),
	);
	print(
		'What came back, item by item',
		['Node', 'Success', 'Operation', 'Agent', 'File IDs'],
		['Add Files', 'Remove Files'].flatMap((node) =>
			execution.items(node).map(({ json }) => {
				const { success, operation, uid, error = success } = json;
				return [node, error, operation, uid, listAt(json, 'uniqueIds').join(', ')].map(String);
			}),
		),
	);
	print(
		'What each knowledge base holds now',
		['Agent', 'File IDs'],
		service.agents().map(({ uid }) => [uid, service.files(uid, 'uploads').join(', ')]),
	);
	try {
		assertAsExpected(seen, expectationOf('demo'));
		console.log('  ✓ The execution succeeded and the knowledge bases hold what they should.');
	} catch (error) {
		console.error(`  ✗ ${error instanceof Error ? error.message : String(error)}`);
		process.exitCode = 1;
	}
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

async function keepOpen(editor: string): Promise<void> {
	console.log(`
  Editor    ${editor}
  E-mail    ${OWNER.email}
  Password  ${OWNER.password}

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
