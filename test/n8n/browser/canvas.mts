import type { Locator, Page } from 'playwright-core';
import { resources } from '../../../nodes/CometChatKnowledgeBase/resources/registry.js';

export const NODE_NAME = 'CometChat Knowledge Base';

/** Returns the entry of an operation in n8n's list of actions. */
export function actionOf(resource: string, operation: string): string {
	const { operations = [] } = resources.find(({ value }) => value === resource) ?? {};
	const found = operations.find(({ value }) => value === operation);
	if (found === undefined) throw new Error(`There is no operation ${resource}.${operation}.`);
	return found.action;
}

export function nodeOnCanvas(page: Page, name: string): Locator {
	return page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
}

export async function openNode(page: Page, name: string): Promise<void> {
	await nodeOnCanvas(page, name).dblclick();
	await page.getByTestId('ndv').waitFor();
}

export async function closeNode(page: Page): Promise<void> {
	await page.getByTestId('ndv-close-button').click();
	await page.getByTestId('ndv').waitFor({ state: 'hidden' });
}

/** Opens the panel at the end of the workflow, and types into its search field. */
export async function searchNodes(page: Page, text: string): Promise<void> {
	await page.getByTestId('canvas-handle-plus').click();
	await page.getByTestId('node-creator-search-bar').waitFor();
	await page.keyboard.type(text, { delay: 30 });
}

/** The entries of the panel: nodes, or the actions of a node after a click. */
export function panelItems(page: Page): Locator {
	return page.getByTestId('node-creator').getByTestId('item-iterator-item');
}
