import { readFileSync } from 'node:fs';

/** What a process had in use at one moment of a run. */
export interface Sample {
	atMs: number;
	bytes: number;
	/** How many requests it had sent by then. */
	requests: number;
}

const EVERY_MS = 100;

/** Watches the memory of a process, from now until `stop`, which gives all samples. */
export function watchMemory(pid: number, requests: () => number): { stop(): Sample[] } {
	const samples: Sample[] = [];
	const take = () => {
		samples.push({ atMs: Date.now(), bytes: residentBytes(pid), requests: requests() });
	};
	// At once, so that a machine without /proc is noticed before the run and not after it.
	take();
	const timer = setInterval(take, EVERY_MS);
	return {
		stop: () => {
			clearInterval(timer);
			return samples;
		},
	};
}

/** The middle value of a part of the run, from one number of requests to another. */
export function medianBytes(samples: Sample[], from: number, to: number): number {
	const part = samples.filter(({ requests }) => requests > from && requests <= to);
	const middle = part.map(({ bytes }) => bytes).sort((one, other) => one - other)[part.length >> 1];
	if (middle !== undefined) return middle;
	throw new Error(`Memory was never measured between requests ${from} and ${to}.`);
}

function residentBytes(pid: number): number {
	const file = `/proc/${pid}/status`;
	let status: string;
	try {
		status = readFileSync(file, 'utf8');
	} catch (error) {
		throw new Error(`Memory can't be measured on this machine: there is no ${file}.`, {
			cause: error,
		});
	}
	const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
	if (kilobytes === undefined) throw new Error(`Memory can't be measured: no VmRSS in ${file}.`);
	return Number(kilobytes) * 1024;
}
