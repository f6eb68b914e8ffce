import assert from 'node:assert/strict';
import { startService, type Service } from '../../service/service.js';
import { accountFor, KEYS } from '../account.mjs';
import { write } from '../byHand.mjs';
import { startFiles } from '../engine/files.mjs';
import type { Execution } from '../execution.mjs';
import { Folder, type Sends } from '../nights/folder.mjs';
import { WatchedAccount } from '../nights/trigger.mjs';
import { fireNight, nightlyWorkflow, SYNC_FILES } from '../nights/workflow.mjs';
import type { Prove, Topic } from '../prove.mjs';
import type { RunningN8n } from '../server.mjs';
import { until } from '../until.mjs';

const ACCOUNT = 'Published account';
const PATH = 'night';
/** Longer than anybody waits here for an answer. */
const NO_ANSWER_MS = 600_000;

/** What the proofs work with. */
interface Nights {
	n8n: RunningN8n;
	service: Service;
	folder: Folder;
	/** The ID of the workflow at PATH. */
	workflow: string;
}

/** What workflows do by themselves: one night after another in step with a folder, and the trigger. */
export const published: Topic = {
	name: 'published',
	async proveAll(prove, { start, environment }) {
		const { n8n } = await environment();
		const service = await start(startService(KEYS));
		const files = await start(startFiles());
		await n8n.rest.createCredential(accountFor(service, ACCOUNT));
		// n8n polls once a minute: the nights fill the time.
		const watched = await WatchedAccount.start(start, n8n.rest);
		await prove('the trigger: publishing it gives nothing for what is there', async () => {
			await watched.publish();
			await watched.assertGiven();
		});
		await write(watched.service, 'Notice', { ms: 0, ends: 'failed' });

		const folder = new Folder(service, files);
		const workflow = await publish(n8n, nightlyWorkflow(files, PATH, { account: ACCOUNT }));
		const nights = { n8n, service, folder, workflow };
		await proveNights(prove, nights);
		await prove('the trigger: what comes while n8n runs starts the workflow once', async () => {
			await watched.assertGiven('documentAdded Notice', 'indexingFailed Notice');
		});
		await proveKilled(prove, nights, watched);
	},
};

async function publish({ rest }: RunningN8n, workflow: object): Promise<string> {
	const id = await rest.createWorkflow({ ...workflow });
	await rest.activate(id);
	return id;
}

/** One night, and what is expected of it. */
interface Night {
	/** The new text of each file that has changed by day; null for one that has gone. */
	folder?: Record<string, string | null>;
	/** What the output says of each file. */
	says: Record<string, string>;
	sends?: Sends;
	/** Where the agent differs from the folder: the texts that it has of a file. */
	agentHas?: Record<string, string[]>;
	/** Where it is not a call that begins it. */
	run?(): Promise<Execution>;
}

const FIRST = { 'hours.md': 'hours 1', 'menu.md': 'menu 1', 'prices.md': 'prices 1' };
const SAME = { 'hours.md': 'unchanged', 'menu.md': 'unchanged', 'prices.md': 'unchanged' };

