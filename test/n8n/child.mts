import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { until } from './until.mjs';

export interface Command {
	file: string;
	args: string[];
	cwd: string;
	env: NodeJS.ProcessEnv;
	/** Takes everything the command prints. */
	logFile: string;
}

/** Starts a command that cannot outlive this process. */
export function startChild({ file, args, cwd, env, logFile }: Command): ChildProcess {
	const log = openSync(logFile, 'w');
	// A process group of its own: Ctrl-C in a terminal reaches this process only, which then ends
	// the whole group, with whatever the command has started itself.
	const child = spawn(file, args, { cwd, env, detached: true, stdio: ['ignore', log, log] });
	closeSync(log);
	endWithThisProcess(child);
	return child;
}

/** Starts a command and waits until it is ready; if it ends or takes too long, its log says why. */
export async function startUntilReady(
	command: Command,
	isReady: () => Promise<boolean>,
	longestMs: number,
): Promise<ChildProcess> {
	const child = startChild(command);
	try {
		await until('it is ready', longestMs, async () => {
			if (child.exitCode === null && child.signalCode === null) return await isReady();
			throw new Error(`It ended with ${await exitOf(child)}.`);
		});
		return child;
	} catch (error) {
		await endChild(child);
		throw new Error(`${command.file} did not start. ${endOf(command.logFile)}`, { cause: error });
	}
}

/** Runs a command to its end; a failure carries the last lines that it printed. */
export async function runChild(command: Command): Promise<void> {
	const code = await exitOf(startChild(command));
	if (code === 0) return;
	const line = [command.file, ...command.args].join(' ');
	throw new Error(`${line} ended with ${code}. ${endOf(command.logFile)}`);
}

/** The exit code or signal; why it could not be started, if it could not. */
export async function exitOf(child: ChildProcess): Promise<number | string> {
	if (child.exitCode !== null) return child.exitCode;
	if (child.signalCode !== null) return child.signalCode;
	return await new Promise((resolve) => {
		child.once('error', (error) => resolve(error.message));
		child.once('exit', (code, signal) => resolve(code ?? signal ?? 'no exit code'));
	});
}

/** Ends a command and what it started: politely first, by force after ten seconds. */
export async function endChild(child: ChildProcess): Promise<void> {
	signalGroup(child, 'SIGTERM');
	const force = setTimeout(() => signalGroup(child, 'SIGKILL'), 10_000);
	await exitOf(child);
	clearTimeout(force);
}

/** Ends a command and what it started by force and at once. */
export async function killChild(child: ChildProcess): Promise<void> {
	signalGroup(child, 'SIGKILL');
	await exitOf(child);
}

/** The last lines of a log, for the message of an error. */
function endOf(logFile: string): string {
	const text = readFileSync(logFile, 'utf8').trimEnd();
	if (text === '') return `It printed nothing (${logFile}).`;
	const lines = text.split('\n').slice(-30);
	return `The end of ${logFile}:\n${lines.join('\n')}`;
}

/** npm as this process was started by it, or the one on PATH. */
export function npm(...args: string[]): Pick<Command, 'file' | 'args'> {
	const started = process.env.npm_execpath;
	return started?.endsWith('.js')
		? { file: process.execPath, args: [started, ...args] }
		: { file: 'npm', args };
}

function endWithThisProcess(child: ChildProcess): void {
	// By force: nobody is left to see whether it obeys, and n8n doesn't while it starts.
	const end = () => signalGroup(child, 'SIGKILL');
	process.once('exit', end);
	child.once('exit', () => process.off('exit', end));
	process.off('SIGINT', exitOnSignal).on('SIGINT', exitOnSignal);
	process.off('SIGTERM', exitOnSignal).on('SIGTERM', exitOnSignal);
}

/** Without a handler these signals end the process without the 'exit' event that ends the children. */
function exitOnSignal(signal: NodeJS.Signals, signalNumber: number): void {
	// Whoever else listens stops things in order, and exits then.
	if (process.listenerCount(signal) === 1) process.exit(128 + signalNumber);
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
	if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
	process.kill(-child.pid, signal);
}
