import type { Locator, Page } from 'playwright-core';
import { until } from '../until.mjs';
import { untilShown } from './editor.mjs';

export function credentialDialog(page: Page): Locator {
	return page.getByTestId('editCredential-modal');
}

export async function connectFromNode(page: Page): Promise<void> {
	await page.getByTestId('node-credentials-empty-state').getByRole('button').click();
	await credentialDialog(page).waitFor();
}

export async function reopenCredential(page: Page): Promise<void> {
	await page.getByTestId('credential-edit-button').click();
	await credentialDialog(page).waitFor();
}

/** Opens the list of regions, which must be these, and picks the last. */
export async function pickRegion(page: Page, expected: string[]): Promise<void> {
	await credentialDialog(page).getByTestId('parameter-input-region').click();
	const regions = page.getByRole('option').filter({ visible: true });
	await untilShown(regions, expected);
	await regions.last().click();
}

export async function fillIn(page: Page, baseUrl: string): Promise<void> {
	await field(page, 'baseUrl').fill(baseUrl);
}

/** @param isTested Whether the test of the credential has reached the service. */
export async function saveKey(page: Page, apiKey: string, isTested: () => boolean): Promise<void> {
	await field(page, 'apiKey').fill(apiKey);
	// n8n may still be busy with the last save and take no notice of a click: then a person clicks again.
	for (let clicks = 1; !isTested(); clicks++) {
		await page.getByTestId('credential-save-button').click();
		await until('the credential is tested', 3000, isTested).catch((error: unknown) => {
			if (clicks === 3) throw error;
		});
	}
}

/** Unfolds 'More details' of the red box and waits for these words in it; returns all that is shown. */
export async function readRefusal(page: Page, words: string): Promise<string> {
	const dialog = credentialDialog(page);
	const heading = dialog.getByText('Couldn’t connect with these settings');
	await heading.waitFor();
	const more = dialog.getByText('More details');
	// It stays unfolded when the next test fails.
	if (await more.isVisible()) await more.click();
	await dialog.getByText(words).waitFor();
	return await dialog.innerText();
}

export async function closeDialog(page: Page): Promise<void> {
	await credentialDialog(page).getByRole('button', { name: 'Close' }).click();
	await credentialDialog(page).waitFor({ state: 'hidden' });
}

function field(page: Page, name: string): Locator {
	return credentialDialog(page).getByTestId(`parameter-input-${name}`).locator('input');
}
