import type { Prove } from '../prove.mjs';
import type { Stage } from './stage.mjs';

export async function proveSending(prove: Prove, stage: Stage): Promise<void> {
	await prove(
		'Add and Remove over several agents: each item once, in order for each agent',
		async () => {
			stage.reset();
			await stage.runAsExpected('several-agents');
		},
	);
	await prove(
		'File IDs in every accepted form, as Edit Fields, Split Out, HTTP Request and Merge hand them over',
		async () => {
			stage.reset();
			await stage.runAsExpected('file-ids-from-real-nodes');
		},
	);
	await prove('A workflow saved with version 0.1.0 keeps working', async () => {
		stage.reset();
		await stage.runAsExpected('saved-with-0.1.0');
	});
}
