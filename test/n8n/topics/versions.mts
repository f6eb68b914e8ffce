import { basename, join } from 'node:path';
import { proveCore } from '../engine/core.mjs';
import { startEnvironment } from '../engine/environment.mjs';
import { installN8n, OLDER, REAL_N8N } from '../install.mjs';
import type { Prove, Topic } from '../prove.mjs';
import { withStarted } from '../withStarted.mjs';

const SETTINGS: NodeJS.ProcessEnv = {
	// It does not start with a disabled module that it doesn't have yet.
	N8N_DISABLED_MODULES: undefined,
	// Its Node can't read TypeScript.
	EXTERNAL_HOOK_FILES: undefined,
};

export const versions: Topic = {
	name: 'versions',
	async proveAll(prove, { tarball }) {
		for (const folder of OLDER) {
			const version = basename(folder);
			const proveThere: Prove = async (promise, work) =>
				await prove(`n8n ${version}: ${promise}`, work);
			const userFolder = join(REAL_N8N, 'versions', version);
			await withStarted(async (start) => {
				const options = { userFolder, installed: await installN8n(folder), env: SETTINGS };
				await proveCore(proveThere, await startEnvironment(start, tarball, options));
			});
		}
	},
};
