import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { endChild, startUntilReady } from './child.mjs';
import { freePort } from './port.mjs';
import { findProgram } from './program.mjs';

/** A program that was started for n8n, and n8n's settings for it. */
export interface Backend {
	env: Record<string, string>;
	stop(): Promise<void>;
}

/** Starts a separate Redis on loopback, in memory only. */
export async function startRedis(folder: string): Promise<Backend> {
	const file = findProgram('redis-server', 'redis-server');
	mkdirSync(folder, { recursive: true });
	const port = await freePort();
	const inMemory = ['--save', '', '--appendonly', 'no'];
	const command = {
		file,
		args: ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, ...inMemory],
		cwd: folder,
		env: { PATH: process.env.PATH },
		logFile: join(folder, 'redis.log'),
	};
	const child = await startUntilReady(command, () => connects(port), 60_000);
	return {
		env: { QUEUE_BULL_REDIS_HOST: '127.0.0.1', QUEUE_BULL_REDIS_PORT: String(port) },
		stop: async () => await endChild(child),
	};
}

async function connects(port: number): Promise<boolean> {
	const socket = connect(port, '127.0.0.1');
	return await new Promise<boolean>((resolve) => {
		socket.once('connect', () => resolve(true));
		socket.once('error', () => resolve(false));
	}).finally(() => socket.destroy());
}
