import { isDeepStrictEqual } from 'node:util';
import { assertHolds, type Prove } from '../prove.mjs';
import { until } from '../until.mjs';
import { assertAsExpected, sentByAgent } from './expectation.mjs';
import { expectationOf, type Stage } from './stage.mjs';

const IDS = { 'support-bot': ['a'], 'sales-assistant': ['b'], 'onboarding-guide': ['c'] };

export async function proveRunning(prove: Prove, stage: Stage): Promise<void> {
	const { n8n, service } = stage;

	await prove('The node repeats the affected item only, and a hint says so', async () => {
		stage.reset();
		service.script({ for: { uid: 'sales-assistant' }, status: 503, retryAfter: '0' });
		const execution = await stage.run('own-retries');
		assertHolds(execution.status === 'success', `${execution.status}: ${execution.error}`);
		assertSent(stage, { 'support-bot': 1, 'sales-assistant': 2, 'onboarding-guide': 1 });
		const [hint = ''] = execution.hints('Add Files');
		assertHolds(hint.startsWith('1 item was sent more than once'), `The hint is "${hint}".`);
	});

	await prove(
		"n8n's Retry On Fail repeats the whole node: items that were done are sent again, and no file is there twice",
		async () => {
			stage.reset();
			// Max Attempts is 2 in there: three refusals end the node's first run and reach the second.
			service.script({ for: { uid: 'sales-assistant' }, times: 3, status: 503, retryAfter: '0' });
			const execution = await stage.run('retry-on-fail');
			assertHolds(execution.status === 'success', `${execution.status}: ${execution.error}`);
			assertSent(stage, { 'support-bot': 2, 'sales-assistant': 4, 'onboarding-guide': 1 });
			assertHolds(execution.items('Add Files').length === 3, 'There are not three output items.');
		},
	);

	await prove('In a sub-workflow, and its output comes back to the caller', async () => {
		stage.reset();
		const id = await stage.importWorkflow('sub-workflow');
		const execution = await stage.run('calls-sub-workflow', { ID_OF_THE_SUB_WORKFLOW: id });
		assertAsExpected({ execution, service }, expectationOf('calls-sub-workflow'));
		const [own = ''] = await n8n.rest.executionsOf(id);
		const inner = await n8n.rest.getExecution(own);
		assertHolds(inner.items('Add Files').length === 2, 'The sub-workflow did not run the node.');
	});

	await prove('In Loop Over Items, with every item once', async () => {
		stage.reset();
		await stage.runAsExpected('loop-over-items');
	});

	await prove('A production run: an active workflow is called by its webhook', async () => {
		stage.reset();
		const id = await stage.importWorkflow('webhook');
		await n8n.rest.activate(id);
		let answer = { status: 404, text: '' };
		await until('the webhook is there', 30_000, async () => {
			answer = await callWebhook(n8n.baseUrl, { agent: 'support-bot', files: ['a', 'b'] });
			return answer.status !== 404;
		});
		assertHolds(answer.status === 200, `The webhook answered ${answer.status}: ${answer.text}`);
		const answered: unknown = JSON.parse(answer.text);
		const asked = { operation: 'add', uid: 'support-bot', sourceType: 'uploads' };
		assertHolds(
			isDeepStrictEqual(answered, [{ success: true, ...asked, uniqueIds: ['a', 'b'] }]),
			`The webhook answered ${answer.text}`,
		);

		const refused = await callWebhook(n8n.baseUrl, { agent: 'nobody', files: ['c'] });
		assertHolds(refused.status === 500, `A failure was answered with ${refused.status}.`);
		const [failed = '', succeeded = ''] = await n8n.rest.executionsOf(id);
		const { status: first } = await n8n.rest.getExecution(succeeded);
		const { status: second } = await n8n.rest.getExecution(failed);
		assertHolds(`${first}, ${second}` === 'success, error', `They ended ${first}, ${second}.`);
	});
}

/** How often each agent was sent its item, which ends with the files in place. */
function assertSent({ service }: Stage, times: Record<string, number>): void {
	const sent = Object.entries(sentByAgent(service)).map(([uid, lines]) => [uid, lines.length]);
	const found = Object.fromEntries(sent);
	assertHolds(isDeepStrictEqual(found, times), `Sent were ${JSON.stringify(found)}.`);
	for (const [uid, ids] of Object.entries(IDS)) {
		const held = service.files(uid, 'uploads');
		assertHolds(isDeepStrictEqual(held, ids), `${uid} holds ${held.join()}.`);
	}
}

async function callWebhook(baseUrl: string, body: object) {
	const response = await fetch(`${baseUrl}/webhook/add-files`, {
		method: 'POST',
		headers: { 'Content-Type': 'application/json' },
		body: JSON.stringify(body),
	});
	return { status: response.status, text: await response.text() };
}
