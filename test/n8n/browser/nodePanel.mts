import type { Locator, Page } from 'playwright-core';

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
