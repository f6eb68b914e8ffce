import { readdirSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Response } from 'playwright-core';
import { fieldsOf, listAt, readJson, textAt } from '../fields.mjs';
import { REPOSITORY } from '../install.mjs';
import { assertHolds, type Prove } from '../prove.mjs';
import { until } from '../until.mjs';
import {
	closeNode,
	executeWorkflow,
	frameOfWorkflow,
	namesOnCanvas,
	nodeOnCanvas,
	openNode,
	zoomToFit,
} from './canvas.mjs';
import { openWorkflow, untilDrawn, WINDOW } from './editor.mjs';
import { readError } from './nodeView.mjs';
import type { Stage } from './stage.mjs';

const DEMO = join(REPOSITORY, 'test/n8n/workflows/demo.json');
const EXPECTED = join(REPOSITORY, 'test/n8n/workflows/demo.expected.json');
const EXAMPLES = join(REPOSITORY, 'examples');
const PACKAGE = 'n8n-nodes-cometchat';
const ADD_FILES = 'Add Files';

/** Whole workflows, as they look on the canvas. */
export async function proveOnCanvas(prove: Prove, stage: Stage): Promise<void> {
	const { page, service } = stage;

	await prove('a workflow with several items runs on the canvas and turns green', async () => {
		service.reset();
		await openWorkflow(page, await stage.importWorkflow(DEMO));
		await executeWorkflow(page);
		const names = await namesOnCanvas(page);
		assertHolds(names.length === 7, `The nodes on the canvas are: ${names.join(' | ')}`);
		for (const name of names) {
			await nodeOnCanvas(page, name).getByTestId('canvas-node-status-success').waitFor();
		}
		await page.getByTestId('edge-label').filter({ hasText: '6 items' }).first().waitFor();
		for (const [uid, files] of Object.entries(fieldsOf(fieldsOf(readJson(EXPECTED)).files))) {
			const held = service.files(uid, 'uploads');
			assertHolds(isDeepStrictEqual(held, files), `${uid} holds ${held.join()}.`);
		}
	});

	await prove('a node that fails turns red, and its error names the item', async () => {
		service.reset();
		service.script({
			for: { containsId: 'warranty-2026' },
			status: 404,
			code: 'ERR_KB_NOT_FOUND',
		});
		await executeWorkflow(page);
		await nodeOnCanvas(page, ADD_FILES).getByTestId('canvas-node-status-mark-error').waitFor();
		await openNode(page, ADD_FILES);
		const { message, description } = await readError(page);
		assertHolds(
			message.startsWith('CometChat does not know one of these files [item 1] ('),
			message,
		);
		assertHolds(/sent but not applied: 1\b/.test(description), description);
		await closeNode(page);
	});

	await prove(
		'the icon is drawn in the light and in the dark theme, and the two differ',
		async () => {
			const drawn: string[] = [];
			const refused: string[] = [];
			const watch = (response: Response) => {
				if (!response.url().includes(`/icons/${PACKAGE}/`)) return;
				if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
			};
			page.on('response', watch);
			for (const colorScheme of ['light', 'dark'] as const) {
				await page.emulateMedia({ colorScheme });
				await page.reload();
				const icon = nodeOnCanvas(page, ADD_FILES).locator('img');
				await untilDrawn(icon);
				const answer = await page.request.get((await icon.getAttribute('src')) ?? '');
				assertHolds(answer.ok(), `n8n answers ${answer.status()} to ${answer.url()}`);
				drawn.push(await answer.text());
			}
			page.off('response', watch);
			await page.emulateMedia({ colorScheme: 'light' });
			assertHolds(refused.length === 0, `Refused: ${refused.join(' | ')}`);
			const [light = '', dark = ''] = drawn;
			assertHolds(light.includes('<svg') && dark.includes('<svg'), 'An icon is no SVG.');
			assertHolds(light !== dark, 'The two icons are the same.');
		},
	);

	// Tall enough that n8n's buttons at the bottom are below every workflow.
	await page.setViewportSize({ width: WINDOW.width, height: 1200 });
	for (const file of exampleFiles()) await proveExample(prove, stage, file);
}

async function proveExample(prove: Prove, stage: Stage, file: string): Promise<void> {
	const { page, takePicture } = stage;
	const name = file.replace(/\.json$/, '');
	await prove(`the example ${name} opens on the canvas with all its nodes`, async () => {
		const path = join(EXAMPLES, file);
		await openWorkflow(page, await stage.importWorkflow(path));
		const nodes = listAt(readJson(path), 'nodes').filter(
			(node) => textAt(node, 'type') !== 'n8n-nodes-base.stickyNote',
		);
		const names = nodes.map((node) => textAt(node, 'name'));
		const shown = await namesOnCanvas(page);
		assertHolds(isDeepStrictEqual(shown.sort(), names.sort()), `Shown: ${shown.join(' | ')}`);
		const own = nodes.filter((node) => textAt(node, 'type').startsWith(`${PACKAGE}.`)).length;
		// A node of a type that n8n doesn't know has no icon.
		const icons = page.getByTestId('canvas-node').locator(`img[src*="/icons/${PACKAGE}/"]`);
		await until(`${own} nodes have the icon`, 30_000, async () => (await icons.count()) === own);
		assertHolds(own > 0, 'The example does not use the node.');
		await zoomToFit(page);
		await takePicture(page, join('examples', name), await frameOfWorkflow(page));
	});
}

function exampleFiles(): string[] {
	if (!existsSync(EXAMPLES)) return [];
	return readdirSync(EXAMPLES).filter(
		(file) => file.endsWith('.json') && !file.endsWith('.expected.json'),
	);
}
