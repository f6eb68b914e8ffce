import { isDeepStrictEqual } from 'node:util';
import { assertSucceeded, sentByAgent } from '../expectation.mjs';
import { assertHolds, type Prove } from '../prove.mjs';
import type { Environment } from './environment.mjs';

/** Beside n8n's own nodes and settings. */
export async function proveNodes(prove: Prove, environment: Environment): Promise<void> {
	const { n8n, service, reset, run, runAsExpected } = environment;

	await prove(
		'File IDs in every accepted form, as Edit Fields, Split Out, HTTP Request and Merge hand them over',
		async () => await runAsExpected('file-ids-from-real-nodes'),
	);
	await prove(
		'Send in Bundles: one refused file takes the error output alone, and every item leads back to its input',
		async () => {
			const refused = { status: 404, code: 'ERR_KB_NOT_FOUND', message: 'There is no such file.' };
			const script = [{ for: { containsId: 'file-13' }, times: Infinity, ...refused }];
			await runAsExpected('combining-one-refused', script);
		},
	);
	await prove(
		"n8n's Retry On Fail repeats the whole node: items that were done are sent again, and no file is there twice",
		async () => {
			reset();
			// Max Attempts per Request is 2 in there: three refusals end the node's first run and reach the second.
			service.script({ for: { uid: 'sales-assistant' }, times: 3, status: 503, retryAfter: '0' });
			const execution = await run('retry-on-fail');
			assertSucceeded(execution);
			const sent = Object.entries(sentByAgent(service)).map(([uid, all]) => `${all.length} ${uid}`);
			const expected = ['2 support-bot', '4 sales-assistant', '1 onboarding-guide'];
			assertHolds(isDeepStrictEqual(sent.sort(), expected.sort()), `Sent: ${sent.join()}.`);
			const held = service.agents().map(({ uid }) => service.files(uid, 'uploads').join());
			assertHolds(held.join(' ') === 'a b c', `The agents hold ${held.join(' ')}.`);
			assertHolds(execution.items('Add Files').length === 3, 'There are not three output items.');
		},
	);
	await prove('In a sub-workflow, and its output comes back to the caller', async () => {
		const id = await environment.importWorkflow('sub-workflow');
		await runAsExpected('calls-sub-workflow', [], { ID_OF_THE_SUB_WORKFLOW: id });
		const [own] = await n8n.rest.executions(id);
		const inner = await n8n.rest.getExecution(own?.id ?? 'none');
		assertHolds(inner.items('Add Files').length === 2, 'The sub-workflow did not run the node.');
	});
	await prove('In Loop Over Items, with every item once', async () => {
		await runAsExpected('loop-over-items');
	});
}
