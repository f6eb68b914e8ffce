import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { listAt, textAt } from '../fields.mjs';
import { assertHolds, type Prove } from '../prove.mjs';
import { until } from '../until.mjs';
import { EXAMPLES, exampleNames, readWorkflow } from '../workflows.mjs';
import { frameOfWorkflow, namesOnCanvas, zoomToFit } from './canvas.mjs';
import { untilDrawn, WINDOW } from './editor.mjs';
import type { Environment } from './environment.mjs';

const PACKAGE = 'n8n-nodes-cometchat';

/** Whole workflows, as they look on the canvas. */
export async function proveExamples(
	prove: Prove,
	{ page, open, takePicture }: Environment,
): Promise<void> {
	const icons = page.getByTestId('canvas-node').locator(`img[src*="/icons/${PACKAGE}/"]`);
	// Tall enough that n8n's buttons at the bottom are below every workflow.
	await page.setViewportSize({ width: WINDOW.width, height: 1200 });
	for (const name of exampleNames()) {
		await prove(`the example ${name} opens on the canvas with all its nodes`, async () => {
			await open(name, EXAMPLES);
			const nodes = listAt(readWorkflow(name, {}, EXAMPLES), 'nodes').filter(
				(node) => textAt(node, 'type') !== 'n8n-nodes-base.stickyNote',
			);
			const names = nodes.map((node) => textAt(node, 'name'));
			const shown = await namesOnCanvas(page);
			assertHolds(isDeepStrictEqual(shown.sort(), names.sort()), `Shown: ${shown.join(' | ')}`);
			const own = nodes.filter((node) => textAt(node, 'type').startsWith(`${PACKAGE}.`)).length;
			// A node of a type that n8n doesn't know has no icon.
			await until(`${own} nodes have the icon`, 30_000, async () => (await icons.count()) === own);
			assertHolds(own > 0, 'The example does not use the node.');
			await zoomToFit(page);
			await takePicture(page, join('examples', name), await frameOfWorkflow(page));
		});
	}

	await prove('the icon is drawn in both themes, and the two differ', async () => {
		const drawn: string[] = [];
		for (const colorScheme of ['light', 'dark'] as const) {
			await page.emulateMedia({ colorScheme });
			await page.reload();
			await untilDrawn(icons.first());
			const answer = await page.request.get((await icons.first().getAttribute('src')) ?? '');
			drawn.push(await answer.text());
		}
		await page.emulateMedia({ colorScheme: 'light' });
		const [light = '', dark = ''] = drawn;
		assertHolds(light.includes('<svg') && dark.includes('<svg'), 'An icon is no SVG.');
		assertHolds(light !== dark, 'The two icons are the same.');
	});
}
