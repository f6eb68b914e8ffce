import { assertHolds, type Prove } from '../prove.mjs';
import { until } from '../until.mjs';
import { untilShown, WINDOW } from './editor.mjs';
import { UPLOADED, type Environment } from './environment.mjs';
import {
	assertOffered,
	choose,
	dragIntoField,
	executePreviousNodes,
	field,
	openAgents,
	outputPanel,
} from './nodeView.mjs';

/** From an empty node with a credential to one that is ready to run. */
export async function proveFillingIn(
	prove: Prove,
	{ page, service, takePicture }: Environment,
): Promise<void> {
	const shown = (name: string, uid: string) => `${name} (${uid})`;

	await prove('every choice of Operation and Source Type is explained in full', async () => {
		await assertOffered(page, 'operation', [
			'Add Files',
			'Remove Files',
			'Replace File',
			'Sync Files',
			'Get Many',
		]);
		await assertOffered(page, 'sourceType', ['Uploads', 'Text', 'Website', 'Knowledge Base']);
		await choose(page, 'operation', 'Add Files');
	});

	await prove('scrolling the list of agents loads every agent of the account, once', async () => {
		service.clearLog();
		const entries = await openAgents(page);
		const all = service.agents().map(({ uid, name }) => shown(name, uid));
		const before = await entries.count();
		assertHolds(before < all.length, `All ${before} agents were asked for at once.`);
		await entries.first().hover();
		await until(`the list holds ${all.length} agents`, 60_000, async () => {
			await page.mouse.wheel(0, 2000);
			return (await entries.count()) >= all.length;
		});
		// On a busy machine the editor asks for a page again before it has it, and shows it once all the same.
		await untilShown(entries, all);
		await page.keyboard.press('Escape');
	});

	await prove('an agent is found by typing a part of its name', async () => {
		const entries = await openAgents(page);
		for (const typed of ['Lisbon', 'Lisbon Ret']) {
			await page.getByTestId('rlc-search').fill(typed.toLowerCase());
			const found = service.agents().filter(({ name }) => name.startsWith(typed));
			await untilShown(
				entries,
				found.map(({ name, uid }) => shown(name, uid)),
			);
			if (typed === 'Lisbon') await takePicture(page, 'agent-list', WINDOW);
		}
		await entries.first().click();
		const agent = await field(page, 'uid').getByTestId('rlc-input').inputValue();
		assertHolds(agent === shown('Lisbon Returns', 'lisbon-returns'), `It shows '${agent}'.`);
	});

	await prove('a field of the step before is dragged into File IDs', async () => {
		await executePreviousNodes(page);
		await dragIntoField(page, 'uploadIds', 'fileIds');
		await field(page, 'fileIds').getByText('{{ $json.uploadIds }}').waitFor();
		// A click elsewhere closes the result that covers the fields below.
		await outputPanel(page).getByText('Output', { exact: true }).click();
		const preview = page.getByTestId('parameter-expression-preview-fileIds');
		const text = (await preview.innerText()).replace(/\s/g, '');
		assertHolds(text === `[Array:${JSON.stringify(UPLOADED)}]`, `The preview shows ${text}`);
	});
}
