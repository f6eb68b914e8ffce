import { resources } from '../../../nodes/CometChatKnowledgeBase/resources/registry.js';
import { assertHolds, type Prove } from '../prove.mjs';
import { KEYS, WRONG_KEY } from '../account.mjs';
import { NODE_NAME, nodeOnCanvas } from './canvas.mjs';
import {
	closeDialog,
	connectFromNode,
	credentialDialog,
	fillIn,
	pickRegion,
	readRefusal,
	reopenCredential,
	saveKey,
} from './credentialDialog.mjs';
import { untilDrawn, untilShown, WINDOW } from './editor.mjs';
import type { Environment } from './environment.mjs';
import { panelItems, searchNodes } from './nodePanel.mjs';
import { assertLabels, chosen } from './nodeView.mjs';

/** From the first look at the node panel to a credential whose test is green. */
export async function proveSettingUp(
	prove: Prove,
	{ page, service, takePicture, open }: Environment,
): Promise<void> {
	// One item that holds a list of IDs, as an upload step would put it out.
	await open('uploaded-files');

	await prove("typing 'cometchat' finds the node, with name, description and icon", async () => {
		await searchNodes(page, 'cometchat');
		const found = panelItems(page);
		const description =
			'Manage the knowledge base of a CometChat AI agent, or start a workflow when a document is added, indexed or cannot be read';
		await untilShown(found, [`${NODE_NAME}\n${description}`]);
		await untilDrawn(found.locator('img').first());
	});

	await prove(
		'the panel lists all actions by resource; choosing one adds the node with it, its fields in the order in which they are filled in',
		async () => {
			await panelItems(page).first().click();
			// The panel of before is there until the new one has slid in.
			const actions = resources.flatMap(({ name, operations }) => [
				`${name.toUpperCase()} ACTIONS`,
				...operations.map(({ action }) => action),
			]);
			await untilShown(panelItems(page), actions);
			await takePicture(page, 'node-panel', { x: 440, y: 0, width: 1000, height: 760 });
			await panelItems(page).filter({ hasText: 'Remove files' }).click();
			await page.getByTestId('ndv').waitFor();
			const operation = await chosen(page, 'operation');
			assertHolds(operation === 'Remove Files', `The node opens with '${operation}'.`);
			// n8n names a node after its action once there are several resources.
			await nodeOnCanvas(page, 'Remove files from an agent').waitFor();
			const before = ['Credential', 'Resource', 'Operation', 'Agent'];
			const after = ['Source Type', 'Files', 'File IDs', 'Options'];
			await assertLabels(page, [...before, ...after]);
		},
	);

	const isTested = () => service.log.some(({ kind }) => kind === 'answered');
	await prove('a wrong key turns the credential red, in words and without the key', async () => {
		await connectFromNode(page);
		await pickRegion(page, ['US', 'EU', 'India', 'Custom Host']);
		await fillIn(page, service.baseUrl);
		for (const [key, ...expected] of [
			[WRONG_KEY, 'CometChat did not accept the API key', 'REST API Key', 'not the Auth Key'],
			[KEYS.authKey, 'The API key may not manage AI agents', 'It is probably the Auth Key'],
		] as const) {
			service.clearLog();
			await saveKey(page, key, isTested);
			const words = await readRefusal(page, expected[0]);
			for (const part of expected) {
				assertHolds(words.includes(part), `'${part}' is not in what is shown: ${words}`);
			}
			// The stand-in answers as the live service does: with both ends of the key that it refuses.
			const shown = [key.slice(0, 5), key.slice(-5)].filter((end) => words.includes(end));
			assertHolds(shown.length === 0, `A part of the key is shown: ${words}`);
		}
	});

	await prove('the REST API Key turns it green, with one request', async () => {
		service.clearLog();
		await saveKey(page, KEYS.apiKey, isTested);
		// n8n closes the dialog of a credential that has passed.
		await credentialDialog(page).waitFor({ state: 'hidden' });
		assertHolds(service.log.length === 2, `The stand-in saw ${service.log.length / 2} requests.`);
		await reopenCredential(page);
		await credentialDialog(page).getByText('Connection tested successfully').waitFor();
		await takePicture(page, 'credential', WINDOW);
		await closeDialog(page);
	});
}
