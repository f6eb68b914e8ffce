import type { Locator, Page } from 'playwright-core';
import { until } from '../until.mjs';

/** What somebody types who has a dedicated deployment, as the stand-in is one. */
export interface CustomHost {
	baseUrl: string;
	apiKey: string;
}

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

/** Opens the list of regions, reads it and picks one. */
export async function pickRegion(page: Page, name: string): Promise<string[]> {
	await credentialDialog(page).getByTestId('parameter-input-region').click();
	const regions = page.getByRole('option').filter({ visible: true });
	await regions.first().waitFor();
	const names = await regions.allInnerTexts();
	await regions.filter({ hasText: name }).click();
	return names;
}

/** @param isTested Whether the test of the credential has reached the service. */
export async function fillInAndSave(
	page: Page,
	{ baseUrl, apiKey }: CustomHost,
	isTested: () => boolean,
): Promise<void> {
	await field(page, 'baseUrl').fill(baseUrl);
	await replaceKeyAndSave(page, apiKey, isTested);
}

export async function replaceKeyAndSave(
	page: Page,
	apiKey: string,
	isTested: () => boolean,
): Promise<void> {
	await field(page, 'apiKey').fill(apiKey);
	// n8n may still be busy with the last save and take no notice of a click: then a person clicks again.
	for (let clicks = 1; !isTested(); clicks++) {
		await page.getByTestId('credential-save-button').click();
		await until('the credential is tested', 3000, isTested).catch((error: unknown) => {
			if (clicks === 3) throw error;
		});
	}
}

/** The red box's heading, and the words behind its 'More details'. */
export async function readRefusal(page: Page): Promise<string> {
	const dialog = credentialDialog(page);
	const heading = dialog.getByText('Couldn’t connect with these settings');
	await heading.waitFor();
	const more = dialog.getByText('More details');
	// It stays unfolded when the next test fails.
	if (await more.isVisible()) await more.click();
	return await dialog.innerText();
}

export async function closeDialog(page: Page): Promise<void> {
	await credentialDialog(page).getByRole('button', { name: 'Close' }).click();
	await credentialDialog(page).waitFor({ state: 'hidden' });
}

function field(page: Page, name: string): Locator {
	return credentialDialog(page).getByTestId(`parameter-input-${name}`).locator('input');
}
