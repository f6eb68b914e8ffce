import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { collectGarbage } from './memory.mts';

/**
 * n8n loads this file into its own process, as `EXTERNAL_HOOK_FILES` says. At the signal, garbage is
 * collected, and what the process holds after that is written into its folder. Left to itself, n8n has
 * gigabytes of garbage before it collects any, and a node that keeps what it should not is not to be seen.
 */
process.on('SIGUSR2', () => {
	collectGarbage();
	const { heapUsed, external } = process.memoryUsage();
	const file = join(process.env.N8N_USER_FOLDER ?? '', 'held');
	writeFileSync(`${file}.part`, String(heapUsed + external));
	renameSync(`${file}.part`, file);
});

/** The hooks that n8n asks for: none. */
export const workflow = {};
