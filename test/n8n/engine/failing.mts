import type { Prove } from '../prove.mjs';
import type { Stage } from './stage.mjs';

export async function proveFailing(prove: Prove, stage: Stage): Promise<void> {
	const asExpected = (promise: string, workflow: string) =>
		prove(promise, async () => {
			stage.reset();
			await stage.runAsExpected(workflow);
		});
	await asExpected(
		'Stop: nothing is sent after the failed item, and the error says which items were',
		'failing-stops',
	);
	await asExpected(
		'Continue: the others are sent, and a later node finds the input item of each',
		'failing-continues',
	);
	await asExpected(
		'Continue (using error output): failed items take that branch with the fields of their input, and a later node finds the input item of each',
		'failing-error-output',
	);
}
