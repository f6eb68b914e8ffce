import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { assertHolds, type Prove } from '../prove.mjs';
import { until } from '../until.mjs';
import { closeNode } from './canvas.mjs';
import { UPLOADED, type Environment } from './environment.mjs';
import { pdf, sendForm } from './form.mjs';
import { addNode, panelItems, searchNodes } from './nodePanel.mjs';
import {
	assertAdvised,
	choose,
	dragIntoField,
	executeStep,
	field,
	openAgents,
	outputPanel,
} from './nodeView.mjs';

/** The node on somebody's first day: who has read nothing, and takes the obvious wrong turn first. */
export async function proveFirstDay(
	prove: Prove,
	{ page, service, open }: Environment,
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

	await prove('who drags a file into File IDs is told where files go, and gets there', async () => {
		await fresh('first-day-form');
		await addNode(page, 'Add already uploaded files to an agent');
		await (await openAgents(page)).first().click();
		// n8n runs the node as well once its form has been sent.
		await sendForm(page, [pdf('menu.pdf')], async () => {
			await page.getByTestId('execute-previous-node').click();
		});
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

/** Runs the node with a field of the input as its file IDs. */
async function dragAndRun(page: Page, from: string): Promise<void> {
	await dragIntoField(page, from, 'fileIds');
	await field(page, 'fileIds').getByText(`$json.${from}`).waitFor();
	// A click elsewhere lets n8n take the value over.
	await outputPanel(page).getByText('Output', { exact: true }).click();
	await executeStep(page);
}
