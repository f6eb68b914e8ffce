import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assertHolds, type Prove } from '../prove.mjs';
import { WRONG_KEY } from './account.mjs';
import { KEYS, USER_FOLDER, type Stage } from './stage.mjs';

const SECRETS = [KEYS.apiKey, KEYS.authKey, WRONG_KEY].flatMap((key) => [
	key,
	Buffer.from(key).toString('base64').slice(0, 40),
]);

/** After all others: what they have left behind is searched, too. */
export async function proveSecrets(prove: Prove, stage: Stage): Promise<void> {
	const { n8n, service, elsewhere, model } = stage;

	await prove('A service that redirects to another host: nothing is sent there', async () => {
		stage.reset();
		const Location = `${elsewhere.baseUrl}/ai-agents/agent-builder/agents`;
		service.script({ times: Infinity, status: 307, headers: { Location } });
		const execution = await stage.run('own-retries');
		assertHolds(
			execution.error.includes('CometChat sent the request on to another address'),
			`The error is "${execution.error}".`,
		);
		assertHolds(service.requests().length > 0, 'The service was not asked.');
		assertHolds(elsewhere.log.length === 0, 'The other host was asked.');
	});
	await prove(
		"The credential in n8n's HTTP Request node: another host is not asked, by address or redirect",
		async () => {
			stage.reset();
			const elsewhereUrl = { 'https://elsewhere.example.com/v3': elsewhere.baseUrl };
			const refused = await stage.run('credential-elsewhere', elsewhereUrl);
			assertHolds(refused.status === 'error', `The execution ended with ${refused.status}.`);
			assertHolds(
				`${refused.error} ${refused.description}`.includes('only for 127.0.0.1'),
				`The error is "${refused.error}", "${refused.description}".`,
			);
			const Location = `${elsewhere.baseUrl}/ai-agents/agent-builder/agents`;
			service.script({ times: Infinity, status: 302, headers: { Location } });
			await stage.run('credential-elsewhere', {
				'https://elsewhere.example.com/v3': service.baseUrl,
			});
			assertHolds(service.log.length > 0, 'The service was not asked.');
			assertHolds(elsewhere.log.length === 0, 'The other host was asked.');
		},
	);
	await prove('A service that repeats the key: it is taken out of all that n8n keeps', async () => {
		for (const workflow of ['failing-stops', 'failing-error-output']) {
			stage.reset();
			const message = `The key ${KEYS.apiKey} is not allowed to do this`;
			service.script({ for: { uid: 'nobody' }, times: Infinity, status: 400, message });
			const id = await n8n.rest.start(await stage.importWorkflow(workflow));
			await n8n.rest.untilEnded(id);
			const text = await n8n.rest.executionText(id);
			assertHolds(text.includes('is not allowed to do this'), 'The words did not come through.');
			assertFree(text, 'The execution');
		}
	});

	await prove('The key is in no execution, neither as data nor in an error', async () => {
		const ids = await n8n.rest.executionsOf();
		assertHolds(ids.length > 20, `Only ${ids.length} executions were found.`);
		const texts = await Promise.all(ids.map((id) => n8n.rest.executionText(id)));
		assertHolds(texts.join().includes('support-bot'), 'The executions hold nothing.');
		for (const [index, text] of texts.entries()) assertFree(text, `Execution ${ids[index]}`);
	});
	await prove(
		"The key is nowhere in n8n's folder: not in the database beside the encrypted credential, not in a log at level 'debug'",
		async () => {
			const files = readdirSync(USER_FOLDER, { recursive: true, withFileTypes: true })
				.filter((entry) => entry.isFile())
				.map((entry) => join(entry.parentPath, entry.name))
				.filter((file) => !file.includes('node_modules'));
			// As bytes of any kind: the text of a database is not all text.
			const contents = new Map(files.map((file) => [file, readFileSync(file, 'latin1')]));
			const of = (ending: string) =>
				[...contents]
					.filter(([file]) => file.includes(ending))
					.map(([, text]) => text)
					.join('');
			assertHolds(of('database.sqlite').includes('CometChat account'), 'There is no credential.');
			assertHolds(of('database.sqlite').includes('support-bot'), 'There is no execution.');
			assertHolds(of('n8n.log').includes('Running node "Add Files"'), 'The log is not at debug.');
			for (const [file, text] of contents) assertFree(text, file);
		},
	);
	await prove('The key is not sent to the language model', async () => {
		stage.reset();
		const message = `The key ${KEYS.apiKey} is not allowed to do this`;
		service.script({ status: 400, message });
		model.script({ call: { Agent: 'support-bot', File_IDs: 'a' } }, { say: 'Not possible.' });
		await stage.run('agent-tool');
		assertHolds(model.received().includes('is not allowed to do this'), 'It was told nothing.');
		assertFree(model.received(), 'What the model received');
	});
}

function assertFree(text: string, what: string): void {
	for (const secret of SECRETS) assertHolds(!text.includes(secret), `${what} holds a key.`);
}
