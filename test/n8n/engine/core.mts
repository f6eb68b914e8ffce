import assert from 'node:assert/strict';
import { assertSucceeded } from '../expectation.mjs';
import { fireNight, nightlyWorkflow, SYNC_FILES } from '../nights/workflow.mjs';
import type { Prove } from '../prove.mjs';
import { NODE_TYPE, TRIGGER_TYPE, type Environment } from './environment.mjs';

/** What must hold in every n8n that the README names. */
export async function proveCore(prove: Prove, environment: Environment): Promise<void> {
	const { n8n, service, runAsExpected, reset, run } = environment;

	await prove('from its tarball, the node is there, as a tool and as a trigger', async () => {
		const types = await n8n.rest.nodeTypes();
		for (const type of [NODE_TYPE, `${NODE_TYPE}Tool`, TRIGGER_TYPE]) {
			assert.ok(types.includes(type), `There is no ${type}.`);
		}
	});
	await prove('files are added to and removed from several agents, each in its order', async () => {
		await runAsExpected('several-agents');
	});
	await prove('files that n8n made are uploaded, indexed and added to an agent', async () => {
		reset();
		assertSucceeded(await run('upload-to-agent'));
		const held = service.files('support-bot', 'uploads').map((id) => service.stored(id)?.bytes);
		assert.ok(held.length === 2 && held.every(Boolean), `It holds files of ${held.join()} bytes.`);
	});
	await prove('a folder is kept in step: a night knows what the one before has sent', async () => {
		reset();
		await assertNights(
			environment,
			[{ 'a.md': 'one', 'b.md': 'two', 'c.md': 'three' }, 'added a.md, added b.md, added c.md'],
			[{ 'a.md': 'one', 'b.md': 'changed' }, 'unchanged a.md, replaced b.md, removed c.md'],
		);
	});
}

/** What a folder has in one night after another, and what each says of it, in a workflow of this n8n. */
export async function assertNights(
	{ n8n, files }: Pick<Environment, 'n8n' | 'files'>,
	...nights: Array<[texts: Record<string, string>, said: string]>
): Promise<void> {
	const { rest, baseUrl } = n8n;
	const options = { itemsAre: 'folder' };
	const workflow = await rest.createWorkflow(nightlyWorkflow(files, 'core', { options }));
	await rest.activate(workflow);
	for (const [texts, expected] of nights) {
		const changedAt = '2026-01-02T03:04:05.000Z';
		files.lay(Object.entries(texts).map(([name, text]) => ({ name, text, changedAt })));
		await fireNight(baseUrl, 'core');
		const items = (await rest.newest(workflow)).items(SYNC_FILES);
		const said = items.map(({ json }) => `${String(json.action)} ${String(json.fileName)}`);
		assert.equal(said.join(', '), expected);
	}
}
