import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { endChild, endOf, startChild } from './child.mjs';
import { freePort } from './port.mjs';
import { findProgram } from './program.mjs';
import { until } from './until.mjs';

/** Something that this run has started beside n8n, and how n8n finds it. */
export interface Backend {
	/** n8n's environment variables. */
	env: Record<string, string>;
	stop(): Promise<void>;
}

/** Starts a Redis of its own, on loopback and in memory only. */
export async function startRedis(folder: string): Promise<Backend> {
	const file = findProgram('redis-server', 'redis-server');
	mkdirSync(folder, { recursive: true });
	const logFile = join(folder, 'redis.log');
	const port = await freePort();
	const inMemory = ['--save', '', '--appendonly', 'no'];
	const child = startChild({
		file,
		args: ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, ...inMemory],
		cwd: folder,
		env: { PATH: process.env.PATH },
		logFile,
	});
	try {
		await until('Redis takes connections', 20_000, () => connects(port));
	} catch (error) {
		await endChild(child);
		throw new Error(`Redis did not start. ${endOf(logFile)}`, { cause: error });
	}
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
