import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { proveCore } from './core.mjs';
import { startEnvironment } from './engine/environment.mjs';
import { installN8n, REAL_N8N } from './install.mjs';
import type { Topic } from './prove.mjs';
import { withStarted } from './withStarted.mjs';

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
			const installed = await installN8n(join(VERSIONS, version));
			const userFolder = join(REAL_N8N, 'versions', version);
			await withStarted(async (start) => {
				const options = { userFolder, tarball, installed, env: OLDER };
				const environment = await startEnvironment(start, options);
				await proveCore((promise, work) => prove(`n8n ${version}: ${promise}`, work), environment);
			});
		}
	},
};
