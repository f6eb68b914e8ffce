import { accountFor, WRONG_KEY } from '../account.mjs';
import { assertSucceeded } from '../expectation.mjs';
import { fireNight, nightlyWorkflow, SYNC_FILES } from '../nights/workflow.mjs';
import { assertHolds, type Prove } from '../prove.mjs';
import { NODE_TYPE, TRIGGER_TYPE, type Environment } from './environment.mjs';

/** What must hold in every n8n that the README names. */
export async function proveCore(prove: Prove, environment: Environment): Promise<void> {
	const { n8n, service, runAsExpected, reset, run } = environment;

	await prove(
		'installed from its tarball, the node is there, as a tool and as a trigger',
		async () => {
			const types = await n8n.rest.nodeTypes();
			const missing = [NODE_TYPE, `${NODE_TYPE}Tool`, TRIGGER_TYPE].filter(
				(type) => !types.includes(type),
			);
			assertHolds(missing.length === 0, `There is no ${missing.join()}.`);
		},
	);
	await prove('the credential test tells the right key from a wrong one', async () => {
		for (const [account, words] of [
			[accountFor(service, 'Right key'), 'OK'],
			[accountFor(service, 'Wrong key', WRONG_KEY), 'Error, CometChat did not accept the API key'],
		] as const) {
			const id = await n8n.rest.createCredential(account);
			const { status, message } = await n8n.rest.testCredential(id, account);
			const said = `${status}, ${message}`;
			assertHolds(said.startsWith(words), `${account.name}: ${said}`);
		}
	});
	await prove('files are added to and removed from several agents, each in its order', async () => {
		await runAsExpected('several-agents');
	});
	await prove('files that n8n made are uploaded, indexed and added to an agent', async () => {
		reset();
		assertSucceeded(await run('upload-to-agent'));
		const stored = service.records().map(({ uniqueId }) => service.stored(uniqueId)?.bytes ?? 0);
		assertHolds(stored.length === 2 && !stored.includes(0), `Stored: ${stored.join()} bytes.`);
		const held = service.files('support-bot', 'uploads').length;
		assertHolds(held === 2, `The agent holds ${held} files.`);
	});
	await prove('a folder is kept in step: a night knows what the one before has sent', async () => {
		await assertNightsAreKept(environment);
	});
}

async function assertNightsAreKept({ n8n, service, files, reset }: Environment): Promise<void> {
	reset();
	const { rest, baseUrl } = n8n;
	const workflow = await rest.createWorkflow(
		nightlyWorkflow(files, 'core', { options: { wholeFolder: true } }),
	);
	await rest.activate(workflow);
	for (const [texts, expected] of [
		[{ 'a.md': 'one', 'b.md': 'two', 'c.md': 'three' }, 'added a.md, added b.md, added c.md'],
		[{ 'a.md': 'one', 'b.md': 'changed' }, 'unchanged a.md, replaced b.md, removed c.md'],
	] as const) {
		files.lay(
			Object.entries(texts).map(([name, text]) => ({
				name,
				text,
				changedAt: '2026-01-02T03:04:05Z',
			})),
		);
		await fireNight(baseUrl, 'core');
		const items = (await rest.newest(workflow)).items(SYNC_FILES);
		const said = items.map(({ json }) => `${String(json.action)} ${String(json.fileName)}`);
		assertHolds(said.join(', ') === expected, `A night: ${said.join(', ')}.`);
	}
	const held = service.files('support-bot', 'uploads').length;
	assertHolds(held === 2, `The agent has ${held} files.`);
}
