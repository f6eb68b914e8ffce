import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { assertHolds, type Prove } from '../prove.mjs';
import { NODE_NAME, nodeOnCanvas } from './canvas.mjs';
import {
	closeDialog,
	connectFromNode,
	credentialDialog,
	fillInAndSave,
	pickRegion,
	readRefusal,
	reopenCredential,
	replaceKeyAndSave,
} from './credentialDialog.mjs';
import { until } from '../until.mjs';
import { cutOff, openWorkflow, untilDrawn, WINDOW } from './editor.mjs';
import { panelItems, searchNodes } from './nodePanel.mjs';
import { chosen, fieldLabels } from './nodeView.mjs';
import { KEYS, type Stage } from './stage.mjs';

/** A workflow with one item that holds a list of IDs, as an upload step would put it out. */
const UPLOADED_FILES = join(import.meta.dirname, 'uploaded-files.json');

/** From the first look at the node panel to a credential whose test is green. */
export async function proveSettingUp(prove: Prove, stage: Stage): Promise<void> {
	const { page, service, takePicture } = stage;
	const isTested = () => service.log.some(({ kind }) => kind === 'answered');
	await openWorkflow(page, await stage.importWorkflow(UPLOADED_FILES));

	await prove("typing 'cometchat' finds the node, with name, description and icon", async () => {
		await searchNodes(page, 'cometchat');
		const found = panelItems(page);
		await until('one node is listed', 30_000, async () => (await found.count()) === 1);
		const words = (await found.innerText()).split(/\n+/);
		const expected = [
			NODE_NAME,
			'Manage the knowledge base of a CometChat AI agent: upload, add, replace and remove files',
		];
		assertHolds(isDeepStrictEqual(words, expected), `The panel shows: ${words.join(' | ')}`);
		await untilDrawn(found.locator('img').first());
	});

	await prove(
		'the panel lists all actions by resource; choosing one adds the node with it',
		async () => {
			await panelItems(page).first().click();
			const actions = panelItems(page);
			const expected = [
				"AGENT'S KNOWLEDGE BASE ACTIONS",
				'Add files to knowledge base',
				'Remove files from knowledge base',
				'Replace file in knowledge base',
				'FILE ACTIONS',
				'Add text',
				'Delete files',
				'Get many files',
				'Get the indexing status of files',
				'Upload files',
			];
			// The panel of before is there until the new one has slid in.
			await until(`the panel offers ${expected.join(' | ')}`, 10_000, async () => {
				return isDeepStrictEqual(await actions.allInnerTexts(), expected);
			});
			await takePicture(page, 'node-panel', { x: 440, y: 0, width: 1000, height: 760 });
			await actions.filter({ hasText: 'Remove' }).click();
			await page.getByTestId('ndv').waitFor();
			const operation = await chosen(page, 'operation');
			assertHolds(operation === 'Remove Files', `The node opens with '${operation}'.`);
			// n8n names a node after its action once there are several resources.
			await nodeOnCanvas(page, 'Remove files from knowledge base').waitFor();
		},
	);

	await prove('the node shows its fields in the order in which they are filled in', async () => {
		const { texts, elements } = await fieldLabels(page);
		const expected = [
			'Credential',
			'Resource',
			'Operation',
			'Agent',
			'Source Type',
			'Files',
			'File IDs',
			'Options',
		];
		assertHolds(isDeepStrictEqual(texts, expected), `The labels are: ${texts.join(' | ')}`);
		const cut = await cutOff(elements);
		assertHolds(cut.length === 0, `Cut off: ${cut.join(' | ')}`);
	});

	await prove(
		'a wrong API key turns the credential red, and the words say what to do',
		async () => {
			await connectFromNode(page);
			const regions = await pickRegion(page, 'Custom Host');
			const expected = ['US', 'EU', 'India', 'Custom Host'];
			assertHolds(isDeepStrictEqual(regions, expected), `The regions are: ${regions.join(' | ')}`);
			const { baseUrl } = service;
			service.clearLog();
			const apiKey = 'f00dfeedf00dfeedf00dfeedf00dfeedf00d-rest';
			await fillInAndSave(page, { baseUrl, apiKey }, isTested);
			const words = await readRefusal(page);
			assertSays(words, 'CometChat did not accept the API key', 'REST API Key', 'not the Auth Key');
			assertHidden(words, apiKey);
			assertTestedOnce(stage, apiKey, 401);
		},
	);

	await prove('the Auth Key turns it red with words of its own', async () => {
		service.clearLog();
		await replaceKeyAndSave(page, KEYS.authKey, isTested);
		await credentialDialog(page).getByText('The API key may not manage AI agents').waitFor();
		const words = await readRefusal(page);
		assertSays(words, 'It is probably the Auth Key', 'REST API Key');
		assertHidden(words, KEYS.authKey);
		assertTestedOnce(stage, KEYS.authKey, 403);
	});

	await prove(
		'the REST API Key turns it green, with one request that reads one agent',
		async () => {
			service.clearLog();
			await replaceKeyAndSave(page, KEYS.apiKey, isTested);
			// n8n closes the dialog of a credential that has passed.
			await credentialDialog(page).waitFor({ state: 'hidden' });
			assertTestedOnce(stage, KEYS.apiKey, 200);
			await reopenCredential(page);
			await credentialDialog(page).getByText('Connection tested successfully').waitFor();
			await takePicture(page, 'credential', WINDOW);
			await closeDialog(page);
		},
	);
}

function assertSays(words: string, ...expected: string[]): void {
	for (const part of expected) {
		assertHolds(words.includes(part), `'${part}' is not in what is shown: ${words}`);
	}
}

/** The stand-in answers as the live service does: with both ends of the key that it refuses. */
function assertHidden(words: string, apiKey: string): void {
	const ends = [apiKey.slice(0, 5), apiKey.slice(-5)];
	assertHolds(!ends.some((end) => words.includes(end)), `A part of the key is shown: ${words}`);
}

function assertTestedOnce({ service }: Stage, apiKey: string, status: number): void {
	const answered = service.log.filter(({ kind }) => kind === 'answered');
	const seen = answered.map(({ method, path, headers, status: given }) =>
		[method, path, headers.apikey, given].join(' '),
	);
	const expected = ['GET', '/v3/ai-agents/agent-builder/agents?limit=1', apiKey, status].join(' ');
	assertHolds(isDeepStrictEqual(seen, [expected]), `The stand-in saw: ${seen.join(' | ')}`);
}
