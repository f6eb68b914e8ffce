import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { assertInFull } from './editor.mjs';

export function field(page: Page, name: string): Locator {
	return page.getByTestId('ndv').getByTestId(`parameter-input-${name}`);
}

export async function chosen(page: Page, name: string): Promise<string> {
	return await field(page, name).locator('input').inputValue();
}

async function openChoices(page: Page, name: string): Promise<Locator> {
	await field(page, name).click();
	const choices = page.getByTestId('parameter-input-item').filter({ visible: true });
	await choices.first().waitFor();
	return choices;
}

export async function choose(page: Page, name: string, choice: string): Promise<void> {
	const choices = await openChoices(page, name);
	await choices.filter({ has: page.getByText(choice, { exact: true }) }).click();
	await choices.first().waitFor({ state: 'hidden' });
}

/** Asserts that a list field has these choices with explanations, and closes it again. */
export async function assertOffered(page: Page, name: string, expected: string[]): Promise<void> {
	const choices = await openChoices(page, name);
	const shown = await choices.locator('.option-headline').allInnerTexts();
	// n8n adds a choice of its own.
	assert.deepEqual(shown.slice(0, expected.length), expected);
	const explanations = choices.locator('.option-description');
	assert.equal(await explanations.count(), expected.length);
	await assertInFull(explanations);
	await page.keyboard.press('Escape');
	await choices.first().waitFor({ state: 'hidden' });
}

export async function addOption(page: Page, name: string): Promise<void> {
	await page.getByTestId('collection-parameter-add').last().click();
	const offered = page.getByTestId('collection-parameter-option').filter({ visible: true });
	await offered.filter({ has: page.getByText(name, { exact: true }) }).click();
	await offered.first().waitFor({ state: 'hidden' });
}

export async function openAgents(page: Page): Promise<Locator> {
	await field(page, 'uid').getByTestId('rlc-input').click();
	const agents = page.getByTestId('rlc-item');
	await agents.first().waitFor();
	return agents;
}

export async function executeStep(page: Page): Promise<void> {
	await page.getByTestId('node-execute-button').click();
}

export function outputPanel(page: Page): Locator {
	return page.getByTestId('output-panel');
}

export async function readOutput(page: Page): Promise<Array<Record<string, string>>> {
	const table = outputPanel(page).getByTestId('ndv-data-container').locator('table');
	await table.waitFor();
	const heads = await table.locator('th').allInnerTexts();
	const names = heads.map((name) => name.trim()).filter((name) => name !== '');
	const rows = await table.locator('tbody tr').all();
	return await Promise.all(
		rows.map(async (row) => {
			const cells = await row.locator('> td').allInnerTexts();
			const texts = cells.map((text) => text.replace(/\s+/g, ' ').trim());
			return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? '']));
		}),
	);
}

export async function readHints(page: Page): Promise<string> {
	const hints = outputPanel(page).getByTestId('node-hint');
	await hints.first().waitFor();
	return (await hints.allInnerTexts()).join(' ');
}
