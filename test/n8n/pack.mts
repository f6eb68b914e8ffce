import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { npm, runChild } from './child.mjs';
import { readJson, requiredText } from './fields.mjs';
import { REAL_N8N, REPOSITORY } from './install.mjs';
import { showProgress } from './progress.mjs';

/** Makes the package exactly as npm would publish it. Returns the path of the tarball. */
export async function buildAndPack(): Promise<string> {
	mkdirSync(REAL_N8N, { recursive: true });
	const command = { cwd: REPOSITORY, env: process.env, logFile: join(REAL_N8N, 'build.log') };
	await showProgress('Building and packing the node', async () => {
		await runChild({ ...command, ...npm('run', 'build') });
		await runChild({ ...command, ...npm('pack', '--pack-destination', REAL_N8N) });
	});
	const manifest = readJson(join(REPOSITORY, 'package.json'));
	const name = requiredText(manifest, 'name');
	return join(REAL_N8N, `${name}-${requiredText(manifest, 'version')}.tgz`);
}
