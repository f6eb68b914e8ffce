import { collectGarbage } from './memory.mts';

/**
 * n8n loads this file into its own process, as `EXTERNAL_HOOK_FILES` says, and calls the functions
 * around each execution: garbage is collected every other second. Left to itself, n8n has gigabytes
 * of it in use before it collects any, and a node that keeps what it should not is not to be seen.
 */
export const workflow = { preExecute: [start], postExecute: [stop] };

const EVERY_MS = 2000;

let timer: NodeJS.Timeout | undefined;

function start(): void {
	collectGarbage();
	timer = setInterval(collectGarbage, EVERY_MS);
}

function stop(): void {
	clearInterval(timer);
}
