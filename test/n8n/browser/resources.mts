import assert from 'node:assert/strict';
import { resources } from '../../../nodes/CometChatKnowledgeBase/resources/registry.js';
import { attach } from '../byHand.mjs';
import type { Prove } from '../prove.mjs';
import { EXAMPLES } from '../workflows.mjs';
import { closeNode, openNode } from './canvas.mjs';
import { WINDOW } from './editor.mjs';
import { ANSWER, type Environment } from './environment.mjs';
import {
	addOption,
	assertOffered,
	choose,
	executeStep,
	field,
	outputPanel,
	readHints,
	readOutput,
} from './nodeView.mjs';

/** A node with values, which is executed. */
interface Executed {
	promise: string;
	workflow: string;
	folder?: string;
	node: string;
	fillIn?(environment: Environment): Promise<void>;
	/** The cells of the first row, by column. */
	shows: Record<string, string>;
	hint?: string;
	/** The picture in docs/, and its height. */
	picture?: string;
	height?: number;
}

const EXECUTED: Executed[] = [
	{
		promise: 'Sync Folder with Dry Run shows a preview',
		workflow: 'sync-folder',
		node: 'Sync Folder',
		shows: { action: 'would be added', name: 'menu.txt' },
		hint: 'Preview only',
		picture: 'sync-files',
	},
	{
		promise: 'Crawl shows how many pages were found, and how many failed',
		workflow: 'website-to-answer',
		node: 'Crawl',
		async fillIn({ service }) {
			const indexed = service.records().find(({ status }) => status === 'indexed');
			if (indexed !== undefined) await attach(service, 'support-bot', [indexed.uniqueId]);
		},
		shows: { action: 'crawled', success: 'true', pagesFound: '4', pagesFailed: '1' },
		hint: 'Document: Retry Indexing',
		picture: 'website',
		// All fields of Crawl, and its output, in one picture.
		height: 1060,
	},
	{
		promise: "Get Many shows an agent's documents, with their status",
		workflow: 'website-to-answer',
		node: 'Documents of Agent',
		shows: { status: 'indexed' },
	},
	{
		promise: 'Ask Question shows the answer, and whether the answer passed',
		workflow: 'website-to-answer',
		node: 'Ask Question',
		shows: { passed: 'true', answer: ANSWER },
		picture: 'ask',
	},
	{
		promise: 'the trigger shows the newest document with its event',
		workflow: 'alert-when-indexing-fails',
		folder: EXAMPLES,
		node: 'Indexing Failed',
		async fillIn({ page }) {
			for (const filter of ['Name Contains', 'Source Type']) await addOption(page, filter);
			await field(page, 'nameContains').locator('input').fill('summer sale');
		},
		shows: { event: 'indexingFailed', status: 'failed' },
		picture: 'trigger',
	},
];

export async function proveResources(prove: Prove, environment: Environment): Promise<void> {
	const { page, service, open } = environment;
	await prove('each resource offers its operations, all of them explained in full', async () => {
		await open('upload-large-file');
		await openNode(page, 'Upload Files');
		for (const { name, operations } of resources) {
			await choose(page, 'resource', name);
			await assertOffered(
				page,
				'operation',
				operations.map((operation) => operation.name),
			);
		}
		await closeNode(page);
	});
	await prove('a node behind it shows what it gives before anything is run', async () => {
		await open('website-to-answer');
		await openNode(page, 'Documents of Agent');
		const shown = page.getByTestId('ndv-input-panel').getByTestId('run-data-schema-item');
		await shown.filter({ hasText: 'failedPages' }).first().waitFor();
		await closeNode(page);
	});
	let opened = '';
	for (const executed of EXECUTED) {
		const { promise, workflow, folder } = executed;
		await prove(promise, async () => {
			if (workflow !== opened) {
				service.reset();
				await open(workflow, folder);
				opened = workflow;
			}
			await assertExecuted(environment, executed);
		});
	}
}

async function assertExecuted(environment: Environment, executed: Executed): Promise<void> {
	const { page, takePicture } = environment;
	const { node, shows, hint = '', picture, height = WINDOW.height } = executed;
	await page.setViewportSize({ width: WINDOW.width, height });
	await openNode(page, node);
	await executed.fillIn?.(environment);
	await executeStep(page);
	const [row = {}] = await readOutput(page);
	assert.deepEqual(row, { ...row, ...shows });
	if (hint !== '') assert.ok((await readHints(page)).includes(hint));
	// The table of Crawl is wider than the panel.
	const isWide = height > WINDOW.height;
	if (isWide) await outputPanel(page).getByText('Schema', { exact: true }).click();
	if (picture !== undefined) await takePicture(page, picture, { ...WINDOW, height });
	if (isWide) await outputPanel(page).getByText('Table', { exact: true }).click();
	await closeNode(page);
	await page.setViewportSize({ width: WINDOW.width, height: WINDOW.height });
}
