import { startService, type Service } from '../service/service.js';
import { KEYS } from './account.mjs';
import { hoursAgo, startFiles, type Document, type Files } from './engine/files.mjs';
import type { Execution } from './execution.mjs';
import { textAt } from './fields.mjs';
import { BAD_ENDS, shapedWorkflow, WELL, type BadEnd, type Shape } from './gone/shapes.mjs';
import { startLanguageModel } from './languageModel.mjs';
import { startNights, type Nights } from './nights/environment.mjs';
import { assertSame } from './nights/folder.mjs';
import { AGENT, calledWorkflow, callingWorkflow, SYNC_FILES } from './nights/workflow.mjs';
import { assertHolds, type Topic } from './prove.mjs';
import { until } from './until.mjs';
import { withStarted } from './withStarted.mjs';

const ALL = ['a.md', 'b.md', 'c.md', 'd.md', 'e.md', 'f.md'];
const LEFT = 'e.md';
const OTHERS = ALL.filter((name) => name !== LEFT);

/** What the proofs work with. */
interface Environment {
	service: Service;
	files: Files;
	nights: Nights;
}

/** When a file counts as gone, in workflows of many shapes and executions that end in many ways. */
export const gone: Topic = {
	name: 'gone',
	async proveAll(prove, tarball) {
		await withStarted(async (start) => {
			const service = await start(startService(KEYS));
			const files = await start(startFiles());
			const model = await start(startLanguageModel());
			const nights = await startNights(start, tarball, service, {
				name: 'OpenAI account',
				type: 'openAiApi',
				data: { apiKey: 'model-key', url: `${model.origin}/v1` },
			});
			const environment = { service, files, nights };
			for (const { promise, shape } of WELL) {
				await prove(
					`${promise}: what is in the folder stays, what has left is out after two nights without it`,
					async () => await proveTakenOut(environment, shape),
				);
			}
			await prove(
				"Called by another workflow, in n8n's main process: the same without any option",
				async () => await proveCalled(environment),
			);
			for (const badEnd of BAD_ENDS) {
				await prove(`${badEnd.promise}: nothing is taken out`, async () => {
					await proveLeft(environment, badEnd);
				});
			}
			await prove(
				'Successful executions are not saved: nothing is taken out, and each item says why',
				async () => await proveUnsaved(environment),
			);
		});
	},
};

async function proveTakenOut(environment: Environment, shape: Shape): Promise<void> {
	const { nights } = environment;
	const { workflow, path } = await begin(environment, shape);
	await proveNights(environment, async () => await nights.run(path, workflow));
}

async function proveCalled(environment: Environment): Promise<void> {
	const { service, files, nights } = environment;
	service.reset();
	const called = await nights.publish(calledWorkflow(files));
	await nights.publish(callingWorkflow('calling', called));
	await proveNights(environment, async () => {
		await nights.fire('calling');
		return await nights.newest(called);
	});
}

async function proveNights(environment: Environment, run: () => Promise<Execution>): Promise<void> {
	const { service } = environment;
	for (const [laid, held, changes] of [
		[ALL, ALL, ['add']],
		[ALL, ALL, []],
		[OTHERS, ALL, []],
		[OTHERS, OTHERS, ['remove']],
		[OTHERS, OTHERS, []],
	] as const) {
		lay(environment, laid);
		service.clearLog();
		const { status } = await run();
		assertHolds(status === 'success', `It ended with ${status}.`);
		assertHeld(environment, held);
		assertSame(changesOf(service), changes, 'It sent');
	}
}

async function proveLeft(environment: Environment, badEnd: BadEnd): Promise<void> {
	const { files, service, nights } = environment;
	const { shape, laid, isStopped = false, status } = badEnd;
	const { workflow, path } = await begin(environment, shape);
	lay(environment, ALL);
	await nights.run(path, workflow);
	assertHeld(environment, ALL);
	service.clearLog();
	for (let night = 0; night < 3; night += 1) {
		lay(environment, OTHERS, laid);
		const ended = nights.fire(path);
		if (isStopped) {
			await until('a download hangs', 30_000, () => files.hanging() > 0);
			await nights.stopNewest(workflow);
		}
		await ended;
		const execution = await nights.newest(workflow);
		assertHolds(execution.status === status, `It ended with ${execution.status}.`);
		const said = actionsOf(execution).filter((action) => action !== 'unchanged');
		assertHolds(!said.includes('removed'), `It says ${said.join()}.`);
		assertHeld(environment, ALL);
	}
	assertSame(changesOf(service), [], 'It sent');
}

async function proveUnsaved(environment: Environment): Promise<void> {
	const { nights } = environment;
	const settings = { saveDataSuccessExecution: 'none' };
	const parameters = { httpMethod: 'POST', responseMode: 'lastNode', responseData: 'allEntries' };
	const { path } = await begin(environment, { settings, call: parameters });
	lay(environment, ALL);
	await nights.fire(path);
	lay(environment, OTHERS);
	const first = await nights.fire(path);
	assertHolds(first.includes('the next run takes it out'), first);
	for (let night = 0; night < 2; night += 1) {
		const said = await nights.fire(path);
		assertHolds(said.includes('n8n has not kept the run before'), said);
		assertHeld(environment, ALL);
	}
}

let published = 0;

async function begin({ service, files, nights }: Environment, shape: Shape) {
	service.reset();
	published += 1;
	const path = `shape-${published}`;
	return { path, workflow: await nights.publish(shapedWorkflow(files, path, shape)) };
}

function lay(
	{ files }: Environment,
	names: readonly string[],
	changed: Record<string, Partial<Document>> = {},
): void {
	const all = [...new Set([...names, ...Object.keys(changed)])].sort();
	files.lay(all.map((name) => ({ name, text: name, changedAt: hoursAgo(0), ...changed[name] })));
}

function assertHeld({ service }: Environment, names: readonly string[]): void {
	const held = service.files(AGENT, 'uploads');
	const records = service.records().filter(({ uniqueId }) => held.includes(uniqueId));
	assertSame(records.map(({ sourceName }) => sourceName).sort(), names, 'The agent has');
}

/** Which kinds of changes of an agent have arrived. */
function changesOf({ log }: Service): string[] {
	const sent = log.filter(({ kind }) => kind === 'arrived').map(({ operation = '' }) => operation);
	return ['add', 'remove', 'deleteUpload'].filter((operation) => sent.includes(operation));
}

function actionsOf(execution: Execution): string[] {
	return execution.items(SYNC_FILES).map(({ json }) => textAt(json, 'action'));
}
