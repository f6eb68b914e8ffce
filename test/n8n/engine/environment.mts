import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startService, type Service } from '../../service/service.js';
import type { Execution } from '../execution.mjs';
import { fieldsOf, readJson, type Fields } from '../fields.mjs';
import { REAL_N8N, REPOSITORY } from '../install.mjs';
import { startModel, type Model } from '../model.mjs';
import type { Credential } from '../rest.mjs';
import { startN8n, type RunningN8n } from '../server.mjs';
import { assertAsExpected } from './expectation.mjs';
import { startFiles, type Files } from './files.mjs';

export const KEYS = {
	apiKey: '5c0ffee5c0ffee5c0ffee5c0ffee5c0ffee5rest',
	authKey: '5c0ffee5c0ffee5c0ffee5c0ffee5c0ffee5auth',
};

export const USER_FOLDER = join(REAL_N8N, 'engine');
export const WORKFLOWS = join(REPOSITORY, 'test/n8n/workflows');

/** How many agents the large account has: several hundred, and no multiple of a page. */
export const LARGE = 321;

/** One n8n, and what its workflows talk to, for all proofs of this topic. */
export interface Stage {
	n8n: RunningN8n;
	/** Three agents: support-bot, sales-assistant, onboarding-guide. */
	service: Service;
	/** Some hundred agents: agent-001 and so on. */
	large: Service;
	/** Another host, with the same keys. Nobody has a reason to ask it anything. */
	elsewhere: Service;
	model: Model;
	files: Files;
	/** The credential 'CometChat account', which most workflows use. */
	account: Credential & { id: string };
	/** The credential 'Large account'. */
	largeAccount: Credential & { id: string };
	/**
	 * Imports a workflow file; returns its ID.
	 *
	 * @param replace Texts of the file and what stands for them here.
	 */
	importWorkflow(name: string, replace?: Record<string, string>, folder?: string): Promise<string>;
	/** Imports a workflow and runs it from its Manual Trigger. */
	run(name: string, replace?: Record<string, string>): Promise<Execution>;
	/** The same, and compares what came of it with the file's expectation beside it. */
	runAsExpected(name: string): Promise<Execution>;
	/** Everything as at the start but the workflows and executions. */
	reset(): void;
	stop(): Promise<void>;
}

export async function startStage(tarball: string): Promise<Stage> {
	const stops: Array<() => Promise<void>> = [];
	const started = <S extends { stop(): Promise<void> }>(server: S) => {
		stops.unshift(() => server.stop());
		return server;
	};
	const stop = async () => {
		for (const each of stops.splice(0)) await each();
	};
	try {
		const service = started(await startService(KEYS));
		const large = started(await startService({ ...KEYS, agents: LARGE }));
		const elsewhere = started(await startService(KEYS));
		const files = started(await startFiles());
		const model = started(await startModel());
		rmSync(USER_FOLDER, { recursive: true, force: true });
		// 'debug', so that a key that n8n's log could hold is there to be found.
		// 'filesystem' is the default; a proof of memory stands on it.
		const env = { N8N_LOG_LEVEL: 'debug', N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem' };
		const n8n = started(await startN8n({ userFolder: USER_FOLDER, tarball, env }));

		const account = await addCredential(n8n, accountFor('CometChat account', service));
		const largeAccount = await addCredential(n8n, accountFor('Large account', large));
		const url = `${model.baseUrl}/v1`;
		const data = { apiKey: 'model-key', url };
		await addCredential(n8n, { name: 'OpenAI account', type: 'openAiApi', data });

		const hosts = {
			'https://files.example.com': files.baseUrl,
			'https://chat.example.com/v3': service.baseUrl,
		};
		const importWorkflow: Stage['importWorkflow'] = async (name, replace, folder = WORKFLOWS) =>
			await n8n.rest.createWorkflow(
				readWorkflow(join(folder, `${name}.json`), { ...hosts, ...replace }),
			);
		const run: Stage['run'] = async (name, replace) =>
			await n8n.rest.run(await importWorkflow(name, replace));
		return {
			n8n,
			service,
			large,
			elsewhere,
			model,
			files,
			account,
			largeAccount,
			importWorkflow,
			run,
			runAsExpected: async (name) => {
				const execution = await run(name);
				assertAsExpected({ execution, service }, expectationOf(name));
				return execution;
			},
			reset: () => {
				for (const each of [service, large, elsewhere, files]) each.reset();
				model.script();
			},
			stop,
		};
	} catch (error) {
		await stop();
		throw error;
	}
}

/** What lies beside a workflow file. */
export function expectationOf(name: string): unknown {
	return readJson(join(WORKFLOWS, `${name}.expected.json`));
}

export function accountFor(name: string, { baseUrl }: Service, apiKey = KEYS.apiKey): Credential {
	return {
		name,
		type: 'cometChatApi',
		data: { appId: '', region: 'custom', baseUrl, apiKey },
	};
}

async function addCredential(n8n: RunningN8n, credential: Credential) {
	return { ...credential, id: await n8n.rest.createCredential(credential) };
}

export function readWorkflow(file: string, replace: Record<string, string>): Fields {
	const text = Object.entries(replace).reduce(
		(found, [written, here]) => found.replaceAll(written, here),
		readFileSync(file, 'utf8'),
	);
	return fieldsOf(JSON.parse(text));
}
