import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startService, type Service } from '../service/service.js';
import { assertAsExpected } from './engine/expectation.mjs';
import { accountFor, expectationOf, KEYS, readWorkflow, WORKFLOWS } from './engine/stage.mjs';
import { listAt, textAt } from './fields.mjs';
import { installN8n, REAL_N8N, type InstalledN8n } from './install.mjs';
import { showProgress } from './progress.mjs';
import { assertHolds, type Prove, type Topic } from './prove.mjs';
import { startN8n, type RunningN8n } from './server.mjs';

/** A folder for each n8n beside the newest: a manifest and a lock file. */
const VERSIONS = join(import.meta.dirname, 'versions');
const NODE_TYPE = 'n8n-nodes-cometchat.cometChatKnowledgeBase';

/** The same workflows on the oldest n8n that the README promises, on others, and on the newest. */
export const versions: Topic = {
	name: 'versions',
	async proveAll(prove, tarball) {
		for (const version of readdirSync(VERSIONS)) {
			const installed = await installN8n(join(VERSIONS, version));
			await proveVersion(prove, tarball, installed, OLDER);
		}
		await proveVersion(prove, tarball, await installN8n(), {});
	},
};

const OLDER: NodeJS.ProcessEnv = {
	// It does not start if it is to switch off a part that it does not have yet.
	N8N_DISABLED_MODULES: undefined,
	// With none of these, as n8n 1 has it, an execution is filed as ended before its data is there.
	DB_SQLITE_POOL_SIZE: '2',
};

async function proveVersion(
	prove: Prove,
	tarball: string,
	installed: InstalledN8n,
	env: NodeJS.ProcessEnv,
): Promise<void> {
	const name = `n8n ${installed.version}`;
	const userFolder = join(REAL_N8N, 'versions', installed.version);
	rmSync(userFolder, { recursive: true, force: true });
	const service = await startService(KEYS);
	try {
		const n8n = await showProgress(`Starting ${name}`, () =>
			startN8n({ userFolder, tarball, installed, env }),
		);
		try {
			await proveCore((promise, work) => prove(`${name}: ${promise}`, work), n8n, service);
		} finally {
			await n8n.stop();
		}
	} finally {
		await service.stop();
	}
}

async function proveCore(prove: Prove, n8n: RunningN8n, service: Service): Promise<void> {
	const { rest } = n8n;
	const account = accountFor('CometChat account', service);
	const run = async (name: string) => {
		const file = join(WORKFLOWS, `${name}.json`);
		return await rest.run(await rest.createWorkflow(readWorkflow(file, {})));
	};
	const runAsExpected = async (name: string) => {
		service.reset();
		assertAsExpected({ execution: await run(name), service }, expectationOf(name));
	};

	await prove('the node is there, for workflows and as a tool for AI agents', async () => {
		const types = await rest.nodeTypes();
		for (const type of [NODE_TYPE, `${NODE_TYPE}Tool`]) {
			assertHolds(types.includes(type), `There is no ${type}.`);
		}
	});
	await prove('the credential test tells the right key from a wrong one', async () => {
		const id = await rest.createCredential(account);
		const right = await rest.testCredential(id, account);
		assertHolds(right.status === 'OK', `The right key: ${right.status}, ${right.message}`);
		const wrong = accountFor('Wrong key', service, 'badc0debadc0debadc0debadc0debadc0debadkey');
		const red = await rest.testCredential(await rest.createCredential(wrong), wrong);
		const said = `${red.status}, ${red.message}`;
		assertHolds(said.startsWith('Error, CometChat did not accept the API key'), said);

		const page = await rest.listSearch({
			nodeTypeAndVersion: { name: NODE_TYPE, version: 1 },
			path: 'parameters.uid',
			methodName: 'searchAgents',
			currentNodeParameters: {},
			credentials: { cometChatApi: { id, name: account.name } },
			filter: 'sales',
		});
		const found = listAt(page, 'results')
			.map((agent) => textAt(agent, 'value'))
			.join();
		assertHolds(found === 'sales-assistant', `The agent list shows ${found}.`);
	});
	await prove('Add and Remove over several agents, in order for each', async () => {
		await runAsExpected('several-agents');
	});
	await prove('a workflow saved with version 0.1.0 of the node works', async () => {
		await runAsExpected('saved-with-0.1.0');
	});
	await prove('files that n8n made are uploaded, indexed and added to an agent', async () => {
		service.reset();
		const execution = await run('upload-to-agent');
		assertHolds(execution.status === 'success', `${execution.status}: ${execution.error}`);
		const stored = service.records().map(({ uniqueId }) => service.stored(uniqueId)?.bytes ?? 0);
		assertHolds(stored.length === 2 && !stored.includes(0), `Stored: ${stored.join()} bytes.`);
		const held = service.files('support-bot', 'uploads').length;
		assertHolds(held === 2, `The agent holds ${held} files.`);
		const byKey = service.uploads().filter(({ headers }) => headers.apikey !== undefined);
		assertHolds(byKey.length === 0, 'The upload host got the API key.');
	});
	await prove('Stop ends the run, and its error names what was sent', async () => {
		await runAsExpected('failing-stops');
	});
	await prove('Continue sends the others', async () => {
		await runAsExpected('failing-continues');
	});
	await prove('failed items, and only they, take the error output', async () => {
		await runAsExpected('failing-error-output');
	});
	await prove(
		'a refused request is sent again after the wait it was told, with a hint',
		async () => {
			service.reset();
			service.script({ for: { uid: 'sales-assistant' }, status: 503, retryAfter: '1' });
			const execution = await run('own-retries');
			assertHolds(execution.status === 'success', `${execution.status}: ${execution.error}`);
			const sent = service.requests().filter(({ uid }) => uid === 'sales-assistant');
			const [first = 0, second = 0] = sent.map(({ atMs }) => atMs);
			assertHolds(
				sent.length === 2 && second - first >= 1000,
				`${sent.length} times, ${second - first} ms apart.`,
			);
			const [hint = ''] = execution.hints('Add Files');
			assertHolds(hint.startsWith('1 item was sent more than once'), `The hint is "${hint}".`);
		},
	);
}
