import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startService } from '../../service/service.js';
import { ACCOUNT, accountFor, KEYS } from '../account.mjs';
import { failIndexing, write } from '../byHand.mjs';
import { startFiles } from '../engine/files.mjs';
import { REAL_N8N } from '../install.mjs';
import { startWatched, type WatchedAccount } from '../nights/trigger.mjs';
import type { Prove, Topic } from '../prove.mjs';
import { isUnderWay } from '../rest.mjs';
import { startN8n, type RunningN8n } from '../server.mjs';
import { until } from '../until.mjs';
import { withStarted, type Start } from '../withStarted.mjs';
import { readWorkflow } from '../workflows.mjs';

const FOLDER = join(REAL_N8N, 'scheduler');

/** n8n's durable scheduler, which starts schedules and polls. */
const SCHEDULER = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_TRIGGER_NODE_MODE: 'new',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
	// Sooner than by default, also after n8n was killed.
	N8N_SCHEDULER_LEASE_DURATION: '10',
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
	N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '2',
	// n8n allows half of these seconds for a poll.
	N8N_SCHEDULER_POLL_TIMEOUT: '8',
};

const CURSORS = ['off', 'on'] as const;

/** Proves n8n's durable scheduler, first without and then with durable cursors, with the data of the first n8n. */
export const scheduler: Topic = {
	name: 'scheduler',
	async proveAll(prove, { tarball }) {
		rmSync(FOLDER, { recursive: true, force: true });
		for (const cursors of CURSORS) {
			const proveThere: Prove = async (promise, work) =>
				await prove(`durable cursors ${cursors}: ${promise}`, work);
			await withStarted(async (start) => {
				const env = {
					...SCHEDULER,
					N8N_POLLER_DURABLE_CURSORS_ENABLED: String(cursors === 'on'),
				};
				const isFirst = cursors === CURSORS[0];
				const options = { userFolder: FOLDER, env, tarball: isFirst ? tarball : undefined };
				const n8n = await start(startN8n(options));
				const watched = await startWatched(start, n8n.rest, `Trigger, cursors ${cursors}`);
				const nights = isFirst ? proveNights(proveThere, n8n, start) : undefined;
				await Promise.all([proveTrigger(proveThere, n8n, watched), nights]);
			});
		}
	},
};

const SYNC_ACCOUNT = 'Scheduled account';

async function proveNights(prove: Prove, { rest }: RunningN8n, start: Start): Promise<void> {
	const service = await start(startService(KEYS));
	const files = await start(startFiles());
	const lay = (texts: Record<string, string>) => {
		const all = Object.entries(texts).map(([name, text]) => {
			return { name, text, changedAt: new Date(Date.UTC(2020, text.length)).toISOString() };
		});
		files.lay(all);
	};
	await rest.createCredential(accountFor(service, SYNC_ACCOUNT));
	const everyFewSeconds = { '"days"': '"seconds"', '"daysInterval": 1': '"secondsInterval": 5' };
	const here = { 'https://files.example.com': files.origin, [ACCOUNT]: SYNC_ACCOUNT };
	const workflow = readWorkflow('nightly-folder', { ...here, ...everyFewSeconds });
	const id = await rest.createWorkflow(workflow);
	let last = 'none';
	const next = async (...expected: string[]) => {
		await until('the schedule has started another night', 60_000, async () => {
			const [newest] = await rest.executions(id);
			return newest !== undefined && newest.id !== last && !isUnderWay(newest);
		});
		const night = await rest.newest(id);
		last = (await rest.executions(id))[0]?.id ?? last;
		const found = night
			.items('Sync Files')
			.map(({ json }) => `${String(json.action)} ${String(json.name)}`);
		assert.deepEqual(found.sort(), expected);
	};
	await prove('Sync Folder keeps its record, also where a schedule starts it', async () => {
		lay({ 'a.md': 'one', 'b.md': 'two' });
		await rest.activate(id);
		await next('added a.md', 'added b.md');
		await next('unchanged a.md', 'unchanged b.md');
		lay({ 'a.md': 'one', 'b.md': 'three' });
		await next('replaced b.md', 'unchanged a.md');
		await next('unchanged a.md', 'unchanged b.md');
	});
}

async function proveTrigger(prove: Prove, n8n: RunningN8n, watched: WatchedAccount): Promise<void> {
	const { service } = watched;
	const given: string[] = [];
	const assertAlsoGiven = async (...events: string[]) => {
		given.push(...events);
		await watched.assertGiven(...given);
	};
	await prove(
		'what is added after publishing, before the first poll, starts the workflow once',
		async () => {
			await watched.publish();
			await write(service, 'Notice', { ms: 0, ends: 'failed' });
			await assertAlsoGiven('documentAdded Notice', 'indexingFailed Notice');
		},
	);
	await prove(
		'a known document that is indexed again and fails starts the workflow once',
		async () => {
			await failIndexing(service, 'x.pdf', 8_000);
			await assertAlsoGiven('indexingFailed x.pdf');
		},
	);
	await prove('publishing again between two polls repeats nothing and loses nothing', async () => {
		await write(service, 'Prices', { ms: 0, ends: 'indexed' });
		await watched.republish();
		await assertAlsoGiven('documentAdded Prices', 'indexingFinished Prices');
	});
	await prove(
		'a poll that reaches its time limit emits events, and the next poll continues',
		async () => {
			const names = Array.from({ length: 101 }, (_, at) => `Text ${at + 1}`);
			// All documents are created before the next poll.
			await watched.untilPolled();
			// Each poll has 4 s, and needs two pages.
			service.script({ for: { operation: 'records' }, latencyMs: 3000, times: 3 });
			await Promise.all(
				names.map(async (name) => await write(service, name, { ms: 0, ends: 'indexed' })),
			);
			const events = ['documentAdded', 'indexingFinished'];
			await assertAlsoGiven(...events.flatMap((event) => names.map((name) => `${event} ${name}`)));
		},
	);
	await prove('what is added while n8n is down starts the workflow once', async () => {
		await n8n.kill();
		await write(service, 'Meanwhile', { ms: 0, ends: 'indexed' });
		await n8n.startAgain();
		await assertAlsoGiven('documentAdded Meanwhile', 'indexingFinished Meanwhile');
		// Another poll could repeat the events.
		await watched.untilPolled();
		await assertAlsoGiven();
	});
}
