import assert from 'node:assert/strict';
import { startService, type Service } from '../../service/service.js';
import { ACCOUNT, accountFor, KEYS } from '../account.mjs';
import { isUnderWay, type N8nRest } from '../rest.mjs';
import { until } from '../until.mjs';
import type { Start } from '../withStarted.mjs';
import { readWorkflow } from '../workflows.mjs';

const OWN_ACCOUNT = 'Trigger account';
/** n8n polls once a minute, and once when a workflow is published or n8n starts; on a busy machine, later. */
const A_POLL_MS = 180_000;

/** The trigger in a workflow, and the account that it watches. */
export class WatchedAccount {
	static async start(start: Start, rest: N8nRest): Promise<WatchedAccount> {
		const records = [{ sourceName: 'old.pdf', status: 'failed' as const }, { sourceName: 'x.pdf' }];
		const service = await start(startService({ ...KEYS, records }));
		await rest.createCredential(accountFor(service, OWN_ACCOUNT));
		const workflow = readWorkflow('trigger', { [ACCOUNT]: OWN_ACCOUNT });
		return new WatchedAccount(service, rest, await rest.createWorkflow(workflow));
	}

	private constructor(
		readonly service: Service,
		private readonly rest: N8nRest,
		private readonly workflow: string,
	) {}

	/** Publishes the workflow, and waits for its first poll. */
	async publish(): Promise<void> {
		await this.rest.activate(this.workflow);
		await until('it has polled', A_POLL_MS, () =>
			this.service.log.some(({ kind, operation }) => {
				return kind === 'answered' && operation === 'records';
			}),
		);
	}

	/** What the trigger has given until now is this, the oldest first, once there is that much. */
	async assertGiven(...expected: string[]): Promise<void> {
		let given: string[] = [];
		await until(`given: ${expected.join(', ')}`, A_POLL_MS, async () => {
			given = await this.given();
			return given.length >= expected.length;
		});
		assert.deepEqual(given, expected);
	}

	private async given(): Promise<string[]> {
		const events: string[] = [];
		for (const { id, status } of (await this.rest.executions(this.workflow)).reverse()) {
			if (isUnderWay({ status })) continue;
			const items = (await this.rest.getExecution(id)).items('Seen');
			events.push(...items.map(({ json }) => `${String(json.event)} ${String(json.name)}`));
		}
		return events;
	}
}
