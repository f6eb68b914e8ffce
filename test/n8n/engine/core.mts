import assert from 'node:assert/strict';
import { assertSucceeded } from '../expectation.mjs';
import { Nights } from '../nights/nights.mjs';
import type { Prove } from '../prove.mjs';
import { proveCredentialTest } from './credentialTest.mjs';
import { NODE_TYPE, TRIGGER_TYPE, type Environment } from './environment.mjs';

/** Proves the promises for each n8n that the README names. */
export async function proveCore(prove: Prove, environment: Environment): Promise<void> {
	const { n8n, service, runAsExpected, reset, run } = environment;

	await prove('from its tarball, the node is there, as a tool and as a trigger', async () => {
		const types = await n8n.rest.nodeTypes();
		for (const type of [NODE_TYPE, `${NODE_TYPE}Tool`, TRIGGER_TYPE]) {
			assert.ok(types.includes(type), `There is no ${type}.`);
		}
	});
	await proveCredentialTest(prove, environment);
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
		const nights = await Nights.publish(environment, 'core');
		nights.lay({ 'a.md': 'one', 'b.md': 'two', 'c.md': 'three' });
		await nights.go('added a.md, added b.md, added c.md');
		nights.lay({ 'a.md': 'one', 'b.md': 'changed' });
		await nights.go('unchanged a.md, replaced b.md, missing c.md', { 'c.md': 'three' });
	});
}
