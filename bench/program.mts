import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A program of this folder in a process of its own, with an answer to each command. */
export interface Program {
	pid: number;
	/** What it has sent once it was ready. */
	ready: unknown;
	ask(command: string): Promise<unknown>;
	stop(): Promise<void>;
}

/**
 * Starts a program that ends when it is disconnected.
 *
 * @param options Its argument, as JSON.
 * @param node Path of the Node to run on.
 * @param nodeArgs For that Node.
 */
export async function startProgram(
	name: string,
	options: object,
	node = process.execPath,
	nodeArgs: string[] = [],
): Promise<Program> {
	const child = fork(join(import.meta.dirname, name), [JSON.stringify(options)], {
		execPath: node,
		execArgv: nodeArgs,
	});
	const message = async (): Promise<unknown> =>
		await new Promise((resolve, reject) => {
			const fail = () => reject(new Error(`${name} has ended.`));
			child.once('exit', fail);
			child.once('message', (sent) => {
				child.off('exit', fail);
				resolve(sent);
			});
		});
	const ready = await message();
	return {
		pid: child.pid ?? 0,
		ready,
		ask: async (command) => {
			const answer = message();
			child.send(command);
			return await answer;
		},
		stop: async () => {
			// One that has done its work may have ended by itself.
			if (child.exitCode !== null) return;
			const ended = once(child, 'exit');
			if (child.connected) child.disconnect();
			await ended;
		},
	};
}
