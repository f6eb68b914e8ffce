import { fork } from 'node:child_process';
import { join } from 'node:path';
import { KEYS } from '../test/n8n/engine/stage.mjs';
import { at } from '../test/n8n/fields.mjs';
import type { InstalledN8n } from '../test/n8n/install.mjs';
import type { LoopTask } from './axiosLoop.mjs';
import { WARM_UP_ITEMS, type BenchCase } from './cases.mjs';
import { mismatch, type Reading } from './reading.mjs';
import { startStandIn } from './standIn.mjs';

const PROGRAM = join(import.meta.dirname, 'axiosLoop.mts');

/** One reading of the bare axios loop, in a fresh process of the same Node that n8n runs on. */
export async function readFloor(
	benchCase: BenchCase,
	pair: number,
	{ node }: InstalledN8n,
): Promise<Reading> {
	const { items, agents, width, requests = items } = benchCase;
	const service = await startStandIn(benchCase);
	try {
		const task: LoopTask = {
			baseUrl: service.baseUrl,
			apiKey: KEYS.apiKey,
			requests,
			warmUp: WARM_UP_ITEMS,
			width,
			agents,
			idsEach: items / requests,
		};
		const child = fork(PROGRAM, [JSON.stringify(task)], { execPath: node, execArgv: [] });
		const message = async (): Promise<unknown> =>
			await new Promise((resolve, reject) => {
				child.once('message', resolve);
				child.once('exit', (code) => reject(new Error(`The axios loop ended with ${code}.`)));
			});
		await message();
		await service.reset();
		const told = message();
		child.send('start');
		const result = await told;
		const counts = await service.counts();
		const peakBytes = at(result, 'peakBytes');
		const reading: Reading = {
			case: benchCase.name,
			pair,
			node: 'axios',
			seconds: Number(at(result, 'seconds')),
			peakBytes: typeof peakBytes === 'number' ? peakBytes : undefined,
			requests: counts.arrived,
			appliedRequests: counts.applied,
			mostAtOnce: counts.mostAtOnce,
			items: requests,
			failedItems: Number(at(result, 'failed')),
		};
		return { ...reading, mismatch: mismatch(reading, { items: requests, requests, failed: 0 }) };
	} finally {
		await service.stop();
	}
}
