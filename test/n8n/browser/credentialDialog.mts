import type { Locator, Page } from 'playwright-core';

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

export async function fillInAndSave(page: Page, { baseUrl, apiKey }: CustomHost): Promise<void> {
	await field(page, 'baseUrl').fill(baseUrl);
	await replaceKeyAndSave(page, apiKey);
}

export async function replaceKeyAndSave(page: Page, apiKey: string): Promise<void> {
	await field(page, 'apiKey').fill(apiKey);
	await page.getByTestId('credential-save-button').click();
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
