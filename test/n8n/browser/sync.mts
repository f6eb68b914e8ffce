import { isDeepStrictEqual } from 'node:util';
import { assertHolds, type Prove } from '../prove.mjs';
import { closeNode, openNode } from './canvas.mjs';
import { WINDOW } from './editor.mjs';
import type { Environment } from './environment.mjs';
import {
	assertLabels,
	assertOffered,
	executeStep,
	field,
	readHints,
	readOutput,
} from './nodeView.mjs';

const LABELS = ['Credential', 'Resource', 'Operation', 'Agent', 'Input Data Field Name'];
LABELS.push('Modified', 'Delete Old Version', 'Files No Longer in the Folder', 'Dry Run');
LABELS.push('Options');

const CHANGES = ['POST', 'PATCH', 'PUT', 'DELETE'];

/** A folder that is kept in step, tried dry first, as a careful person does. */
export async function proveSync(
	prove: Prove,
	{ page, service, open, takePicture }: Environment,
): Promise<void> {
	await prove(
		'Sync Files says what it takes, and what becomes of files that are gone',
		async () => {
			service.reset();
			await open('sync-folder');
			await openNode(page, 'Sync Files');
			await assertLabels(page, LABELS);
			const choices = ['Take From the Agent', 'Take From the Agent and Delete', 'Leave'];
			await assertOffered(page, 'goneFiles', choices);
		},
	);

	const actions = async () => {
		const rows = await readOutput(page);
		return rows.map(({ action, fileName }) => `${action} ${fileName}`);
	};
	const both = ['added menu.txt', 'added prices.csv'];

	await prove('Sync Files tried dry shows what it would do, and does nothing', async () => {
		service.clearLog();
		await executeStep(page);
		const shown = await actions();
		const wouldBe = both.map((done) => `would be ${done}`);
		assertHolds(isDeepStrictEqual(shown, wouldBe), `It shows ${shown.join(' | ')}`);
		const hints = (await readHints(page)).join(' ');
		assertHolds(hints.includes('Dry run'), hints);
		// An earlier proof may be asking still how far its files are.
		const sent = service.log.filter(
			({ method, operation }) => CHANGES.includes(method ?? '') && operation !== 'poll',
		);
		assertHolds(
			sent.length === 0,
			`It has sent ${sent.map(({ operation, kind }) => `${operation} (${kind})`).join()}.`,
		);
		await takePicture(page, 'sync-files', WINDOW);
	});

	await prove(
		'then it does what it has shown, and says that a run by hand is not noted',
		async () => {
			await field(page, 'dryRun').locator('.el-switch').click();
			await executeStep(page);
			await page.getByTestId('output-panel').getByText('indexed').first().waitFor();
			const done = await actions();
			assertHolds(isDeepStrictEqual(done, both), `It has done ${done.join(' | ')}`);
			const hints = (await readHints(page)).join(' ');
			assertHolds(hints.includes('n8n keeps no record of a run by hand'), hints);
			await closeNode(page);
		},
	);
}
