import { readFileSync, writeFileSync } from 'node:fs';

/**
 * By how many bytes the memory of a process rises above where it stood, at the highest, while
 * something goes on. Linux only, as all of these proofs.
 */
export async function peakRiseOf(pid: number, work: () => Promise<void>): Promise<number> {
	// 5: forget the highest until now (proc_pid_clear_refs(5)).
	writeFileSync(`/proc/${pid}/clear_refs`, '5');
	const before = residentBytes(pid, 'VmRSS');
	await work();
	return residentBytes(pid, 'VmHWM') - before;
}

function residentBytes(pid: number, name: 'VmRSS' | 'VmHWM'): number {
	const status = readFileSync(`/proc/${pid}/status`, 'utf8');
	const [, kilobytes] = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status) ?? [];
	if (kilobytes === undefined) throw new Error(`The process ${pid} has no ${name}.`);
	return Number(kilobytes) * 1024;
}
