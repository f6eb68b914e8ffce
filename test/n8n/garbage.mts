import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * n8n loads this file into its own process, as `EXTERNAL_HOOK_FILES` says, and calls the functions
 * around each execution: garbage is collected every other second. Left to itself, n8n has gigabytes
 * of it in use before it collects any, and a node that keeps what it should not is not to be seen.
 *
 * n8n's Node loads it as it stands, without tsx: it imports nothing of this repository.
 */
export const workflow = { preExecute: [start], postExecute: [stop] };

const EVERY_MS = 2000;

let timer: NodeJS.Timeout | undefined;

function start(): void {
	setFlagsFromString('--expose-gc');
	const collectGarbage: unknown = runInNewContext('gc');
	if (typeof collectGarbage !== 'function') throw new Error('Garbage can not be collected.');
	timer = setInterval(() => collectGarbage(), EVERY_MS);
}

function stop(): void {
	clearInterval(timer);
}
