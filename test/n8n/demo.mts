import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startService } from '../service/service.js';
import { fieldsOf, readJson } from './fields.mjs';
import { installN8n, REAL_N8N } from './install.mjs';
import { buildAndPack } from './pack.mjs';
import { showProgress } from './progress.mjs';
import { differences, printTables, type Outcome } from './report.mjs';
import { OWNER, type Credential, type N8nRest } from './rest.mjs';
import { startN8n, type RunningN8n } from './server.mjs';

const WORKFLOW = join(import.meta.dirname, 'workflows/demo.json');
const EXPECTED = join(import.meta.dirname, 'workflows/demo.expected.json');
const USER_FOLDER = join(REAL_N8N, 'demo');
const KEYS = { apiKey: 'demo-rest-api-key', authKey: 'demo-auth-key' };

async function demo(): Promise<void> {
	const { once, port } = readArguments();
	const tarball = await buildAndPack();
	const { version } = await installN8n();
	const service = await startService(KEYS);
	console.log(`  Stand-in for CometChat's REST API: ${service.baseUrl}`);
	try {
		rmSync(USER_FOLDER, { recursive: true, force: true });
		const n8n = await showProgress(`Starting n8n ${version} with the node installed`, () =>
			startN8n({ userFolder: USER_FOLDER, tarball, port }),
		);
		try {
			await connect(n8n.rest, service.baseUrl);
			const workflowId = await n8n.rest.createWorkflow(fieldsOf(readJson(WORKFLOW)));
			report({ execution: await n8n.rest.run(workflowId), service });
			if (!once) await keepOpen(n8n, workflowId);
		} finally {
			await n8n.stop();
		}
	} finally {
		await service.stop();
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

async function connect(rest: N8nRest, baseUrl: string): Promise<void> {
	const credential: Credential = {
		name: 'CometChat account',
		type: 'cometChatApi',
		data: { appId: 'demo-app', region: 'custom', baseUrl, apiKey: KEYS.apiKey },
	};
	const id = await rest.createCredential(credential);
	const { status, message } = await rest.testCredential(id, credential);
	console.log(`  Credential "${credential.name}": ${status}, ${message}`);
	if (status !== 'OK') throw new Error("n8n's test of the credential failed.");
}

/** A failure ends in the exit code: the editor stays open all the same, to look at what went wrong. */
function report(outcome: Outcome): void {
	const expected = readJson(EXPECTED);
	printTables(outcome, expected);
	const found = differences(outcome, expected);
	for (const difference of found) console.error(`  ✗ ${difference}`);
	if (found.length > 0) process.exitCode = 1;
	else console.log('  ✓ The execution succeeded and the knowledge bases hold what they should.');
}

async function keepOpen(n8n: RunningN8n, workflowId: string): Promise<void> {
	console.log(`
  Editor    ${n8n.baseUrl}/workflow/${workflowId}
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
