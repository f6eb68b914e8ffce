import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Prove } from '../prove.mjs';
import { NODE_NAME, panelItems, searchNodes } from './canvas.mjs';
import { untilShown, WINDOW } from './editor.mjs';
import { UPLOADED, type Environment } from './environment.mjs';
import {
	choose,
	dragIntoField,
	executeStep,
	field,
	openAgents,
	outputPanel,
	readError,
	readOutput,
} from './nodeView.mjs';

/** From an empty node with a credential to one that is ready to run. */
export async function proveFillingIn(prove: Prove, { page, service }: Environment): Promise<void> {
	const shown = ({ name, uid }: { name: string; uid: string }) => `${name} (${uid})`;

	await prove('an agent is found by typing a part of its name', async () => {
		await choose(page, 'operation', 'Add Files');
		const entries = await openAgents(page);
		for (const typed of ['Lisbon', 'Lisbon Ret']) {
			await page.getByTestId('rlc-search').fill(typed.toLowerCase());
			const found = service.agents().filter(({ name }) => name.startsWith(typed));
			await untilShown(entries, found.map(shown));
		}
		await entries.first().click();
		const agent = await field(page, 'uid').getByTestId('rlc-input').inputValue();
		assert.equal(agent, 'Lisbon Returns (lisbon-returns)');
	});

	await prove('a field of the step before is dragged into File IDs', async () => {
		await page.getByTestId('execute-previous-node').click();
		await dragIntoField(page, 'uploadIds', 'fileIds');
		await field(page, 'fileIds').getByText('{{ $json.uploadIds }}').waitFor();
		// A click elsewhere closes the result that covers the fields below.
		await outputPanel(page).getByText('Output', { exact: true }).click();
		const preview = page.getByTestId('parameter-expression-preview-fileIds');
		const text = (await preview.innerText()).replace(/\s/g, '');
		assert.equal(text, `[Array:${JSON.stringify(UPLOADED)}]`);
	});
}

/** What somebody sees after pressing 'Execute step' in it. */
export async function proveRunning(prove: Prove, { page, service }: Environment): Promise<void> {
	await prove('executing the step sends what was filled in, and the output says so', async () => {
		await executeStep(page);
		assert.deepEqual(await readOutput(page), [
			{
				success: 'true',
				operation: 'add',
				uid: 'lisbon-returns',
				sourceType: 'uploads',
				uniqueIds: UPLOADED.map((id, at) => `${at}:${id}`).join(' '),
			},
		]);
		assert.deepEqual(service.files('lisbon-returns', 'uploads'), UPLOADED);
	});

	await prove('an error shows what happened, what CometChat said and what to do', async () => {
		const message = `The knowledge base record ${UPLOADED[2]} does not exist.`;
		service.script({ status: 404, code: 'ERR_KB_NOT_FOUND', message });
		await executeStep(page);
		const said = await readError(page);
		for (const part of [`status 404 (ERR_KB_NOT_FOUND): ${message}`, "Check 'File IDs'"]) {
			assert.ok(said.includes(part), said);
		}
	});
}

/** What the README shows. */
export async function proveFirstWorkflow(
	prove: Prove,
	{ page, service, open, film, takePicture }: Environment,
): Promise<void> {
	await prove('from a form to an agent that knows the PDF', async () => {
		service.reset();
		await open('first-day-form');
		await film.step(page, 'Click + behind your form', page.getByTestId('canvas-handle-plus'));
		await searchNodes(page, 'upload pdf');
		const node = panelItems(page).filter({ hasText: NODE_NAME });
		await film.step(page, 'Type “upload pdf”', node);
		await node.click();
		const action = panelItems(page).filter({ hasText: 'Upload files and add them to an agent' });
		await film.step(page, 'Choose “Upload files”', action);
		await action.click();
		await page.getByTestId('ndv').waitFor();
		const agent = (await openAgents(page)).first();
		await film.step(page, 'Pick your agent', agent);
		await agent.click();
		const execute = page.getByTestId('node-execute-button');
		await film.step(page, 'Execute it', execute, page.getByTestId('node-parameters'));
		const look = async (form: Page) =>
			await film.step(form, 'Send the form with your PDF', form.locator('#submit-btn'));
		await sendForm(page, 'menu.pdf', look);
		const row = outputPanel(page).locator('tbody tr').first();
		await row.getByText('menu.pdf').first().waitFor();
		assert.equal(service.files('support-bot', 'uploads').length, 1);
		await film.step(page, 'Your agent can answer from it', row, outputPanel(page));
		film.end('first-workflow');
		await takePicture(page, 'upload-files', WINDOW);
	});
}

/**
 * Executes the step, and sends a PDF with the form that n8n then opens in a window of its own.
 *
 * @param look Called once the file is chosen.
 */
async function sendForm(
	page: Page,
	name: string,
	look: (form: Page) => Promise<void>,
): Promise<void> {
	const opened = page.waitForEvent('popup');
	await executeStep(page);
	const form = await opened;
	// A PDF, as far as the stand-in looks at one.
	const pdf = { name, mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') };
	await form.locator('input[type="file"]').setInputFiles(pdf);
	await look(form);
	await form.locator('#submit-btn').click();
	await form.locator('#submitted-form').filter({ visible: true }).waitFor();
	await form.close();
}
