import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { KEYS } from '../test/n8n/engine/stage.mjs';
import { REAL_N8N } from '../test/n8n/install.mjs';
import { showProgress } from '../test/n8n/progress.mjs';
import type { N8nRest } from '../test/n8n/rest.mjs';
import { startN8n } from '../test/n8n/server.mjs';
import type { Credentials } from './workflow.mjs';

/** What every reading starts from: n8n's user folder, migrated, with the package and an owner. */
export interface Prepared {
	userFolder: string;
	env: NodeJS.ProcessEnv;
	/** Adds both nodes' credentials for the service at `baseUrl`. */
	addCredentials(rest: N8nRest, baseUrl: string): Promise<Credentials>;
}

/** The same for every contestant: n8n keeps nothing of an execution, and logs errors only. */
const ENV: NodeJS.ProcessEnv = {
	EXTERNAL_HOOK_FILES: join(import.meta.dirname, 'recorded.mts'),
	EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'none',
	EXECUTIONS_DATA_SAVE_ON_ERROR: 'none',
	EXECUTIONS_DATA_SAVE_MANUAL_EXECUTIONS: 'false',
	EXECUTIONS_DATA_SAVE_ON_PROGRESS: 'false',
	N8N_LOG_LEVEL: 'error',
};

export async function prepareUserFolder(tarball: string): Promise<Prepared> {
	const userFolder = join(REAL_N8N, 'bench/prepared');
	rmSync(userFolder, { recursive: true, force: true });
	await showProgress('Preparing an n8n with the node installed', async () => {
		const n8n = await startN8n({ userFolder, tarball });
		await n8n.stop();
	});
	return { userFolder, env: ENV, addCredentials };
}

async function addCredentials(rest: N8nRest, baseUrl: string): Promise<Credentials> {
	return {
		cometChatApi: await rest.createCredential({
			name: 'CometChat account',
			type: 'cometChatApi',
			data: { appId: '', region: 'custom', baseUrl, apiKey: KEYS.apiKey },
		}),
		httpHeaderAuth: await rest.createCredential({
			name: 'Header Auth account',
			type: 'httpHeaderAuth',
			data: { name: 'apikey', value: KEYS.apiKey },
		}),
	};
}
