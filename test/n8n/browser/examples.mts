import assert from 'node:assert/strict';
import { listAt, textAt } from '../fields.mjs';
import type { Prove } from '../prove.mjs';
import { until } from '../until.mjs';
import { ELSEWHERE, EXAMPLES, readWorkflow } from '../workflows.mjs';
import { namesOnCanvas } from './canvas.mjs';
import type { Environment } from './environment.mjs';

const PACKAGE = 'n8n-nodes-cometchat';

/** The examples that nobody can run here, as they look on the canvas. */
export async function proveExamples(prove: Prove, { page, open }: Environment): Promise<void> {
	const icons = page.getByTestId('canvas-node').locator(`img[src*="/icons/${PACKAGE}/"]`);
	for (const name of ELSEWHERE) {
		await prove(`examples/${name}.json opens on the canvas with all its nodes`, async () => {
			await open(name, EXAMPLES);
			const nodes = listAt(readWorkflow(name, {}, EXAMPLES), 'nodes').filter(
				(node) => textAt(node, 'type') !== 'n8n-nodes-base.stickyNote',
			);
			const names = nodes.map((node) => textAt(node, 'name'));
			assert.deepEqual((await namesOnCanvas(page)).sort(), names.sort());
			const own = nodes.filter((node) => textAt(node, 'type').startsWith(`${PACKAGE}.`)).length;
			// A node of a type that n8n doesn't know has no icon.
			await until(`${own} nodes have the icon`, 60_000, async () => (await icons.count()) === own);
		});
	}
}
