import { isDeepStrictEqual } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { assertHolds, type Prove } from '../prove.mjs';
import { until } from '../until.mjs';
import { cutOff, WINDOW } from './editor.mjs';
import { field } from './nodeView.mjs';
import type { Stage } from './stage.mjs';

const BEFORE_COMBINING = [
	'Combine Items',
	'If No File IDs',
	'Keep Order per Agent',
	'Max Attempts',
	'Max File IDs per Request',
	'Max Requests per Minute',
	'Max Wait (Seconds)',
	'Parallel Requests',
	'Timeout (Seconds)',
];

/** 'Options', from the empty list to all of them, and back to none. */
export async function proveOptions(prove: Prove, { page }: Stage): Promise<void> {
	await prove("'Split Refused Requests' is offered only once Combine Items is on", async () => {
		await assertOffered(page, BEFORE_COMBINING);
		await addOption(page, 'Combine Items');
		const others = BEFORE_COMBINING.filter((name) => name !== 'Combine Items');
		await assertOffered(page, others);
		await field(page, 'combineItems').locator('.el-switch').click();
		await assertOffered(page, [
			...others.slice(0, -1),
			'Split Refused Requests',
			...others.slice(-1),
		]);
	});

	await prove('what each option does is explained in full', async () => {
		const names = [...BEFORE_COMBINING, 'Split Refused Requests'];
		for (const name of names.slice(1)) await addOption(page, name);
		for (const name of names) await assertExplained(page, name);
	});

	await prove('options that are deleted are offered again', async () => {
		const added = optionsOf(page);
		// Not a fixed number: with Combine Items, Split Refused Requests goes as well.
		for (let left = await added.count(); left > 0; left = await added.count()) {
			await added.first().hover();
			await added.first().getByTitle('Delete').click();
			const before = left;
			await until('the option is gone', 10_000, async () => (await added.count()) < before);
		}
		await assertOffered(page, BEFORE_COMBINING);
	});
}

async function assertOffered(page: Page, expected: string[]): Promise<void> {
	const offered = await openOptions(page);
	const names = (await offered.allInnerTexts()).map((text) => text.trim());
	assertHolds(isDeepStrictEqual(names, expected), `Offered are: ${names.join(' | ')}`);
	await page.keyboard.press('Escape');
	await offered.first().waitFor({ state: 'hidden' });
}

/** Opens the list behind 'Add option'; returns what it offers. */
async function openOptions(page: Page): Promise<Locator> {
	await page.getByTestId('collection-parameter-add').click();
	const offered = page.getByTestId('collection-parameter-option').filter({ visible: true });
	await offered.first().waitFor();
	return offered;
}

async function addOption(page: Page, name: string): Promise<void> {
	const offered = await openOptions(page);
	await offered.filter({ has: page.getByText(name, { exact: true }) }).click();
	await offered.first().waitFor({ state: 'hidden' });
}

/** What n8n shows when the mouse is on the question mark beside a label. */
async function assertExplained(page: Page, name: string): Promise<void> {
	const label = optionsOf(page).getByText(name, { exact: true });
	await label.hover();
	await optionsOf(page)
		.filter({ has: page.getByText(name, { exact: true }) })
		.locator('svg[data-icon="circle-help"]')
		.hover();
	const explanation = page.locator('.n8n-tooltip').filter({ visible: true });
	await explanation.waitFor();
	const text = await explanation.innerText();
	assertHolds(text.length > name.length + 20, `${name} is explained as: ${text}`);
	const cut = await cutOff(explanation);
	assertHolds(cut.length === 0, `Cut off: ${cut.join(' | ')}`);
	const { x = -1, y = -1, width = 0, height = 0 } = (await explanation.boundingBox()) ?? {};
	const isInside = x >= 0 && y >= 0 && x + width <= WINDOW.width && y + height <= WINDOW.height;
	assertHolds(isInside, `The explanation of ${name} is not all in the window: ${text}`);
	await page.mouse.move(0, 0);
	await explanation.waitFor({ state: 'hidden' });
}

/** The options that have been added: parameters inside the parameter 'Options'. */
function optionsOf(page: Page): Locator {
	return page.getByTestId('parameter-item').getByTestId('parameter-item');
}
