import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Prove } from '../prove.mjs';
import { actionOf, NODE_NAME, panelItems, searchNodes } from './canvas.mjs';
import { WINDOW } from './editor.mjs';
import type { Environment } from './environment.mjs';
import { executeStep, openAgents, outputPanel } from './nodeView.mjs';

export async function proveFirstWorkflow(
	prove: Prove,
	{ page, service, open, film, takePicture }: Environment,
): Promise<void> {
	await prove('a PDF from a form is uploaded and added to an agent', async () => {
		service.reset();
		await open('first-day-form');
		await film.step(page, 'Click + after your form', page.getByTestId('canvas-handle-plus'));
		await searchNodes(page, 'upload pdf');
		const node = panelItems(page).filter({ hasText: NODE_NAME });
		await film.step(page, 'Type “upload pdf”', node);
		await node.click();
		const upload = actionOf('document', 'upload');
		const action = panelItems(page).filter({ hasText: upload });
		await film.step(page, `Choose “${upload}”`, action);
		await action.click();
		await page.getByTestId('ndv').waitFor();
		const agent = (await openAgents(page)).first();
		await film.step(page, 'Choose your agent', agent);
		await agent.click();
		const execute = page.getByTestId('node-execute-button');
		await film.step(page, 'Execute the step', execute, page.getByTestId('node-parameters'));
		const look = async (form: Page) =>
			await film.step(form, 'Upload your PDF in the form', form.locator('#submit-btn'));
		await sendForm(page, 'menu.pdf', look);
		const row = outputPanel(page).locator('tbody tr').first();
		await row.getByText('menu.pdf').first().waitFor();
		assert.equal(service.files('support-bot', 'uploads').length, 1);
		await film.step(page, 'Your agent can answer from the PDF', row, outputPanel(page));
		film.end('first-workflow');
		await takePicture(page, 'upload-files', WINDOW);
	});
}

/** Executes the step, and sends a PDF with n8n's form. @param look Called once the file is chosen. */
async function sendForm(
	page: Page,
	name: string,
	look: (form: Page) => Promise<void>,
): Promise<void> {
	const opened = page.waitForEvent('popup');
	await executeStep(page);
	const form = await opened;
	// Enough of a PDF for the simulation.
	const pdf = { name, mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') };
	await form.locator('input[type="file"]').setInputFiles(pdf);
	await look(form);
	await form.locator('#submit-btn').click();
	await form.locator('#submitted-form').filter({ visible: true }).waitFor();
	await form.close();
}
