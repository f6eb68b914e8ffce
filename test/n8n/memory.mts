import { readFileSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/*
 * The memory of a process, on Linux. What n8n loads into its own process imports this file as it
 * stands, without tsx: it imports nothing of this repository.
 */

/** Resident memory: what a process has in use now, or had at most since `resetPeak`. */
export function residentBytes(pid: number, when: 'now' | 'at most'): number {
	const field = when === 'now' ? 'VmRSS' : 'VmHWM';
	const status = readFileSync(`/proc/${pid}/status`, 'utf8');
	const [, kilobytes] = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status) ?? [];
	if (kilobytes === undefined) throw new Error(`The process ${pid} has no ${field}.`);
	return Number(kilobytes) * 1024;
}

/** Makes the peak start again at what is in use now (5: proc_pid_clear_refs(5)). */
export function resetPeak(pid: number): void {
	writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** Collects all garbage of this process. */
export function collectGarbage(): void {
	setFlagsFromString('--expose-gc');
	const collect: unknown = runInNewContext('gc');
	if (typeof collect !== 'function') throw new Error('Garbage cannot be collected.');
	collect();
}
