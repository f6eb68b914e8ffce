import { isDeepStrictEqual } from 'node:util';
import { assertHolds, type Prove } from '../prove.mjs';
import { WINDOW } from './editor.mjs';
import {
	choose,
	executeStep,
	field,
	outputPanel,
	readError,
	readHints,
	readOutput,
	unfoldErrorDetails,
} from './nodeView.mjs';
import { KEYS, type Stage } from './stage.mjs';

/** What somebody sees after pressing 'Execute step' in the node that is filled in. */
export async function proveRunningTheStep(prove: Prove, stage: Stage): Promise<void> {
	const { page, service, takePicture } = stage;

	await prove('executing the step sends what was filled in, and the output says so', async () => {
		service.clearLog();
		await executeStep(page);
		const rows = await readOutput(page);
		const expected = {
			success: 'true',
			operation: 'add',
			uid: 'lisbon-returns',
			sourceType: 'uploads',
			uniqueIds: '0:returns-2026 1:warranty-2026 2:shipping-2026',
		};
		assertHolds(isDeepStrictEqual(rows, [expected]), `The output is ${JSON.stringify(rows)}`);
		assertSent(stage, 'add lisbon-returns uploads returns-2026,warranty-2026,shipping-2026');
		const held = service.files('lisbon-returns', 'uploads').join();
		assertHolds(held === 'returns-2026,warranty-2026,shipping-2026', `The agent holds ${held}.`);
		await takePicture(page, 'node', WINDOW);
	});

	await prove('an error shows what happened, what CometChat said and what to do', async () => {
		const message = 'The knowledge base record shipping-2026 does not exist.';
		service.script({ status: 404, code: 'ERR_KB_NOT_FOUND', message });
		await executeStep(page);
		const error = await readError(page);
		const expected = {
			message: 'CometChat does not know one of these files [item 0]',
			description:
				`CometChat answered with status 404 (ERR_KB_NOT_FOUND): ${message} The files were not added. ` +
				"Check 'File IDs', and that 'Source Type' fits them: an upload's ID with Uploads, a text entry's ID with Text.",
		};
		assertHolds(isDeepStrictEqual(error, expected), `The error is ${JSON.stringify(error)}`);
		await takePicture(page, 'error', WINDOW);
	});

	await prove('no error shows the API key, also if CometChat repeats it', async () => {
		service.script({ status: 400, message: `The key ${KEYS.apiKey} is not for this.` });
		await executeStep(page);
		// In the description, and once more in the folded details.
		await outputPanel(page).getByText('The key [API Key] is not for this.').first().waitFor();
		await unfoldErrorDetails(page);
		const text = await page.locator('body').innerText();
		assertHolds(text.includes('Stack trace'), 'The details of the error are not unfolded.');
		assertHolds(!text.includes(KEYS.apiKey), 'The page shows the API key.');
	});

	await prove('hints tell of repeated file IDs and of an item that was sent again', async () => {
		await field(page, 'fileIds').hover();
		await page.getByTestId('fileIds-parameter-input-options-container').getByText('Fixed').click();
		await field(page, 'fileIds').locator('textarea').fill('returns-2026, faq-2026\nreturns-2026');
		service.clearLog();
		service.script({ status: 503, retryAfter: '2' });
		await executeStep(page);
		await outputPanel(page).getByText('faq-2026').waitFor();
		const hints = await readHints(page);
		for (const expected of [/^1 repeated file ID was sent once only/, /sent more than once/]) {
			assertHolds(
				hints.some((hint) => expected.test(hint)),
				`No hint like ${expected} among: ${hints.join(' | ')}`,
			);
		}
		const request = 'add lisbon-returns uploads returns-2026,faq-2026';
		assertSent(stage, request, request);
		await takePicture(page, 'hints', WINDOW);
	});

	await prove('Remove Files and another Source Type are sent as they were chosen', async () => {
		await choose(page, 'operation', 'Remove Files');
		await choose(page, 'sourceType', 'Text');
		service.clearLog();
		await executeStep(page);
		await outputPanel(page).getByRole('cell', { name: 'remove' }).waitFor();
		assertSent(stage, 'remove lisbon-returns text returns-2026,faq-2026');
	});
}

function assertSent({ service }: Stage, ...expected: string[]): void {
	const sent = service
		.requests()
		.map(({ operation, uid, sourceType, uniqueIds = [] }) =>
			[operation, uid, sourceType, uniqueIds.join()].join(' '),
		);
	assertHolds(isDeepStrictEqual(sent, expected), `The stand-in saw: ${sent.join(' | ')}`);
}
