import { document } from '../../../nodes/CometChatKnowledgeBase/resources/document/index.js';
import { isDeepStrictEqual } from 'node:util';
import { assertHolds, type Prove } from '../prove.mjs';
import { until } from '../until.mjs';
import { closeNode, openNode } from './canvas.mjs';
import { assertInFull, untilShown, WINDOW } from './editor.mjs';
import type { Environment } from './environment.mjs';
import { assertLabels, assertOffered, choose, chosen, field } from './nodeView.mjs';

/** The operations on documents, and the fields of a workflow that knew none of them. */
export async function proveDocuments(
	prove: Prove,
	{ page, service, open, takePicture }: Environment,
): Promise<void> {
	await prove('a workflow saved with version 0.1.0 opens as what it was saved as', async () => {
		await open('saved-with-0.1.0');
		for (const [name, operation] of [
			['Every Option Set', 'Add Files'],
			['Agent from List', 'Remove Files'],
			['Nothing but Defaults', 'Add Files'],
		] as const) {
			await openNode(page, name);
			const shown: string[] = [];
			for (const each of ['resource', 'operation', 'filesBy']) shown.push(await chosen(page, each));
			const expected = ["Agent's Knowledge Base", operation, 'By ID'];
			assertHolds(isDeepStrictEqual(shown, expected), `${name} opens as ${shown.join(' | ')}`);
			await closeNode(page);
		}
	});

	await prove(
		'operations on documents are explained in full; Upload asks for an agent unless the files are to be added to none',
		async () => {
			await open('upload-large-file');
			await openNode(page, 'Upload Files');
			await assertOffered(
				page,
				'operation',
				document.operations.map(({ name }) => name),
			);
			const before = ['Credential', 'Resource', 'Operation', 'Input Data Field Name'];
			before.push('Add to Agent');
			const after = ['Wait Until Indexed', 'Options', 'Request Options'];
			await assertLabels(page, [...before, ...after]);
			await field(page, 'addToAgent').locator('.el-switch').click();
			await field(page, 'uid').waitFor();
			await assertLabels(page, [...before, 'Agent', ...after]);
			await takePicture(page, 'upload-files', WINDOW);
			await closeNode(page);
		},
	);

	await prove('files are picked from a list with their names, status and IDs', async () => {
		service.reset();
		await open('upload-then-add');
		await openNode(page, 'Add Files');
		await choose(page, 'filesBy', 'From List');
		const files = page.locator('.el-select-dropdown__item').filter({ visible: true });
		const openFiles = async (type: string) => {
			const expected = service.records().filter((record) => record.type === type);
			// n8n may close the list as its entries come: then a person opens it again.
			await until('the list of files stays open', 30_000, async () => {
				if ((await files.count()) === 0) await field(page, 'pickedFiles').click();
				await page.waitForTimeout(1000);
				return (await files.count()) > 0;
			});
			await untilShown(
				files,
				expected.map(
					({ sourceName, status, uniqueId }) => `${sourceName} (${status})\n${uniqueId}`,
				),
			);
			await assertInFull(files.locator('.option-headline'));
			return expected;
		};
		const [first] = await openFiles('uploads');
		await takePicture(page, 'file-list', WINDOW);
		await files.first().click();
		await page.keyboard.press('Escape');
		await field(page, 'pickedFiles')
			.getByText(first?.sourceName ?? '')
			.waitFor();

		await choose(page, 'sourceType', 'Text');
		await openFiles('text-details');
		await page.keyboard.press('Escape');
		await closeNode(page);
	});
}
