import { cpus, totalmem } from 'node:os';
import { installN8n } from '../test/n8n/install.mjs';
import { execFileSync } from 'node:child_process';

/** What a reader needs to know about where the readings were taken. Nothing that names the place. */
export interface MachineFacts {
	/** The day, such as `2026-01-31`. */
	date: string;
	cpus: number;
	cpuModel: string;
	memoryBytes: number;
	platform: string;
	/** Version of the Node that n8n ran on. */
	node: string;
	n8n: string;
}

export async function machineFacts(): Promise<MachineFacts> {
	const { node, version } = await installN8n();
	const [cpu] = cpus();
	return {
		date: new Date().toISOString().slice(0, 10),
		cpus: cpus().length,
		cpuModel: cpu?.model.trim() ?? 'unknown',
		memoryBytes: totalmem(),
		platform: `${process.platform}-${process.arch}`,
		node: execFileSync(node, ['--version'], { encoding: 'utf8' }).trim(),
		n8n: version,
	};
}
