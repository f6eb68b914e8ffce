import { isDeepStrictEqual } from 'node:util';
import { attach } from '../demo/account.mjs';
import { assertHolds, type Prove } from '../prove.mjs';
import { closeNode, openNode } from './canvas.mjs';
import { WINDOW } from './editor.mjs';
import { ANSWER, type Environment } from './environment.mjs';
import { AGENT } from './tasks.mjs';
import { executeStep, outputPanel, readHints, readOutput } from './nodeView.mjs';

/** From a website to an agent that answers from it, as the output panel shows each step. */
export async function proveAgents(
	prove: Prove,
	{ page, service, open, takePicture }: Environment,
): Promise<void> {
	const { width } = WINDOW;
	// All that Crawl takes, and its output, in one picture.
	const tall = { ...WINDOW, height: 1060 };

	await prove(
		'Crawl shows how many pages it has found, and how many could not be read',
		async () => {
			service.reset();
			await attach(service, AGENT, ['returns-2026.pdf', 'price-list.csv']);
			await page.setViewportSize({ width, height: tall.height });
			await open('website-to-answer');
			await openNode(page, 'Crawl');
			await executeStep(page);
			const [row] = await readOutput(page);
			const shown = [row?.action, row?.addedToAgent, row?.pagesFound, row?.pagesFailed];
			const expected = ['crawled', 'true', '4', '1'];
			assertHolds(isDeepStrictEqual(shown, expected), `The output is ${JSON.stringify(row)}`);
			const hints = (await readHints(page)).join(' ');
			assertHolds(hints.includes('Website: Retry Pages'), hints);
			// The table is wider than the panel.
			await outputPanel(page).getByText('Schema', { exact: true }).click();
			await takePicture(page, 'website', tall);
			await outputPanel(page).getByText('Table', { exact: true }).click();
			await closeNode(page);
			await page.setViewportSize({ width, height: WINDOW.height });
		},
	);

	await prove(
		"Agent's Knowledge Base: Get Many shows files and websites with their status",
		async () => {
			await openNode(page, 'What It Knows');
			await executeStep(page);
			const rows = await readOutput(page);
			const shown = rows.map(({ name, status }) => `${name} ${status}`).sort();
			const expected = [
				'https://docs.example.com/ indexed',
				'price-list.csv indexing',
				'returns-2026.pdf indexed',
			];
			assertHolds(isDeepStrictEqual(shown, expected), `It shows ${shown.join(' | ')}`);
			await takePicture(page, 'knowledge', WINDOW);
			await closeNode(page);
		},
	);

	await prove('Agent: Ask shows the answer, and whether it contains what it must', async () => {
		await openNode(page, 'Ask');
		await executeStep(page);
		const [row] = await readOutput(page);
		const shown = [row?.passed, row?.answer];
		const expected = ['true', ANSWER];
		assertHolds(isDeepStrictEqual(shown, expected), `The output is ${JSON.stringify(row)}`);
		await takePicture(page, 'ask', WINDOW);
		await closeNode(page);
	});
}
