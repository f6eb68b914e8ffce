import { isDeepStrictEqual } from 'node:util';
import { startService, type Service } from '../service/service.js';
import { KEYS } from './account.mjs';
import { startFiles, type Files } from './engine/files.mjs';
import type { Execution } from './execution.mjs';
import { textAt } from './fields.mjs';
import { startNights, type Nights } from './nights/environment.mjs';
import { assertSame, Folder, FROM_ELSEWHERE } from './nights/folder.mjs';
import { NIGHTS, unchanged, type Night, type Sends } from './nights/rows.mjs';
import { loopedWorkflow, nightlyWorkflow, SYNC_FILES } from './nights/workflow.mjs';
import { assertHolds, type Prove, type Topic } from './prove.mjs';
import { until } from './until.mjs';
import { withStarted } from './withStarted.mjs';

const ORIGINAL = 'original';
const COPY = 'copy';
const LOOPED = 'looped';

/** Longer than anybody waits here for an answer. */
const NO_ANSWER_MS = 600_000;

/** What the proofs work with. */
interface Environment {
	service: Service;
	files: Files;
	folder: Folder;
	nights: Nights;
	/** The ID of the workflow ORIGINAL. */
	workflow: string;
}

/** One night after another of a workflow that keeps an agent in step with a folder. */
export const nights: Topic = {
	name: 'nights',
	async proveAll(prove, tarball) {
		await withStarted(async (start) => {
			// Somebody else has a file of the same name as one in the folder.
			const records = [{ sourceName: 'prices.md' }, FROM_ELSEWHERE];
			const service = await start(startService({ ...KEYS, records }));
			const files = await start(startFiles());
			const nights = await startNights(start, tarball, service);
			const folder = await Folder.beside(service, files);
			const workflow = await nights.publish(nightlyWorkflow(files, ORIGINAL));
			const environment = { service, files, folder, nights, workflow };
			const proveOfNights: Prove = async (promise, work) =>
				await prove(`A folder's nights: ${promise}`, work);
			for (const night of NIGHTS) {
				await proveOfNights(night.promise, async () => await proveNight(environment, night));
			}
			await proveTogether(proveOfNights, environment);
		});
	},
};

async function proveNight(environment: Environment, night: Night): Promise<void> {
	const { service, folder, nights, workflow } = environment;
	if (night.shared !== undefined) await folder.share(night.shared);
	folder.lay(night.folder ?? {});
	service.clearLog();
	service.script(...(night.service ?? []));
	service.scriptIndexing(...(night.indexing ?? []));
	if (night.cut === undefined) assertSays(await nights.run(ORIGINAL, workflow), night);
	else await cutShort(environment, night.cut, night.sends);
	assertSame(folder.sent(), night.sends ?? {}, 'It sent');
	assertFewQuestions(service, night.sends);
	folder.assertInStep(night.agentHas);
}

/** Ends a night while one request has no answer and all others have theirs. */
async function cutShort(
	{ service, folder, nights, workflow }: Environment,
	{ by, at }: NonNullable<Night['cut']>,
	sends: Sends = {},
): Promise<void> {
	service.script({ for: { operation: at }, latencyMs: NO_ANSWER_MS });
	const night = nights.fire(ORIGINAL).catch(() => undefined);
	await until(`only ${at} is under way`, 30_000, () => {
		const arrived = service.log.filter(({ kind }) => kind === 'arrived').length;
		return isDeepStrictEqual(folder.sent(), sends) && service.log.length === 2 * arrived - 1;
	});
	await (by === 'kill' ? nights.killAndRestart() : nights.stopNewest(workflow));
	await night;
}

function assertSays(execution: Execution, { says = {}, hint = '' }: Partial<Night>): void {
	const items = execution.items(SYNC_FILES).map(({ json }) => json);
	const missing = Object.entries(says).filter(
		([name, said]) =>
			!items.some(({ fileName, action, error }) =>
				typeof said === 'string'
					? fileName === name && action === said
					: JSON.stringify(error ?? '').includes(name) &&
						textAt(error, 'message').includes(said.fails),
			),
	);
	const words = JSON.stringify(items);
	assertHolds(missing.length === 0, `Not ${JSON.stringify(missing)}, but ${words}.`);
	assertHolds(items.length === Object.keys(says).length, `There is more than that: ${words}.`);
	const hints = execution.hints(SYNC_FILES).join(' ');
	assertHolds(hints.includes(hint), `It hints: ${hints}`);
}

