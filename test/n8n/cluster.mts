import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { startPostgres } from './postgres.mjs';
import { startRedis } from './redis.mjs';
import { startN8n, startWorker, type RunningN8n, type RunningWorker } from './server.mjs';
import type { Start } from './withStarted.mjs';

/** How soon n8n notices that a worker is gone; its own settings take it about two minutes. */
const NOTICE = {
	QUEUE_WORKER_LOCK_DURATION: '15000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '3000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
};

/** n8n in queue mode: one that takes calls and shows the editor, and workers that execute. */
export interface Cluster {
	main: RunningN8n;
	/** Starts a worker, or one that ended once more. The node is installed on each by itself. */
	startWorker(name: string): Promise<RunningWorker>;
}

export async function startCluster(
	start: Start,
	folder: string,
	tarball: string,
): Promise<Cluster> {
	const redis = await start(startRedis(join(folder, 'redis')));
	const postgres = await start(startPostgres(join(folder, 'postgres')));
	const env = {
		...redis.env,
		...postgres.env,
		...NOTICE,
		EXECUTIONS_MODE: 'queue',
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		// All of them read the same credentials.
		N8N_ENCRYPTION_KEY: randomUUID(),
	};
	const options = (name: string) => ({ userFolder: join(folder, name), tarball, env });
	return {
		main: await start(startN8n(options('main'))),
		startWorker: async (name) => await start(startWorker(options(name))),
	};
}
