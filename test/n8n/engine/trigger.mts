import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { startService, type Service } from '../../service/service.js';
import { accountFor, KEYS } from '../account.mjs';
import { REAL_N8N } from '../install.mjs';
import { assertHolds, type Prove } from '../prove.mjs';
import { isUnderWay, type N8nRest } from '../rest.mjs';
import { startN8n, type RunningN8n } from '../server.mjs';
import { until } from '../until.mjs';
import type { Start } from '../withStarted.mjs';
import { readWorkflow } from '../workflows.mjs';

/** n8n polls once a minute at most, and once when a workflow is published or n8n starts; on a busy machine, later. */
export const A_POLL_MS = 150_000;

/** Longer than until the next poll, so that a restart comes in between. */
const SLOW_MS = 100_000;

/** The trigger in a published workflow, in an n8n of its own that is started several times. */
export async function proveTrigger(prove: Prove, start: Start, tarball: string): Promise<void> {
	const records = [{ sourceName: 'old.pdf', status: 'failed' as const }, { sourceName: 'x.pdf' }];
	const service = await start(startService({ ...KEYS, records }));
	const userFolder = join(REAL_N8N, 'trigger');
	rmSync(userFolder, { recursive: true, force: true });
	let n8n: RunningN8n | undefined = await startN8n({ userFolder, tarball });
	const stopped = async () => {
		await n8n?.stop();
		n8n = undefined;
	};
	await start(Promise.resolve({ stop: stopped }));
	await n8n.rest.createCredential(accountFor(service));
	const workflow = await n8n.rest.createWorkflow(readWorkflow('trigger'));
	const given = async () => (n8n === undefined ? [] : await eventsOf(n8n.rest, workflow));
	const assertGiven = async (...expected: string[]) => {
		await until(`events: ${expected.join(', ')}`, A_POLL_MS, async () => {
			return (await given()).length >= expected.length;
		});
		const found = await given();
		assertHolds(isDeepStrictEqual(found, expected), `Given: ${found.join(', ')}.`);
	};

	await prove('The trigger: publishing it gives nothing for what is there', async () => {
		await n8n?.rest.activate(workflow);
		await assertPolled(service);
		await assertGiven();
	});
	await prove('The trigger: what comes while n8n runs starts the workflow once', async () => {
		await write(service, 'First', { ms: 0, ends: 'failed' });
		await write(service, 'Slow', { ms: SLOW_MS, ends: 'failed' });
		await assertGiven('documentAdded First', 'indexingFailed First', 'documentAdded Slow');
	});
	const sofar = ['documentAdded First', 'indexingFailed First', 'documentAdded Slow'];
	await prove(
		'The trigger: what comes while n8n is down, and what was unfinished, starts it once n8n is up again',
		async () => {
			await stopped();
			await write(service, 'Meanwhile', { ms: 0, ends: 'indexed' });
			await until('the slow one has failed', SLOW_MS, () =>
				service
					.records()
					.some(({ sourceName, status }) => sourceName === 'Slow' && status === 'failed'),
			);
			n8n = await startN8n({ userFolder });
			sofar.push('indexingFailed Slow', 'documentAdded Meanwhile', 'indexingFinished Meanwhile');
			await assertGiven(...sofar);
		},
	);
	await prove('The trigger: another start of n8n repeats nothing', async () => {
		await stopped();
		service.clearLog();
		n8n = await startN8n({ userFolder });
		await assertPolled(service);
		await assertGiven(...sofar);
	});
	await prove(
		'The trigger: a poll that fails is an execution with the words, and the next one gives what it missed',
		async () => {
			service.script({ for: { operation: 'records' }, status: 403, body: '<html>' });
			await write(service, 'After that', { ms: 0, ends: 'indexed' });
			const failures = async () => (await n8n?.rest.executions(workflow))?.filter(isError) ?? [];
			await until('a poll has failed', A_POLL_MS, async () => (await failures()).length > 0);
			const [failure] = await failures();
			const execution = await n8n?.rest.getExecution(failure?.id ?? 'none');
			assertHolds(execution?.error === 'CometChat denied access', `${execution?.error}`);
			sofar.push('documentAdded After that', 'indexingFinished After that');
			await assertGiven(...sofar);
		},
	);
}

const isError = ({ status }: { status: string }) => status === 'error';

/** All that it has given until now, the oldest first. */
export async function eventsOf(rest: N8nRest, workflow: string): Promise<string[]> {
	const executions = (await rest.executions(workflow)).reverse();
	const events: string[] = [];
	for (const { id, status } of executions) {
		if (isUnderWay({ status }) || isError({ status })) continue;
		const items = (await rest.getExecution(id)).items('Seen');
		events.push(...items.map(({ json }) => `${String(json.event)} ${String(json.name)}`));
	}
	return events;
}

/** The list was asked for, and its answer has been dealt with. */
async function assertPolled(service: Service): Promise<void> {
	await until('it has polled', A_POLL_MS, () =>
		service.log.some(({ kind, operation }) => kind === 'answered' && operation === 'records'),
	);
}

/** Somebody writes a text in CometChat. */
export async function write(
	service: Service,
	title: string,
	indexing: { ms: number; ends: 'failed' | 'indexed' },
): Promise<void> {
	service.scriptIndexing({ for: { fileName: title }, ...indexing });
	const { ok, status } = await fetch(`${service.baseUrl}${TEXTS}`, {
		method: 'POST',
		headers: { apikey: KEYS.apiKey, 'Content-Type': 'application/json' },
		body: JSON.stringify({ title, text: 'Some text.' }),
	});
	assertHolds(ok, `It could not be written: ${status}.`);
}

const TEXTS = '/ai-agents/agent-builder/knowledge-base/text';
