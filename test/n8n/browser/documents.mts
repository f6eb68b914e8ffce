import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { REPOSITORY } from '../install.mjs';
import { assertHolds, type Prove } from '../prove.mjs';
import { until } from '../until.mjs';
import { closeNode, openNode } from './canvas.mjs';
import { cutOff, openWorkflow, WINDOW } from './editor.mjs';
import { choose, chosen, field, fieldLabels, openChoices } from './nodeView.mjs';
import type { Stage } from './stage.mjs';

const WORKFLOWS = join(REPOSITORY, 'test/n8n/workflows');

/** The operations on files, and the fields of a workflow that knew none of them. */
export async function proveDocuments(prove: Prove, stage: Stage): Promise<void> {
	const { page, service, takePicture } = stage;
	const open = async (workflow: string) => {
		await openWorkflow(page, await stage.importWorkflow(join(WORKFLOWS, `${workflow}.json`)));
	};

	await prove('a workflow saved with version 0.1.0 opens as what it was saved as', async () => {
		await open('saved-with-0.1.0');
		for (const [name, operation] of [
			['Every Option Set', 'Add Files'],
			['Agent from List', 'Remove Files'],
			['Nothing but Defaults', 'Add Files'],
		] as const) {
			await openNode(page, name);
			const shown = [
				await chosen(page, 'resource'),
				await chosen(page, 'operation'),
				await chosen(page, 'filesBy'),
			];
			const expected = ["Agent's Knowledge Base", operation, 'By ID'];
			assertHolds(isDeepStrictEqual(shown, expected), `${name} opens as ${shown.join(' | ')}`);
			await closeNode(page);
		}
	});

	await prove('every operation on files is explained in full', async () => {
		await open('upload-large-file');
		await openNode(page, 'Upload Files');
		const choices = await openChoices(page, 'operation');
		const shown = await choices.locator('.option-headline').allInnerTexts();
		const expected = ['Add Text', 'Delete Files', 'Get Many Files', 'Get Status', 'Upload Files'];
		assertHolds(isDeepStrictEqual(shown.slice(0, 5), expected), `It offers: ${shown.join(' | ')}`);
		const explanations = choices.locator('.option-description');
		const count = await explanations.count();
		assertHolds(count === expected.length, `${count} choices are explained.`);
		await assertInFull(explanations);
		await page.keyboard.press('Escape');
		await choices.first().waitFor({ state: 'hidden' });
	});

	await prove(
		'Upload Files asks for an agent only if the files are to be added to one',
		async () => {
			const before = ['Credential', 'Resource', 'Operation', 'Input Data Field Name'];
			before.push('Wait Until Indexed', 'Add to Agent');
			await assertLabels(page, [...before, 'Options']);
			await field(page, 'addToAgent').locator('.el-switch').click();
			await field(page, 'uid').waitFor();
			await assertLabels(page, [...before, 'Agent', 'Options']);
			await takePicture(page, 'upload-files', WINDOW);
			await closeNode(page);
		},
	);

	await prove('files are picked from a list with their names, status and IDs', async () => {
		service.reset();
		await open('upload-then-add');
		await openNode(page, 'Add Files');
		await choose(page, 'filesBy', 'From List');
		const of = (type: string) =>
			service.records().flatMap(({ sourceName, status, uniqueId, ...record }) => {
				return record.type === type ? [`${sourceName} (${status})\n${uniqueId}`] : [];
			});
		const uploads = await openFiles(page, of('uploads'));
		await assertInFull(uploads.locator('.option-headline'));
		await takePicture(page, 'file-list', WINDOW);
		await uploads.first().click();
		await page.keyboard.press('Escape');
		await field(page, 'pickedFiles')
			.getByText(service.records()[0]?.sourceName ?? '')
			.waitFor();

		await choose(page, 'sourceType', 'Text');
		await assertInFull((await openFiles(page, of('text-details'))).locator('.option-headline'));
		await page.keyboard.press('Escape');
		await closeNode(page);
	});
}

/** Opens the list of files, and waits until it shows these and no others. */
async function openFiles(page: Page, expected: string[]): Promise<Locator> {
	assertHolds(expected.length > 0, 'The account has no such files.');
	await field(page, 'pickedFiles').click();
	const files = page.locator('.el-select-dropdown__item').filter({ visible: true });
	await until(`the list shows ${expected.join(', ')}`, 30_000, async () => {
		const shown = (await files.allInnerTexts()).map((text) => text.trim());
		return isDeepStrictEqual(shown, expected);
	});
	return files;
}

async function assertInFull(elements: Locator): Promise<void> {
	const cut = await cutOff(elements);
	assertHolds(cut.length === 0, `Cut off: ${cut.join(' | ')}`);
}

async function assertLabels(page: Page, expected: string[]): Promise<void> {
	const { texts, elements } = await fieldLabels(page);
	assertHolds(isDeepStrictEqual(texts, expected), `The labels are: ${texts.join(' | ')}`);
	await assertInFull(elements);
}
