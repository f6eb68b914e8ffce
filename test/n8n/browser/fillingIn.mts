import { isDeepStrictEqual } from 'node:util';
import { assertHolds, type Prove } from '../prove.mjs';
import { until } from '../until.mjs';
import { cutOff, WINDOW } from './editor.mjs';
import {
	choose,
	chosen,
	dragIntoField,
	executePreviousNodes,
	field,
	openAgents,
	openChoices,
	outputPanel,
} from './nodeView.mjs';
import type { Stage } from './stage.mjs';

/** From an empty node with a credential to one that is ready to run. */
export async function proveFillingIn(prove: Prove, stage: Stage): Promise<void> {
	const { page, service, takePicture } = stage;

	await prove('every choice of Operation and Source Type is explained in full', async () => {
		for (const [name, labels] of [
			['operation', ['Add Files', 'Remove Files', 'Replace File']],
			['sourceType', ['Uploads', 'Text', 'Website', 'Knowledge Base']],
		] as const) {
			const choices = await openChoices(page, name);
			const explanations = choices.locator('.option-description');
			const count = await explanations.count();
			assertHolds(count === labels.length, `${name} has ${count} explained choices.`);
			const shown = await choices.locator('.option-headline').allInnerTexts();
			const own = shown.slice(0, labels.length);
			assertHolds(isDeepStrictEqual(own, [...labels]), `${name} offers: ${own.join(' | ')}`);
			const cut = await cutOff(explanations);
			assertHolds(cut.length === 0, `Cut off: ${cut.join(' | ')}`);
			await page.keyboard.press('Escape');
			await choices.first().waitFor({ state: 'hidden' });
		}
	});

	await prove('Operation and Source Type are chosen from their lists', async () => {
		await choose(page, 'operation', 'Add Files');
		await choose(page, 'sourceType', 'Text');
		await choose(page, 'sourceType', 'Uploads');
		const values = [await chosen(page, 'operation'), await chosen(page, 'sourceType')];
		const expected = ['Add Files', 'Uploads'];
		assertHolds(isDeepStrictEqual(values, expected), `They show: ${values.join(' | ')}`);
	});

	await prove('scrolling the list of agents loads every agent of the account, once', async () => {
		service.clearLog();
		const entries = await openAgents(page);
		const all = service.agents().map(({ uid, name }) => `${name} (${uid})`);
		const before = await entries.count();
		assertHolds(before < all.length, `All ${before} agents were asked for at once.`);
		await entries.first().hover();
		await until(`the list holds ${all.length} agents`, 60_000, async () => {
			await page.mouse.wheel(0, 2000);
			return (await entries.count()) >= all.length;
		});
		const shown = (await entries.allInnerTexts()).map((text) => text.trim());
		assertHolds(isDeepStrictEqual(shown, all), `The list holds: ${shown.join(' | ')}`);
		const asked = service.log.filter(({ kind }) => kind === 'arrived').map(({ path }) => path);
		assertHolds(new Set(asked).size === asked.length, `Asked twice: ${asked.join(' | ')}`);
		await page.keyboard.press('Escape');
	});

	await prove('an agent is found by typing a part of its name', async () => {
		const entries = await openAgents(page);
		await page.getByTestId('rlc-search').fill('lisbon');
		await untilAgents(stage, 'Lisbon');
		await takePicture(page, 'agent-list', WINDOW);
		await page.getByTestId('rlc-search').fill('lisbon ret');
		await untilAgents(stage, 'Lisbon Ret');
		await entries.first().click();
		const agent = await field(page, 'uid').getByTestId('rlc-input').inputValue();
		assertHolds(agent === 'Lisbon Returns (lisbon-returns)', `The field shows '${agent}'.`);
	});

	await prove('a field of the step before is dragged into File IDs', async () => {
		await executePreviousNodes(page);
		await dragIntoField(page, 'uploadIds', 'fileIds');
		await field(page, 'fileIds').getByText('{{ $json.uploadIds }}').waitFor();
		// A click elsewhere closes the result that covers the fields below.
		await outputPanel(page).getByText('Output', { exact: true }).click();
		const preview = page.getByTestId('parameter-expression-preview-fileIds');
		const text = await preview.innerText();
		const expected = '[Array: ["returns-2026", "warranty-2026", "shipping-2026"]]';
		assertHolds(text.replace(/\s+/g, ' ').trim() === expected, `The preview shows ${text}`);
	});
}

/** Waits until the list shows the agents of this name and no others. */
async function untilAgents({ page, service }: Stage, start: string): Promise<void> {
	const expected = service.agents().flatMap(({ uid, name }) => {
		return name.startsWith(start) ? [`${name} (${uid})`] : [];
	});
	assertHolds(expected.length > 0, `No agent starts with '${start}'.`);
	await until(`the list shows ${expected.join(', ')}`, 30_000, async () => {
		const shown = await page.getByTestId('rlc-item').allInnerTexts();
		return isDeepStrictEqual(
			shown.map((text) => text.trim()),
			expected,
		);
	});
}
