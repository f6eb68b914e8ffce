import { isDeepStrictEqual } from 'node:util';
import { assertHolds, type Prove } from '../prove.mjs';
import { WINDOW } from './editor.mjs';
import { UPLOADED, type Environment } from './environment.mjs';
import { executeStep, field, outputPanel, readError, readHints, readOutput } from './nodeView.mjs';

/** What somebody sees after pressing 'Execute step' in the node that is filled in. */
export async function proveRunningTheStep(
	prove: Prove,
	{ page, service, takePicture }: Environment,
): Promise<void> {
	await prove('executing the step sends what was filled in, and the output says so', async () => {
		await executeStep(page);
		const rows = await readOutput(page);
		const expected = {
			success: 'true',
			operation: 'add',
			uid: 'lisbon-returns',
			sourceType: 'uploads',
			uniqueIds: UPLOADED.map((id, at) => `${at}:${id}`).join(' '),
		};
		assertHolds(isDeepStrictEqual(rows, [expected]), `The output is ${JSON.stringify(rows)}`);
		const held = service.files('lisbon-returns', 'uploads').join();
		assertHolds(held === UPLOADED.join(), `The agent holds ${held}.`);
		await takePicture(page, 'node', WINDOW);
	});

	await prove('an error shows what happened, what CometChat said and what to do', async () => {
		const message = `The knowledge base record ${UPLOADED[2]} does not exist.`;
		service.script({ status: 404, code: 'ERR_KB_NOT_FOUND', message });
		await executeStep(page);
		const error = await readError(page);
		const said = `${error.message} ${error.description}`;
		const words = ['[item 0]', `status 404 (ERR_KB_NOT_FOUND): ${message}`, "Check 'File IDs'"];
		assertHolds(
			words.every((each) => said.includes(each)),
			`The error is ${said}`,
		);
		await takePicture(page, 'error', WINDOW);
	});

	await prove('hints tell of repeated file IDs and of an item that was sent again', async () => {
		const [repeated, other] = UPLOADED;
		await field(page, 'fileIds').hover();
		await page.getByTestId('fileIds-parameter-input-options-container').getByText('Fixed').click();
		await field(page, 'fileIds').locator('textarea').fill(`${repeated}, ${other}\n${repeated}`);
		service.script({ status: 503, retryAfter: '2' });
		await executeStep(page);
		await outputPanel(page).getByText(other).waitFor();
		const hints = await readHints(page);
		for (const expected of [/^1 repeated file ID was sent once only/, /sent more than once/]) {
			assertHolds(
				hints.some((hint) => expected.test(hint)),
				`No hint like ${expected} among: ${hints.join(' | ')}`,
			);
		}
		await takePicture(page, 'hints', WINDOW);
	});
}
