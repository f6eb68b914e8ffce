import { listAt, textAt } from './fields.mjs';
import { ACCOUNT, accountFor, WRONG_KEY } from './account.mjs';
import { NODE_TYPE, type Environment } from './engine/environment.mjs';
import { assertSucceeded } from './expectation.mjs';
import { assertHolds, type Prove } from './prove.mjs';

/** What must hold in every n8n that the README names. */
export async function proveCore(prove: Prove, environment: Environment): Promise<void> {
	const { n8n, service, reset, run } = environment;
	const { rest } = n8n;

	await prove('the node is there, for workflows and as a tool for AI agents', async () => {
		const types = await rest.nodeTypes();
		for (const type of [NODE_TYPE, `${NODE_TYPE}Tool`]) {
			assertHolds(types.includes(type), `There is no ${type}.`);
		}
	});
	await prove('the credential test tells the right key from a wrong one', async () => {
		for (const [account, words] of [
			[accountFor(service, 'Right key'), 'OK'],
			[accountFor(service, 'Wrong key', WRONG_KEY), 'Error, CometChat did not accept the API key'],
		] as const) {
			const id = await rest.createCredential(account);
			const { status, message } = await rest.testCredential(id, account);
			const said = `${status}, ${message}`;
			assertHolds(said.startsWith(words), `${account.name}: ${said}`);
		}
	});
	await prove('the agent list can be searched by a part of the name', async () => {
		const page = await rest.listSearch({
			nodeTypeAndVersion: { name: NODE_TYPE, version: 1 },
			path: 'parameters.uid',
			methodName: 'searchAgents',
			currentNodeParameters: {},
			credentials: { cometChatApi: { id: environment.accountId, name: ACCOUNT } },
			filter: 'sales',
		});
		const found = listAt(page, 'results').map((agent) => textAt(agent, 'value'));
		assertHolds(found.join() === 'sales-assistant', `The agent list shows ${found.join()}.`);
	});

	for (const [workflow, promise] of [
		['several-agents', 'Add and Remove over several agents: each item once, in order for each'],
		['saved-with-0.1.0', 'a workflow saved with version 0.1.0 of the node works'],
		['failing-stops', 'Stop: nothing is sent after the failed item, and the error names what was'],
		['failing-continues', 'Continue: the others are sent, and each leads back to its input item'],
		[
			'failing-error-output',
			'failed items, and only they, take the error output, with the fields of their input',
		],
	] as const) {
		await prove(promise, async () => await environment.runAsExpected(workflow));
	}

	await prove('files that n8n made are uploaded, indexed and added to an agent', async () => {
		reset();
		assertSucceeded(await run('upload-to-agent'));
		const stored = service.records().map(({ uniqueId }) => service.stored(uniqueId)?.bytes ?? 0);
		assertHolds(stored.length === 2 && !stored.includes(0), `Stored: ${stored.join()} bytes.`);
		const held = service.files('support-bot', 'uploads').length;
		assertHolds(held === 2, `The agent holds ${held} files.`);
	});
	await prove(
		'a refused request is sent again after the wait it was told, with a hint',
		async () => {
			reset();
			service.script({ for: { uid: 'sales-assistant' }, status: 503, retryAfter: '1' });
			const execution = await run('own-retries');
			assertSucceeded(execution);
			const sent = service.requests().filter(({ uid }) => uid === 'sales-assistant');
			const [first = 0, second = 0] = sent.map(({ atMs }) => atMs);
			const apartMs = second - first;
			assertHolds(
				sent.length === 2 && apartMs >= 1000,
				`${sent.length} times, ${apartMs} ms apart.`,
			);
			const [hint = ''] = execution.hints('Add Files');
			assertHolds(hint.startsWith('1 item was sent more than once'), `The hint is "${hint}".`);
		},
	);
}
