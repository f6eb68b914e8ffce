import type { Locator, Page } from 'playwright-core';
import { resources } from '../../../nodes/CometChatKnowledgeBase/resources/registry.js';
import { assertHolds } from '../prove.mjs';
import { NODE_NAME } from './canvas.mjs';

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

/** Adds the node at the end of the workflow with one of its actions, and opens it. */
export async function addNode(page: Page, action: string): Promise<void> {
	const isAction = resources.some(({ operations }) =>
		operations.some((operation) => operation.action === action),
	);
	assertHolds(isAction, `There is no action '${action}'.`);
	await searchNodes(page, 'cometchat');
	await panelItems(page).filter({ hasText: NODE_NAME }).click();
	await panelItems(page).filter({ hasText: action }).click();
	await page.getByTestId('ndv').waitFor();
}
