import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { startPostgres } from './postgres.mjs';
import { startRedis } from './redis.mjs';
import { startN8n, startWorker, type RunningN8n, type RunningWorker } from './server.mjs';

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
	/** Stops everything, the last started first. */
	stop(): Promise<void>;
}

export async function startCluster(folder: string, tarball: string): Promise<Cluster> {
	const stops: Array<() => Promise<void>> = [];
	const stop = async () => {
		for (const stopOne of stops.splice(0).reverse()) await stopOne();
	};
	try {
		const redis = await startRedis(join(folder, 'redis'));
		stops.push(redis.stop);
		const postgres = await startPostgres(join(folder, 'postgres'));
		stops.push(postgres.stop);
		const env = {
			...redis.env,
			...postgres.env,
			...NOTICE,
			EXECUTIONS_MODE: 'queue',
			OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
			// All of them read the same credentials.
			N8N_ENCRYPTION_KEY: randomUUID(),
		};
		const main = await startN8n({ userFolder: join(folder, 'main'), tarball, env });
		stops.push(main.stop);
		return {
			main,
			startWorker: async (name) => {
				const worker = await startWorker({ userFolder: join(folder, name), tarball, env });
				stops.push(worker.stop);
				return worker;
			},
			stop,
		};
	} catch (error) {
		await stop();
		throw error;
	}
}
