import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { proveCore } from '../engine/core.mjs';
import { startEnvironment } from '../engine/environment.mjs';
import { installN8n, REAL_N8N, type InstalledN8n } from '../install.mjs';
import type { Prove, Topic } from '../prove.mjs';
import { withStarted } from '../withStarted.mjs';

/** A folder for each n8n beside the newest: a manifest and a lock file. */
const VERSIONS = join(import.meta.dirname, '../versions');

const OLDER: NodeJS.ProcessEnv = {
	// It does not start if it is to switch off a part that it does not have yet.
	N8N_DISABLED_MODULES: undefined,
	// Its Node reads no TypeScript.
	EXTERNAL_HOOK_FILES: undefined,
	// With none of these, as n8n 1 has it, an execution is filed as ended before its data is there.
	DB_SQLITE_POOL_SIZE: '2',
};

const installs = new Map<string, Promise<InstalledN8n>>();

/** The oldest n8n that the README promises, and others before the newest, which the other topics run on. */
export const versions: Topic = {
	name: 'versions',
	async prepare() {
		let before: Promise<unknown> = Promise.resolve();
		for (const version of readdirSync(VERSIONS)) {
			// One after the other: the proofs of the newest go on meanwhile.
			const install = before.then(async () => await installN8n(join(VERSIONS, version)));
			installs.set(version, install);
			before = install;
		}
		await before;
	},
	async proveAll(prove, { tarball }) {
		for (const [version, install] of installs) {
			const proveThere: Prove = async (promise, work) =>
				await prove(`n8n ${version}: ${promise}`, work);
			await withStarted(async (start) => {
				const userFolder = join(REAL_N8N, 'versions', version);
				const options = { userFolder, installed: await install, env: OLDER };
				await proveCore(proveThere, await startEnvironment(start, tarball, options));
			});
		}
	},
};
