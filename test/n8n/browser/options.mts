import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { assertHolds, type Prove } from '../prove.mjs';
import { assertInFull, WINDOW } from './editor.mjs';
import type { Environment } from './environment.mjs';
import { addOption, field, openOptions } from './nodeView.mjs';

const COMBINE = 'Send in Bundles';
const OTHERS = [
	'Check IDs First',
	'If No File IDs',
	'Keep Order per Agent',
	'Max Attempts per Request',
	'Max File IDs per Request',
	'Max Requests per Minute',
	'Max Retry Wait (Seconds)',
	'Parallel Requests',
	'Request Timeout (Seconds)',
];

/** 'Options', from the empty list to all of them. */
export async function proveOptions(prove: Prove, { page }: Environment): Promise<void> {
	await prove("'Split Refused Bundles' is offered only once Send in Bundles is on", async () => {
		await assertOffered(page, [...OTHERS, COMBINE].sort());
		await addOption(page, COMBINE);
		await assertOffered(page, OTHERS);
		await field(page, 'combineItems').locator('.el-switch').click();
		await assertOffered(page, [...OTHERS, 'Split Refused Bundles'].sort());
	});

	await prove('what each option does is explained in full', async () => {
		const more = [...OTHERS, 'Split Refused Bundles'];
		for (const name of more) await addOption(page, name);
		for (const name of [COMBINE, ...more]) await assertExplained(page, name);
	});
}

async function assertOffered(page: Page, expected: string[]): Promise<void> {
	const offered = await openOptions(page);
	const names = (await offered.allInnerTexts()).map((text) => text.trim());
	assertHolds(isDeepStrictEqual(names, expected), `Offered are: ${names.join(' | ')}`);
	await page.keyboard.press('Escape');
	await offered.first().waitFor({ state: 'hidden' });
}

/** What n8n shows when the mouse is on the question mark beside a label. */
async function assertExplained(page: Page, name: string): Promise<void> {
	// The options that have been added: parameters inside the parameter 'Options'.
	const options = page.getByTestId('parameter-item').getByTestId('parameter-item');
	await options.getByText(name, { exact: true }).hover();
	await options
		.filter({ has: page.getByText(name, { exact: true }) })
		.locator('svg[data-icon="circle-help"]')
		.hover();
	const explanation = page.locator('.n8n-tooltip').filter({ visible: true });
	await explanation.waitFor();
	const text = await explanation.innerText();
	assertHolds(text.length > name.length + 20, `${name} is explained as: ${text}`);
	await assertInFull(explanation);
	const { x = -1, y = -1, width = 0, height = 0 } = (await explanation.boundingBox()) ?? {};
	const isInside = x >= 0 && y >= 0 && x + width <= WINDOW.width && y + height <= WINDOW.height;
	assertHolds(isInside, `The explanation of ${name} is not all in the window: ${text}`);
	await page.mouse.move(0, 0);
	await explanation.waitFor({ state: 'hidden' });
}
