import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { CometChatKnowledgeBaseTrigger } from '../../../nodes/CometChatKnowledgeBase/CometChatKnowledgeBaseTrigger.node.js';
import { resources } from '../../../nodes/CometChatKnowledgeBase/resources/registry.js';
import { KEYS, WRONG_KEY } from '../account.mjs';
import type { Prove } from '../prove.mjs';
import { until } from '../until.mjs';
import { actionOf, NODE_NAME, nodeOnCanvas, panelItems, searchNodes } from './canvas.mjs';
import { untilDrawn, untilShown, WINDOW } from './editor.mjs';
import type { Environment } from './environment.mjs';
import { chosen } from './nodeView.mjs';

/** Search words of users who don't know the node's name. */
const SEARCHED = [
	...['upload pdf', 'pdf', 'upload file', 'upload a file', 'replace file', 'update file'],
	...['delete document', 'sync files', 'folder sync', 'train agent', 'agent files', 'faq'],
	...['comet chat', 'knowledge', 'knowledge base', 'crawl website', 'website status'],
	...['ask agent', 'create agent', 'list documents', 'indexing failed', 'delete text'],
];

export async function provePanel(prove: Prove, { page, open }: Environment): Promise<void> {
	await open('first-day-form');
	const found = panelItems(page);
	await prove('the node is found by what it is for; its own name finds it alone', async () => {
		await searchNodes(page, '');
		const own = found.filter({ hasText: NODE_NAME });
		for (const typed of SEARCHED) {
			await page.getByTestId('node-creator-search-bar').fill(typed);
			await own.waitFor();
		}
		await page.getByTestId('node-creator-search-bar').fill('cometchat');
		const { description } = new CometChatKnowledgeBaseTrigger().description;
		await untilShown(found, [`${NODE_NAME}\n${description}`]);
		await untilDrawn(found.locator('img').first());
	});

	await prove(
		'the panel lists all actions by resource; choosing one adds the node with it',
		async () => {
			await found.first().click();
			// The previous panel is shown until the new one has slid in.
			const actions = resources.flatMap(({ name, operations }) => [
				`${name.toUpperCase()} ACTIONS`,
				...operations.map(({ action }) => action),
			]);
			await untilShown(found, actions);
			const action = actionOf('knowledgeBase', 'remove');
			await found.filter({ hasText: action }).click();
			await page.getByTestId('ndv').waitFor();
			assert.equal(await chosen(page, 'operation'), 'Remove Files');
			// n8n names a node after its action once there are several resources.
			await nodeOnCanvas(page, action).waitFor();
		},
	);
}

/** Proves the credential in the added node: its test fails, and finally succeeds. */
export async function proveCredential(
	prove: Prove,
	{ page, service, takePicture }: Environment,
): Promise<void> {
	const isTested = () => service.log.some(({ kind }) => kind === 'answered');
	const dialog = dialogOf(page);
	await prove('a wrong key turns the credential red, in words and without the key', async () => {
		await page.getByTestId('node-credentials-empty-state').getByRole('button').click();
		await dialog.getByTestId('parameter-input-region').click();
		const regions = page.getByRole('option').filter({ visible: true });
		await untilShown(regions, ['US', 'EU', 'India', 'Custom Host']);
		await regions.last().click();
		await fieldOf(page, 'baseUrl').fill(service.baseUrl);
		for (const [key, ...expected] of [
			[WRONG_KEY, 'CometChat did not accept the API key', 'REST API Key', 'not the Auth Key'],
			[KEYS.authKey, "The API key isn't allowed to manage AI agents", 'not the Auth Key'],
		] as const) {
			service.clearLog();
			await saveKey(page, key, isTested);
			const words = await readRefusal(page, expected[0]);
			for (const part of expected) assert.ok(words.includes(part), words);
			// The simulation responds like the live service: with both ends of the refused key.
			for (const end of [key.slice(0, 5), key.slice(-5)]) assert.ok(!words.includes(end), words);
		}
	});

	await prove('the REST API Key turns it green', async () => {
		service.clearLog();
		await saveKey(page, KEYS.apiKey, isTested);
		// n8n closes the dialog after a successful test.
		await dialog.waitFor({ state: 'hidden' });
		await page.getByTestId('credential-edit-button').click();
		await dialog.getByText('Connection tested successfully').waitFor();
		await takePicture(page, 'credential', WINDOW);
		await dialog.getByRole('button', { name: 'Close' }).click();
		await dialog.waitFor({ state: 'hidden' });
	});
}

function dialogOf(page: Page): Locator {
	return page.getByTestId('editCredential-modal');
}

function fieldOf(page: Page, name: string): Locator {
	return dialogOf(page).getByTestId(`parameter-input-${name}`).locator('input');
}

/** @param isTested Whether the test of the credential has reached the service. */
async function saveKey(page: Page, apiKey: string, isTested: () => boolean): Promise<void> {
	await fieldOf(page, 'apiKey').fill(apiKey);
	// n8n may ignore a click while it saves. A user would then click again.
	for (let clicks = 1; !isTested(); clicks++) {
		await page.getByTestId('credential-save-button').click();
		await until('the credential is tested', 10_000, isTested).catch((error: unknown) => {
			if (clicks === 3) throw error;
		});
	}
}

/** Opens 'More details' of the red box and waits for these words; returns the shown text. */
async function readRefusal(page: Page, words: string): Promise<string> {
	const dialog = dialogOf(page);
	await dialog.getByText('Couldn’t connect with these settings').waitFor();
	const more = dialog.getByText('More details');
	// It stays open when the next test fails.
	if (await more.isVisible()) await more.click();
	await dialog.getByText(words).waitFor();
	return await dialog.innerText();
}
