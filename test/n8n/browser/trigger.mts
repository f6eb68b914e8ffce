import { isDeepStrictEqual } from 'node:util';
import { assertHolds, type Prove } from '../prove.mjs';
import { EXAMPLES } from '../workflows.mjs';
import { closeNode, nodeOnCanvas, openNode } from './canvas.mjs';
import { assertInFull, WINDOW } from './editor.mjs';
import type { Environment } from './environment.mjs';
import { addOption, assertLabels, executeStep, field, readError, readOutput } from './nodeView.mjs';

const EXAMPLE = 'alert-when-indexing-fails';
const NODE = 'Indexing Failed';
const LABELS = ['Credential', 'Poll Times', 'Mode', 'Value', 'Unit', 'Events', 'Filters'];

/** The trigger, as somebody sets it up. */
export async function proveTrigger(
	prove: Prove,
	{ page, service, open, takePicture }: Environment,
): Promise<void> {
	await prove('the trigger says on the canvas what it waits for', async () => {
		service.reset();
		await open('trigger');
		await nodeOnCanvas(page, 'Documents')
			.getByText('Document Added, Indexing Failed, Indexing Finished')
			.waitFor();
	});

	await prove('the trigger shows the newest document that has come to its event', async () => {
		await open(EXAMPLE, EXAMPLES);
		await openNode(page, NODE);
		await assertLabels(page, LABELS);
		for (const filter of ['Name Contains', 'Source Type']) await addOption(page, filter);
		await field(page, 'nameContains').locator('input').fill('summer sale');
		await executeStep(page);
		const [row] = await readOutput(page);
		const [record] = service.records().filter(({ status }) => status === 'failed');
		const shown = [row?.event, row?.name, row?.status];
		const expected = ['indexingFailed', record?.sourceName, 'failed'];
		assertHolds(isDeepStrictEqual(shown, expected), `The output is ${JSON.stringify(row)}`);
		await takePicture(page, 'trigger', WINDOW);
	});

	await prove('the agent of its filter is picked from the list; events are explained', async () => {
		await addOption(page, 'Agent');
		await field(page, 'uid').getByTestId('rlc-input').click();
		await page.getByTestId('rlc-item').first().waitFor();
		await page.keyboard.press('Escape');
		await field(page, 'events').click();
		const descriptions = page.locator('.option-description').filter({ visible: true });
		await descriptions.first().waitFor();
		assertHolds((await descriptions.count()) === 3, 'Not all events are explained.');
		await assertInFull(descriptions);
		await page.keyboard.press('Escape');
	});

	await prove('the trigger says so where there is nothing to show', async () => {
		await open(EXAMPLE, EXAMPLES);
		await openNode(page, NODE);
		await addOption(page, 'Name Contains');
		await field(page, 'nameContains').locator('input').fill('nothing like it');
		await executeStep(page);
		const { message } = await readError(page);
		assertHolds(message.includes('No data with the current filter'), message);
		await closeNode(page);
	});
}
