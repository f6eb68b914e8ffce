import assert from 'node:assert/strict';
import { startService } from '../../service/service.js';
import { ACCOUNT, accountFor, KEYS } from '../account.mjs';
import { isUnderWay, type N8nRest } from '../rest.mjs';
import { until } from '../until.mjs';
import type { Start } from '../withStarted.mjs';
import { readWorkflow } from '../workflows.mjs';

/** n8n polls every five seconds, and when a workflow is published or n8n starts; on a busy machine, later. */
const A_POLL_MS = 180_000;

export type WatchedAccount = Awaited<ReturnType<typeof startWatched>>;

/** Starts the trigger in a workflow, and the account that it watches. @param account The name of its credential. */
export async function startWatched(start: Start, rest: N8nRest, account: string) {
	const records = [{ sourceName: 'old.pdf', status: 'failed' as const }, { sourceName: 'x.pdf' }];
	const service = await start(startService({ ...KEYS, records }));
	await rest.createCredential(accountFor(service, account));
	const id = await rest.createWorkflow(readWorkflow('trigger', { [ACCOUNT]: account }));
	const polls = () =>
		service.log.filter(({ kind, operation }) => kind === 'answered' && operation === 'records')
			.length;
	const untilPolled = async () => {
		const before = polls();
		await until('it has polled', A_POLL_MS, () => polls() > before);
	};
	const given = async () => {
		const ended = (await rest.executions(id)).filter((each) => !isUnderWay(each)).reverse();
		const executions = await Promise.all(ended.map((each) => rest.getExecution(each.id)));
		const items = executions.flatMap((execution) => execution.items('Seen'));
		return items.map(({ json }) => `${String(json.event)} ${String(json.name)}`);
	};
	return {
		service,
		publish: async () => {
			await Promise.all([untilPolled(), rest.activate(id)]);
		},
		republish: async () => await rest.republish(id),
		untilPolled,
		/** Asserts that the trigger's items are these, in any order, once there are as many. */
		assertGiven: async (...expected: string[]) => {
			await until(`given: ${expected.join(', ')}`, A_POLL_MS, async () => {
				return (await given()).length >= expected.length;
			});
			assert.deepEqual((await given()).sort(), [...expected].sort());
		},
	};
}
