import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';

import { resources } from '../../../nodes/CometChatKnowledgeBase/resources/registry.js';
import { assertHolds, type Prove } from '../prove.mjs';
import { until } from '../until.mjs';
import { closeNode } from './canvas.mjs';
import { UPLOADED, type Environment } from './environment.mjs';
import { panelItems, searchNodes } from './nodePanel.mjs';
import {
	choose,
	dragIntoField,
	executeStep,
	field,
	openAgents,
	outputPanel,
	readError,
	readHints,
} from './nodeView.mjs';
import { WINDOW } from './editor.mjs';

const PDF = { name: 'menu.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 menu') };

/** The node on somebody's first day: who has read nothing, and takes the obvious wrong turn first. */
export async function proveFirstDay(
	prove: Prove,
	{ page, service, open, takePicture }: Environment,
): Promise<void> {
	const fresh = async (workflow: string) => {
		service.reset();
		await open(workflow);
	};

	await prove(`the node is found by ${SEARCHED.join(', ')}; n8n's own come before it`, async () => {
		await fresh('uploaded-files');
		await searchNodes(page, '');
		const own = panelItems(page).filter({ hasText: 'CometChat Knowledge Base' });
		const search = async (typed: string) => {
			await page.getByTestId('node-creator-search-bar').fill(typed);
			await own.waitFor();
		};
		for (const typed of SEARCHED) await search(typed);
		await search('pdf');
		await until('a node of n8n is the first', 30_000, async () => {
			const [first = ''] = await panelItems(page).allInnerTexts();
			return first.startsWith('Extract from File');
		});
	});

	await prove('a PDF from a form to an agent that knows it: 6 clicks and 1 entry', async () => {
		await fresh('first-day-form');
		const clicks = await countClicks(page);
		await searchNodes(page, 'upload pdf');
		await panelItems(page).filter({ hasText: 'CometChat Knowledge Base' }).click();
		await panelItems(page).filter({ hasText: 'Upload files and add them to an agent' }).click();
		await page.getByTestId('ndv').waitFor();
		await (await openAgents(page)).first().click();
		await sendForm(page, async () => await executeStep(page));
		await outputPanel(page).getByText('menu.pdf').first().waitFor();
		const [agent] = service.agents();
		const held = service.files(agent?.uid ?? '', 'uploads').length;
		assertHolds(held === 1, `The agent holds ${held} files.`);
		const hints = await readHints(page);
		const isNamed = hints.some((hint) => /^1 file was uploaded, .*: "menu\.pdf"\.$/.test(hint));
		assertHolds(isNamed, `The hints are: ${hints.join(' | ')}`);
		assertHolds((await clicks()) === 6, `It took ${await clicks()} clicks.`);
		await takePicture(page, 'upload-files', WINDOW);
		await closeNode(page);
	});

	await prove('who drags a file into File IDs is told where files go, and gets there', async () => {
		await fresh('first-day-form');
		await addNode(page, 'Add already uploaded files to an agent');
		await (await openAgents(page)).first().click();
		// n8n runs the node as well once its form has been sent.
		await sendForm(page, async () => await page.getByTestId('execute-previous-node').click());
		await assertAdvised(page, 'Document: Upload');
		await page.getByTestId('ndv-input-panel').getByText('Schema', { exact: true }).click();
		await dragAndRun(page, 'Document');
		await assertAdvised(page, 'Document: Upload');
		await choose(page, 'resource', 'Document');
		// n8n has the form's answer still.
		await executeStep(page);
		await outputPanel(page).getByText('menu.pdf').first().waitFor();
		await closeNode(page);
	});

	await prove('who has IDs and picks Upload is told which operation takes them', async () => {
		await fresh('uploaded-files');
		await addNode(page, 'Upload files and add them to an agent');
		await (await openAgents(page)).first().click();
		await executeStep(page);
		await assertAdvised(page, 'use Add Files');
		await choose(page, 'resource', "Agent's Knowledge Base");
		await dragAndRun(page, 'uploadIds');
		await outputPanel(page).getByText(UPLOADED[2]).first().waitFor();
		await closeNode(page);
	});

	await prove(
		'who replaces the files of a folder that were never uploaded is told how, and nothing is doubled the next day',
		async () => {
			await fresh('first-day-folder');
			await addNode(page, 'Replace a file of an agent by a new version');
			await (await openAgents(page)).first().click();
			await executeStep(page);
			await assertAdvised(page, "set 'If There Is None' to Add the File");
			await choose(page, 'ifNotFound', 'Add the File');
			for (const day of ['first', 'second']) {
				service.clearLog();
				await executeStep(page);
				await until(`the ${day} day is over`, 30_000, async () => {
					return service.log.filter(({ operation }) => operation === 'add').length >= 4;
				});
				await outputPanel(page).getByText('prices.csv').first().waitFor();
				const [agent] = service.agents();
				const names = service
					.files(agent?.uid ?? '', 'uploads')
					.map((id) => service.records().find(({ uniqueId }) => uniqueId === id)?.sourceName);
				assertHolds(
					isDeepStrictEqual(names.sort(), ['menu.txt', 'prices.csv']),
					`After the ${day} day the agent has ${names.join(', ')}`,
				);
			}
			await closeNode(page);
		},
	);
}

/** What somebody types who does not know the node's name. */
const SEARCHED = [
	'upload pdf',
	'pdf',
	'upload file',
	'upload a file',
	'replace file',
	'update file',
	'delete document',
	'sync files',
	'folder sync',
	'train agent',
	'agent files',
	'faq',
	'comet chat',
	'knowledge',
	'knowledge base',
];

/** Adds the node at the end of the workflow with one of its actions, and opens it. */
async function addNode(page: Page, action: string): Promise<void> {
	const isAction = resources.some(({ operations }) =>
		operations.some((operation) => operation.action === action),
	);
	assertHolds(isAction, `There is no action '${action}'.`);
	await searchNodes(page, 'cometchat');
	await panelItems(page).filter({ hasText: 'CometChat Knowledge Base' }).click();
	await panelItems(page).filter({ hasText: action }).click();
	await page.getByTestId('ndv').waitFor();
}

/** Runs the node with a field of the input as its file IDs. */
async function dragAndRun(page: Page, from: string): Promise<void> {
	await dragIntoField(page, from, 'fileIds');
	await field(page, 'fileIds').getByText(`$json.${from}`).waitFor();
	// A click elsewhere lets n8n take the value over.
	await outputPanel(page).getByText('Output', { exact: true }).click();
	await executeStep(page);
}

/** The error that is shown says this, in the message or below it. */
async function assertAdvised(page: Page, advice: string): Promise<void> {
	await until(`the error says '${advice}'`, 30_000, async () => {
		const { message, description } = await readError(page);
		return `${message} ${description}`.includes(advice);
	});
}

/** Fills in the form that n8n opens in a window of its own, as whoever tries the workflow does. */
async function sendForm(page: Page, begin: () => Promise<void>): Promise<void> {
	const opened = page.waitForEvent('popup');
	const begun = begin();
	const form = await opened;
	await form.locator('input[type="file"]').setInputFiles(PDF);
	await form.locator('#submit-btn').click();
	await form.locator('#submitted-form').filter({ visible: true }).waitFor();
	await begun;
	await form.close();
}

/** @returns How often somebody has clicked in the page since. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
	await page.evaluate(
		"window.clicksSoFar = 0; document.addEventListener('click', ({ isTrusted }) => { if (isTrusted) window.clicksSoFar += 1; }, true)",
	);
	return async () => Number(await page.evaluate('window.clicksSoFar'));
}
