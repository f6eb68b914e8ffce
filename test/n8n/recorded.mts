import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Recorded } from './inside.mts';
import type { RunningN8n } from './server.mjs';
import { until } from './until.mjs';

/** The environment of an n8n for the functions below. */
export const INSIDE = { EXTERNAL_HOOK_FILES: join(import.meta.dirname, 'inside.mts') };

/** Returns n8n's own records of an execution after its end. @param begin Starts the execution. */
export async function recordedOf(
	n8n: RunningN8n,
	begin: () => Promise<unknown>,
	longestMs = 300_000,
): Promise<Recorded> {
	return JSON.parse(await written(n8n, 'recorded.json', begin, longestMs));
}

/** Returns the memory of n8n's process without its garbage. */
export async function heldBytes(n8n: RunningN8n): Promise<number> {
	const ask = async () => process.kill(n8n.pid, 'SIGUSR2');
	return Number(await written(n8n, 'held', ask, 60_000));
}

async function written(
	n8n: RunningN8n,
	name: string,
	begin: () => Promise<unknown>,
	longestMs: number,
): Promise<string> {
	const file = join(n8n.userFolder, name);
	rmSync(file, { force: true });
	await begin();
	await until(`n8n has written ${file}`, longestMs, () => {
		if (n8n.hasEnded) throw new Error(`n8n has ended; see ${n8n.logFile}.`);
		return existsSync(file);
	});
	return readFileSync(file, 'utf8');
}