/** The agent alone; with a change all files and all agents, too, and the agents again before each deletion. */
function assertFewQuestions({ log }: Service, { remove = 0, deleteUpload = 0 }: Sends = {}): void {
	const asked = log.filter(({ kind, method }) => kind === 'arrived' && method === 'GET');
	const words = asked.map(({ operation }) => operation).join();
	assertHolds(asked.length <= 3 + Math.max(remove, deleteUpload), `It asked for ${words}.`);
}

/** Nights that know nothing of one another. */
async function proveTogether(prove: Prove, environment: Environment): Promise<void> {
	const { service, files, folder, nights, workflow } = environment;
	const others = unchanged('contact.md', 'hours.md', 'manual.md', 'returns.md');
	const saying = (prices: string): Partial<Night> => ({
		says: { ...others, 'guarantee.md': 'unchanged', 'prices.md': prices },
	});
	/** Nothing is to be done. */
	const proveQuiet = async (path: string, id: string) => {
		service.clearLog();
		assertSays(await nights.run(path, id), saying('unchanged'));
		assertSame(folder.sent(), {}, 'It sent');
		assertFewQuestions(service);
		folder.assertInStep();
	};

	await prove('two at once leave nothing that the next one does not put right', async () => {
		folder.lay({ 'prices.md': 'prices 7' });
		service.clearLog();
		service.script({ for: { operation: 'add' }, times: 2, latencyMs: 2000 });
		const first = nights.fire(ORIGINAL);
		const hasBegun = () => service.log.some(({ operation }) => operation === 'add');
		await until('the first one is in its midst', 30_000, hasBegun);
		await Promise.all([first, nights.fire(ORIGINAL)]);
		service.clearLog();
		assertSays(await nights.run(ORIGINAL, workflow), saying('replaced'));
		// The copy is not noted as its own, so it is not deleted.
		assertSame(folder.sent(), { remove: 1 }, 'It sent');
		folder.assertInStep();
		await proveQuiet(ORIGINAL, workflow);
	});

	await prove(
		'what one that was started by hand has done, the next one has not to do again',
		async () => {
			folder.lay({ 'prices.md': 'prices 8' });
			assertSays(await nights.runByHand(workflow), saying('replaced'));
			folder.assertInStep();
			await proveQuiet(ORIGINAL, workflow);
		},
	);

	await prove(
		'a copy of the workflow begins without a note and takes what is there as it is; then either does its part',
		async () => {
			const copy = await nights.publish(nightlyWorkflow(files, COPY));
			await proveQuiet(COPY, copy);
			folder.lay({ 'prices.md': 'prices 9' });
			assertSays(await nights.run(COPY, copy), saying('replaced'));
			folder.assertInStep();
			await proveQuiet(ORIGINAL, workflow);
			await proveQuiet(COPY, copy);
		},
	);

	await prove('behind a loop that has come to its end, it sees the whole folder', async () => {
		const looped = await nights.publish(loopedWorkflow(files, LOOPED));
		await proveQuiet(LOOPED, looped);
		folder.lay({ 'returns.md': null });
		const said = saying('unchanged').says;
		for (const action of ['missing', 'removed']) {
			assertSays(await nights.run(LOOPED, looped), { says: { ...said, 'returns.md': action } });
		}
		folder.assertInStep();
		folder.lay({ 'returns.md': 'returns 3' });
		await nights.run(ORIGINAL, workflow);
	});

	await prove(
		"one that failed and was retried from n8n's list, without a note, leaves what was noted",
		async () => {
			folder.lay({ 'guarantee.md': null });
			files.refuseOnce();
			const { id, status } = await nights.run(ORIGINAL, workflow);
			assertHolds(status === 'error', `It ended with ${status}.`);
			const retried = await nights.retry(id, workflow);
			const left = { ...others, 'prices.md': 'unchanged' };
			assertSays(retried, { says: left });
			for (const action of ['missing', 'removed']) {
				const next = await nights.run(ORIGINAL, workflow);
				assertSays(next, { says: { ...left, 'guarantee.md': action } });
			}
			folder.assertInStep();
		},
	);

	await prove('one that was started by hand takes nothing out, and does not count', async () => {
		folder.lay({ 'hours.md': null });
		const left = { ...others, 'prices.md': 'unchanged', 'hours.md': 'missing' };
		const inStep = { 'hours.md': ['hours 2'] };
		for (const run of ['hand', 'published', 'hand'] as const) {
			const execution = await (run === 'hand'
				? nights.runByHand(workflow)
				: nights.run(ORIGINAL, workflow));
			assertSays(execution, { says: left });
			folder.assertInStep(inStep);
		}
		const next = await nights.run(ORIGINAL, workflow);
		assertSays(next, { says: { ...left, 'hours.md': 'removed' } });
		folder.assertInStep();
	});
}