async function proveNights(prove: Prove, nights: Nights): Promise<void> {
	const { n8n, workflow } = nights;
	const { rest } = n8n;
	const goNight = async (night: Night) => await go(nights, night);
	const byHand = async () =>
		await rest.untilEnded(await rest.start(workflow, 'n8n-nodes-base.scheduleTrigger'));

	await prove(
		'a folder, night after night: what is the same is left, what has changed is replaced, what is new comes, what has gone goes after two nights',
		async () => {
			const added = { 'hours.md': 'added', 'menu.md': 'added', 'prices.md': 'added' };
			await goNight({ folder: FIRST, says: added, sends: { initiate: 3, upload: 3, add: 3 } });
			await goNight({ says: SAME });
			await goNight({
				folder: { 'hours.md': 'hours 2', 'menu.md': null, 'garden.md': 'garden 1' },
				says: { ...SAME, 'hours.md': 'replaced', 'menu.md': 'missing', 'garden.md': 'added' },
				sends: { initiate: 2, upload: 2, add: 2, remove: 1, deleteUpload: 1 },
				agentHas: { 'menu.md': ['menu 1'] },
			});
			const says = { ...SAME, 'menu.md': 'removed', 'garden.md': 'unchanged' };
			await goNight({ says, sends: { remove: 1 } });
		},
	);
	const rest3 = { 'hours.md': 'unchanged', 'garden.md': 'unchanged', 'prices.md': 'unchanged' };
	await prove('one that was started by hand takes nothing out, and does not count', async () => {
		const says = { ...rest3, 'garden.md': 'missing' };
		const agentHas = { 'garden.md': ['garden 1'] };
		await goNight({ folder: { 'garden.md': null }, says, agentHas, run: byHand });
		await goNight({ says, agentHas });
		await goNight({ says, agentHas, run: byHand });
		await goNight({ says: { ...rest3, 'garden.md': 'removed' }, sends: { remove: 1 } });
	});
	await prove('two at once leave nothing that the next one does not put right', async () => {
		await assertTwoAtOnce(nights);
	});
}

async function assertTwoAtOnce(nights: Nights): Promise<void> {
	const { n8n, service, folder } = nights;
	folder.lay({ 'prices.md': 'prices 2' });
	service.clearLog();
	service.script({ for: { operation: 'add' }, times: 2, latencyMs: 2000 });
	const first = fireNight(n8n.baseUrl, PATH);
	await until('the first one is in its midst', 60_000, () =>
		service.log.some(({ operation }) => operation === 'add'),
	);
	await Promise.all([first, fireNight(n8n.baseUrl, PATH)]);
	// The copy is not noted as its own, so it is not deleted.
	const says = { 'hours.md': 'unchanged', 'prices.md': 'replaced' };
	await go(nights, { says, sends: { remove: 1 } });
	await go(nights, { says: { ...says, 'prices.md': 'unchanged' } });
}

async function proveKilled(prove: Prove, nights: Nights, watched: WatchedAccount): Promise<void> {
	const { n8n, service, folder } = nights;
	await prove('n8n killed in the midst of a night: the next one puts things right', async () => {
		folder.lay({ 'prices.md': 'prices 3' });
		service.clearLog();
		service.script({ for: { operation: 'remove' }, latencyMs: NO_ANSWER_MS });
		const night = fireNight(n8n.baseUrl, PATH).catch(() => undefined);
		await until('the old version is to be taken out', 60_000, () =>
			service.log.some(({ operation }) => operation === 'remove'),
		);
		await n8n.kill();
		await night;
		folder.assertInStep({ 'prices.md': ['prices 2', 'prices 3'] });
		await write(watched.service, 'Meanwhile', { ms: 0, ends: 'indexed' });
		await n8n.startAgain();
		const says = { 'hours.md': 'unchanged', 'prices.md': 'replaced' };
		// What the killed one has uploaded is not noted, so it is not deleted.
		await go(nights, {
			says,
			sends: { initiate: 1, upload: 1, add: 1, remove: 2, deleteUpload: 1 },
		});
	});
	await prove(
		'the trigger: what came while n8n was down starts it, and nothing twice',
		async () => {
			await watched.assertGiven(
				...['documentAdded Notice', 'indexingFailed Notice'],
				...['documentAdded Meanwhile', 'indexingFinished Meanwhile'],
			);
		},
	);
}

async function go(nights: Nights, night: Night): Promise<void> {
	const { n8n, service, folder, workflow } = nights;
	const { says, sends = {}, agentHas } = night;
	folder.lay(night.folder ?? {});
	service.clearLog();
	const call = async () => {
		await fireNight(n8n.baseUrl, PATH);
		return await n8n.rest.newest(workflow);
	};
	const items = (await (night.run ?? call)()).items(SYNC_FILES).map(({ json }) => json);
	const said = items.map(({ fileName, action }) => [String(fileName), action]);
	assert.deepEqual(said.sort(), Object.entries(says).sort(), JSON.stringify(items));
	assert.deepEqual(folder.sent(), sends);
	folder.assertInStep(agentHas);
}
