import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { accountFor, KEYS } from '../test/n8n/account.mjs';
import { REAL_N8N } from '../test/n8n/install.mjs';
import { showProgress } from '../test/n8n/progress.mjs';
import type { N8nRest } from '../test/n8n/rest.mjs';
import { startN8n } from '../test/n8n/server.mjs';
import { readsFiles, type BenchCase } from './cases.mjs';
import type { Credentials } from './nodes.mjs';

/** What every reading starts from: n8n's user folder, migrated, with the package and an owner. */
export interface Prepared {
	userFolder: string;
	/** Adds both nodes' credentials for the service at `baseUrl`. */
	addCredentials(rest: N8nRest, baseUrl: string): Promise<Credentials>;
}

/** n8n keeps nothing of an execution: storing it would take longer than the node itself. */
const KEEP_NOTHING: NodeJS.ProcessEnv = {
	EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'none',
	EXECUTIONS_DATA_SAVE_ON_ERROR: 'none',
	EXECUTIONS_DATA_SAVE_MANUAL_EXECUTIONS: 'false',
	EXECUTIONS_DATA_SAVE_ON_PROGRESS: 'false',
};

/**
 * The environment of n8n, the same for every contestant of a case. Where the whole execution counts,
 * n8n keeps it as it does for its users.
 */
export function environmentOf(benchCase: BenchCase): NodeJS.ProcessEnv {
	return {
		...(readsFiles(benchCase) ? {} : KEEP_NOTHING),
		EXTERNAL_HOOK_FILES: join(import.meta.dirname, 'recorded.mts'),
		N8N_LOG_LEVEL: 'error',
	};
}

export async function prepareUserFolder(tarball: string): Promise<Prepared> {
	const userFolder = join(REAL_N8N, 'bench/prepared');
	rmSync(userFolder, { recursive: true, force: true });
	await showProgress('Preparing an n8n with the node installed', async () => {
		const n8n = await startN8n({ userFolder, tarball });
		await n8n.stop();
	});
	return { userFolder, addCredentials };
}

async function addCredentials(rest: N8nRest, baseUrl: string): Promise<Credentials> {
	return {
		cometChatApi: await rest.createCredential(accountFor({ baseUrl })),
		httpHeaderAuth: await rest.createCredential({
			name: 'Header Auth account',
			type: 'httpHeaderAuth',
			data: { name: 'apikey', value: KEYS.apiKey },
		}),
	};
}
