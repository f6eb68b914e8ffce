import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { until } from './until.mjs';

export interface Command {
	file: string;
	args: string[];
	cwd: string;
	env: NodeJS.ProcessEnv;
	logFile: string;
}

/** Starts a command that cannot outlive this process. */
export function startChild({ file, args, cwd, env, logFile }: Command): ChildProcess {
	const log = openSync(logFile, 'w');
	// In its own process group: Ctrl-C in a terminal only reaches this process, which then ends the whole group,
	// including the command's own children.
	const child = spawn(file, args, { cwd, env, detached: true, stdio: ['ignore', log, log] });
	closeSync(log);
	endWithThisProcess(child);
	return child;
}

/** Starts a command and waits until it is ready. If it ends or takes too long, the error contains its log. */
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

/** Runs a command to its end. An error contains the last lines that it printed. */
export async function runChild(command: Command): Promise<void> {
	const code = await exitOf(startChild(command));
	if (code === 0) return;
	const line = [command.file, ...command.args].join(' ');
	throw new Error(`${line} ended with ${code}. ${endOf(command.logFile)}`);
}

/** Returns the exit code or signal, or the reason why the command could not be started. */
export async function exitOf(child: ChildProcess): Promise<number | string> {
	if (child.exitCode !== null) return child.exitCode;
	if (child.signalCode !== null) return child.signalCode;
	return await new Promise((resolve) => {
		child.once('error', (error) => resolve(error.message));
		child.once('exit', (code, signal) => resolve(code ?? signal ?? 'no exit code'));
	});
}

/** Ends a command and its children, by force after ten seconds. */
export async function endChild(child: ChildProcess): Promise<void> {
	signalGroup(child, 'SIGTERM');
	const force = setTimeout(() => signalGroup(child, 'SIGKILL'), 10_000);
	await exitOf(child);
	clearTimeout(force);
}

/** Ends a command and its children immediately, by force. */
export async function killChild(child: ChildProcess): Promise<void> {
	signalGroup(child, 'SIGKILL');
	await exitOf(child);
}

/** Returns the last lines of a log, for the message of an error. */
function endOf(logFile: string): string {
	const text = readFileSync(logFile, 'utf8').trimEnd();
	if (text === '') return `It printed nothing (${logFile}).`;
	const lines = text.split('\n').slice(-30);
	return `The end of ${logFile}:\n${lines.join('\n')}`;
}

/** Returns the npm that started this process, or the one on PATH. */
export function npm(...args: string[]): Pick<Command, 'file' | 'args'> {
	const started = process.env.npm_execpath;
	return started?.endsWith('.js')
		? { file: process.execPath, args: [started, ...args] }
		: { file: 'npm', args };
}

function endWithThisProcess(child: ChildProcess): void {
	// By force, because n8n ignores other signals while it starts.
	const end = () => signalGroup(child, 'SIGKILL');
	process.once('exit', end);
	child.once('exit', () => process.off('exit', end));
	process.off('SIGINT', exitOnSignal).on('SIGINT', exitOnSignal);
	process.off('SIGTERM', exitOnSignal).on('SIGTERM', exitOnSignal);
}

/** Exits on a signal, because otherwise there would be no 'exit' event, which ends the children. */
function exitOnSignal(signal: NodeJS.Signals, signalNumber: number): void {
	// Other listeners stop everything in order, and then exit.
	if (process.listenerCount(signal) === 1) process.exit(128 + signalNumber);
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
	if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
	process.kill(-child.pid, signal);
}
