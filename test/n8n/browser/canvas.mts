import type { Locator, Page } from 'playwright-core';
import type { Frame } from './pictures.mjs';

/** The name that the node has as long as nobody renames it. */
export const NODE_NAME = 'CometChat Knowledge Base';

export function nodeOnCanvas(page: Page, name: string): Locator {
	return page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
}

/** The names of all nodes on the canvas. */
export async function namesOnCanvas(page: Page): Promise<string[]> {
	return await page
		.getByTestId('canvas-node')
		.evaluateAll((nodes: object[]) =>
			nodes.map((node) => String(Reflect.get(node, 'dataset').nodeName)),
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

/** The part of the window that the workflow takes, with the names below its nodes and a margin. */
export async function frameOfWorkflow(page: Page): Promise<Frame> {
	const parts = await page.getByTestId(/^(canvas-node|sticky)$/).all();
	const found = await Promise.all(parts.map((part) => part.boundingBox()));
	const boxes = found.filter((box) => box !== null);
	const x = Math.min(...boxes.map((box) => box.x)) - 40;
	const y = Math.min(...boxes.map((box) => box.y)) - 40;
	const right = Math.max(...boxes.map((box) => box.x + box.width)) + 40;
	const bottom = Math.max(...boxes.map((box) => box.y + box.height)) + 90;
	return { x, y, width: right - x, height: bottom - y };
}

/** Opens the panel from the end of the workflow and types into its search field. */
export async function searchNodes(page: Page, text: string): Promise<void> {
	await page.getByTestId('canvas-handle-plus').click();
	await page.getByTestId('node-creator-search-bar').waitFor();
	await page.keyboard.type(text, { delay: 30 });
}

/** What the panel lists: nodes, and after a click on one of them its actions. */
export function panelItems(page: Page): Locator {
	return page.getByTestId('node-creator').getByTestId('item-iterator-item');
}
