import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startService, type Service } from '../../service/service.js';
import { accountFor, KEYS } from '../account.mjs';
import type { Execution } from '../execution.mjs';
import { assertAsExpected } from '../expectation.mjs';
import { REAL_N8N } from '../install.mjs';
import { startLanguageModel, type LanguageModel } from '../languageModel.mjs';
import { showProgress } from '../progress.mjs';
import { INSIDE } from '../recorded.mjs';
import { SITES } from '../sites.mjs';
import { startN8n, type N8nOptions, type RunningN8n } from '../server.mjs';
import type { Start } from '../withStarted.mjs';
import { expectationOf, readExample, readWorkflow } from '../workflows.mjs';
import { startFiles, type Files } from './files.mjs';

export const NODE_TYPE = 'n8n-nodes-cometchat.cometChatKnowledgeBase';
export const TRIGGER_TYPE = `${NODE_TYPE}Trigger`;

export interface Environment {
	n8n: RunningN8n;
	/** The simulation with three agents: support-bot, sales-assistant, onboarding-guide. Its credential is ACCOUNT. */
	service: Service;
	languageModel: LanguageModel;
	files: Files;
	/** Imports a workflow file; see `readWorkflow`. Returns its ID. */
	importWorkflow(name: string, replace?: Record<string, string>): Promise<string>;
	/** Imports an example with the chosen agents; see `readExample`. */
	importExample(name: string, agents?: string[], replace?: Record<string, string>): Promise<string>;
	/** Imports a workflow and runs it from its Manual Trigger. */
	run(name: string, replace?: Record<string, string>): Promise<Execution>;
	/** The same after a reset, and compares the result with the file's expectation. */
	runAsExpected(name: string, replace?: Record<string, string>): Promise<void>;
	/** Resets everything except for workflows and executions. */
	reset(): void;
}

/** Starts an n8n in an empty user folder. */
export async function startEnvironment(
	start: Start,
	tarball: string,
	options: Partial<N8nOptions> = {},
): Promise<Environment> {
	// Of the two possible effects of a second crawl, a second website needs more work.
	const crawling = { ms: 500, secondScrape: 'second' as const };
	const service = await start(startService({ ...KEYS, sites: SITES, crawling }));
	const files = await start(startFiles());
	const languageModel = await start(startLanguageModel());
	const userFolder = options.userFolder ?? join(REAL_N8N, 'shared');
	const env = { GOOGLE_PORT: String(files.port), ...options.env };
	const n8n = await start(startFresh({ tarball, ...options, userFolder, env }));
	await n8n.rest.createCredential(accountFor(service));
	await n8n.rest.createCredential({
		name: 'OpenAI account',
		type: 'openAiApi',
		data: { apiKey: 'model-key', url: `${languageModel.origin}/v1` },
	});
	const signedIn = { clientId: 'n8n', clientSecret: 's', oauthTokenData: { access_token: 't' } };
	await n8n.rest.createCredential({
		name: 'Google Drive account',
		type: 'googleDriveOAuth2Api',
		data: signedIn,
	});
	await n8n.rest.createCredential({
		name: 'Microsoft Drive account',
		type: 'microsoftOneDriveOAuth2Api',
		data: { ...signedIn, graphApiBaseUrl: files.origin },
	});
	const hosts = {
		'https://files.example.com': files.origin,
		'https://chat.example.com/v3': service.baseUrl,
	};
	const importWorkflow: Environment['importWorkflow'] = async (name, replace) =>
		await n8n.rest.createWorkflow(readWorkflow(name, { ...hosts, ...replace }));
	const run: Environment['run'] = async (name, replace) =>
		await n8n.rest.run(await importWorkflow(name, replace));
	const reset = () => {
		service.reset();
		languageModel.script();
	};
	const parts = { n8n, service, languageModel, files };
	return {
		...parts,
		importWorkflow,
		importExample: async (name, agents, replace) =>
			await n8n.rest.createWorkflow(readExample(name, agents, { ...hosts, ...replace })),
		run,
		runAsExpected: async (name, replace) => {
			reset();
			const execution = await run(name, replace);
			assertAsExpected(execution, service, expectationOf(name));
		},
		reset,
	};
}

async function startFresh(options: N8nOptions): Promise<RunningN8n> {
	rmSync(options.userFolder, { recursive: true, force: true });
	const env = {
		// A detailed log, in which a key would be found.
		N8N_LOG_LEVEL: 'debug',
		// The default, which a proof of memory needs.
		N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
		...INSIDE,
		...options.env,
	};
	return await showProgress(`Starting n8n in ${options.userFolder}`, () =>
		startN8n({ ...options, env }),
	);
}
