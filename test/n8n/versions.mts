import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { proveCore } from './core.mjs';
import { startEnvironment, type Environment } from './engine/environment.mjs';
import { hoursAgo } from './engine/files.mjs';
import { A_POLL_MS, eventsOf, write } from './engine/trigger.mjs';
import { textAt, type Fields } from './fields.mjs';
import { installN8n, REAL_N8N, removeN8n } from './install.mjs';
import { fireNight, nightlyWorkflow, SYNC_FILES } from './nights/workflow.mjs';
import { assertHolds, type Prove, type Topic } from './prove.mjs';
import { until } from './until.mjs';
import { withStarted } from './withStarted.mjs';
import { readWorkflow } from './workflows.mjs';

/** A folder for each n8n beside the newest: a manifest and a lock file. */
const VERSIONS = join(import.meta.dirname, 'versions');

const OLDER: NodeJS.ProcessEnv = {
	// It does not start if it is to switch off a part that it does not have yet.
	N8N_DISABLED_MODULES: undefined,
	// With none of these, as n8n 1 has it, an execution is filed as ended before its data is there.
	DB_SQLITE_POOL_SIZE: '2',
};

/** The oldest n8n that the README promises, and others before the newest, which `engine` runs on. */
export const versions: Topic = {
	name: 'versions',
	async proveAll(prove, tarball) {
		for (const version of readdirSync(VERSIONS)) {
			const manifest = join(VERSIONS, version);
			const installed = await installN8n(manifest);
			const userFolder = join(REAL_N8N, 'versions', version);
			await withStarted(async (start) => {
				const options = { userFolder, tarball, installed, env: OLDER };
				const environment = await startEnvironment(start, options);
				const proveThere: Prove = async (promise, work) =>
					await prove(`n8n ${version}: ${promise}`, work);
				await proveCore(proveThere, environment);
				await proveKept(proveThere, environment, !version.startsWith('1.'));
			});
			// From npm's cache it is back in a minute or two (96 s on two busy cores).
			removeN8n(manifest);
		}
	},
};

/**
 * What rests on n8n's keeping something for a node from one execution to the next.
 *
 * @param isTold Whether a node can ask how an execution has ended.
 */
async function proveKept(prove: Prove, environment: Environment, isTold: boolean): Promise<void> {
	const { n8n, service, files, reset } = environment;
	const { rest } = n8n;

	const lay = (texts: Record<string, string>) =>
		files.lay(
			Object.entries(texts).map(([name, text]) => ({ name, text, changedAt: hoursAgo(9) })),
		);
	const startNights = async (path: string, options: Fields = {}) => {
		const workflow = await rest.createWorkflow(nightlyWorkflow(files, path, options));
		await rest.activate(workflow);
		return async () => {
			await fireNight(n8n.baseUrl, path);
			const [newest] = await rest.executions(workflow);
			const execution = await rest.untilEnded(newest?.id ?? 'none');
			const items = execution.items(SYNC_FILES).map(({ json }) => json);
			const said = items.map(({ action, fileName }) => `${String(action)} ${String(fileName)}`);
			return { said: said.join(', '), reason: textAt(items.at(-1), 'reason') };
		};
	};
	const held = () => service.files('support-bot', 'uploads').length;

	await prove('a folder is kept in step: a night knows what the one before has sent', async () => {
		reset();
		const night = await startNights('night', { wholeFolder: true });
		lay({ 'a.md': 'one', 'b.md': 'two', 'c.md': 'three' });
		const { said: first } = await night();
		lay({ 'a.md': 'one', 'b.md': 'two, changed' });
		const { said: second } = await night();
		assertHolds(first === 'added a.md, added b.md, added c.md', `First: ${first}.`);
		assertHolds(second === 'unchanged a.md, replaced b.md, removed c.md', `Then: ${second}.`);
		assertHolds(held() === 2, `The agent has ${held()} files.`);
	});
	const promise = isTold
		? 'a file that has gone is missing in the first night without it, and taken out in the second'
		: 'a file that has gone stays, and it is said why';
	await prove(promise, async () => {
		reset();
		const night = await startNights('second-night');
		lay({ 'a.md': 'one', 'b.md': 'two', 'c.md': 'three' });
		await night();
		lay({ 'a.md': 'one', 'b.md': 'two' });
		const first = await night();
		const both = 'unchanged a.md, unchanged b.md';
		assertHolds(first.said === `${both}, missing c.md`, `First: ${first.said}.`);
		assertHolds(held() === 3, `The agent has ${held()} files then.`);
		const second = await night();
		const action = isTold ? 'removed' : 'missing';
		assertHolds(second.said === `${both}, ${action} c.md`, `Then: ${second.said}.`);
		const words = isTold ? 'No longer in the folder' : 'has not kept the run before';
		assertHolds(second.reason.includes(words), `The reason: ${second.reason}.`);
		assertHolds(held() === (isTold ? 2 : 3), `The agent has ${held()} files.`);
	});
	await prove('a document starts the workflow of the trigger once', async () => {
		reset();
		const workflow = await rest.createWorkflow(readWorkflow('trigger'));
		await rest.activate(workflow);
		await write(service, 'Notice', { ms: 0, ends: 'failed' });
		const events = async () => (await eventsOf(rest, workflow)).join(', ');
		await until('the trigger has told of it', A_POLL_MS, async () => (await events()) !== '');
		const given = await events();
		assertHolds(given === 'documentAdded Notice, indexingFailed Notice', `Given: ${given}.`);
	});
}
