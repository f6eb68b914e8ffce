import type { Locator, Page } from 'playwright-core';
import type { Frame } from './pictures.mjs';

/** The name that the node has as long as nobody renames it. */
export const NODE_NAME = 'CometChat Knowledge Base';

export function nodeOnCanvas(page: Page, name: string): Locator {
	return page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
}

/** The names of all nodes on the canvas. */
export async function namesOnCanvas(page: Page): Promise<string[]> {
	const nodes = await page.getByTestId('canvas-node').all();
	return await Promise.all(
		nodes.map(async (node) => (await node.getAttribute('data-node-name')) ?? ''),
	);
}

export async function openNode(page: Page, name: string): Promise<void> {
	await nodeOnCanvas(page, name).dblclick();
	await page.getByTestId('ndv').waitFor();
}

export async function closeNode(page: Page): Promise<void> {
	await page.getByTestId('ndv-close-button').click();
	await page.getByTestId('ndv').waitFor({ state: 'hidden' });
}

/** Shows the whole workflow. */
export async function zoomToFit(page: Page): Promise<void> {
	await page.getByTestId('zoom-to-fit').click();
	// The canvas glides there.
	await page.waitForTimeout(1000);
}

/** The part of the window that the workflow takes, with the names below its nodes and a margin. */
export async function frameOfWorkflow(page: Page): Promise<Frame> {
	const nodes = await boxes(page.getByTestId('canvas-node'));
	const notes = await boxes(page.getByTestId('sticky'));
	const margin = 40;
	const name = 50;
	const all = [...nodes.map((box) => ({ ...box, height: box.height + name })), ...notes];
	const left = Math.min(...all.map(({ x }) => x)) - margin;
	const top = Math.min(...all.map(({ y }) => y)) - margin;
	const right = Math.max(...all.map(({ x, width }) => x + width)) + margin;
	const bottom = Math.max(...all.map(({ y, height }) => y + height)) + margin;
	return { x: left, y: top, width: right - left, height: bottom - top };
}

async function boxes(elements: Locator): Promise<Frame[]> {
	const found = await Promise.all((await elements.all()).map((element) => element.boundingBox()));
	return found.filter((box) => box !== null);
}
