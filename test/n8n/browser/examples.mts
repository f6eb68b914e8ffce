import assert from 'node:assert/strict';
import { join } from 'node:path';
import { listAt, textAt } from '../fields.mjs';
import type { Prove } from '../prove.mjs';
import { until } from '../until.mjs';
import { EXAMPLES, readWorkflow } from '../workflows.mjs';
import { frameOfWorkflow, namesOnCanvas } from './canvas.mjs';
import { WINDOW } from './editor.mjs';
import type { Environment } from './environment.mjs';

const PACKAGE = 'n8n-nodes-cometchat';

/** Whole workflows, as they look on the canvas. */
export async function proveExamples(
	prove: Prove,
	{ page, open, takePicture, examples }: Environment,
): Promise<void> {
	const icons = page.getByTestId('canvas-node').locator(`img[src*="/icons/${PACKAGE}/"]`);
	// Tall enough that n8n's buttons at the bottom are below every workflow.
	await page.setViewportSize({ width: WINDOW.width, height: 1200 });
	for (const name of examples) {
		await prove(`the example ${name} opens on the canvas with all its nodes`, async () => {
			await open(name, EXAMPLES);
			const nodes = listAt(readWorkflow(name, {}, EXAMPLES), 'nodes').filter(
				(node) => textAt(node, 'type') !== 'n8n-nodes-base.stickyNote',
			);
			const names = nodes.map((node) => textAt(node, 'name'));
			assert.deepEqual((await namesOnCanvas(page)).sort(), names.sort());
			const own = nodes.filter((node) => textAt(node, 'type').startsWith(`${PACKAGE}.`)).length;
			// A node of a type that n8n doesn't know has no icon.
			await until(`${own} nodes have the icon`, 60_000, async () => (await icons.count()) === own);
			await page.getByTestId('zoom-to-fit').click();
			// The canvas glides there.
			await page.waitForTimeout(1000);
			await takePicture(page, join('examples', name), await frameOfWorkflow(page));
		});
	}
}
