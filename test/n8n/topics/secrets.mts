import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startService } from '../../service/service.js';
import { ACCOUNT, KEYS, WRONG_KEY } from '../account.mjs';
import type { Environment } from '../engine/environment.mjs';
import type { Prove, Topic } from '../prove.mjs';
import { withStarted } from '../withStarted.mjs';

const SECRETS = [KEYS.apiKey, KEYS.authKey, WRONG_KEY].flatMap((key) => [
	key,
	Buffer.from(key).toString('base64').slice(0, 40),
]);

/** Runs after all others of its lane, to search their data, too. */
export const secrets: Topic = {
	name: 'secrets',
	async proveAll(prove, stage) {
		const environment = await stage.environment();
		await proveRepeated(prove, environment);
		await proveNowhere(prove, environment);
	},
};

async function proveRepeated(
	prove: Prove,
	{ n8n, service, languageModel, reset, run }: Environment,
): Promise<void> {
	await prove(
		"the credential in n8n's HTTP Request node: another host is not asked, by address or redirect",
		async () =>
			await withStarted(async (start) => {
				const elsewhere = await start(startService(KEYS));
				reset();
				const asking = async (baseUrl: string) =>
					await run('credential-elsewhere', { 'https://elsewhere.example.com/v3': baseUrl });
				const { status, error, description } = await asking(elsewhere.baseUrl);
				const said = `${status}: ${error} ${description}`;
				assert.ok(status === 'error' && said.includes('only for 127.0.0.1'), said);
				const Location = `${elsewhere.baseUrl}/ai-agents/agent-builder/agents`;
				service.script({ times: Infinity, status: 302, headers: { Location } });
				await asking(service.baseUrl);
				assert.ok(service.log.length > 0, 'The service was not asked.');
				assert.ok(elsewhere.log.length === 0, 'The other host was asked.');
			}),
	);
	await prove('a service that repeats the key: the language model is not told', async () => {
		for (const workflow of ['failing-continues', 'agent-tool']) {
			reset();
			const message = `The key ${KEYS.apiKey} is not allowed to do this`;
			service.script({ for: { uid: 'nobody' }, times: Infinity, status: 400, message });
			languageModel.script(
				{ tool: 'Add_Files_to_Knowledge_Base', call: { Agent: 'nobody', File_IDs: 'a' } },
				{ say: 'No.' },
			);
			const { id } = await run(workflow);
			// The next proofs search the texts of all executions, including this text.
			const text = await n8n.rest.executionText(id);
			assert.ok(text.includes('is not allowed to do this'), `Nothing came through ${workflow}.`);
		}
		const received = languageModel.received();
		assert.ok(received.includes('is not allowed to do this'), 'The model was told nothing.');
		assertFree(received, 'What the model received');
	});
}

async function proveNowhere(prove: Prove, { n8n }: Environment): Promise<void> {
	await prove('the key is in no execution, neither as data nor in an error', async () => {
		const executions = await n8n.rest.executions();
		assert.ok(executions.length > 0, 'There are no executions.');
		for (const { id } of executions) {
			assertFree(await n8n.rest.executionText(id), `Execution ${id}`);
		}
	});
	await prove(
		"the key is nowhere in n8n's folder: not in the database beside the encrypted credential, not in a log at level 'debug'",
		async () => {
			const files = readdirSync(n8n.userFolder, { recursive: true, withFileTypes: true })
				.filter((entry) => entry.isFile())
				.map((entry) => join(entry.parentPath, entry.name))
				.filter((file) => !file.includes('node_modules'));
			// As Latin-1, because a database contains more than text.
			const contents = files.map((file) => ({ file, text: readFileSync(file, 'latin1') }));
			for (const [name, words] of [
				['database.sqlite', ACCOUNT],
				['database.sqlite', 'support-bot'],
				['.log', 'Running node "Add Files"'],
			] as const) {
				const isThere = contents.some(({ file, text }) => {
					return file.includes(name) && text.includes(words);
				});
				assert.ok(isThere, `There is no ${words} in ${name}.`);
			}
			for (const { file, text } of contents) assertFree(text, file);
		},
	);
}

function assertFree(text: string, what: string): void {
	for (const secret of SECRETS) assert.ok(!text.includes(secret), `${what} holds a key.`);
}
