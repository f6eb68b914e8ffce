import type { Page } from 'playwright-core';

export interface FormFile {
	name: string;
	mimeType: string;
	buffer: Buffer;
}

/** A PDF, as far as the stand-in looks at one. */
export function pdf(name: string): FormFile {
	return { name, mimeType: 'application/pdf', buffer: Buffer.from(`%PDF-1.4 ${name}`) };
}

/**
 * Fills in the form that n8n opens in a window of its own, as whoever tries the workflow does.
 *
 * @param begin Lets n8n open it.
 * @param look Called once the files are chosen.
 */
export async function sendForm(
	page: Page,
	files: FormFile[],
	begin: () => Promise<void>,
	look: (form: Page) => Promise<void> = async () => {},
): Promise<void> {
	const opened = page.waitForEvent('popup');
	const begun = begin();
	const form = await opened;
	await form.locator('input[type="file"]').setInputFiles(files);
	await look(form);
	await form.locator('#submit-btn').click();
	await form.locator('#submitted-form').filter({ visible: true }).waitFor();
	await begun;
	await form.close();
}
