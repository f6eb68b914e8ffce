import { KEYS } from '../test/n8n/account.mjs';
import { at } from '../test/n8n/fields.mjs';
import type { InstalledN8n } from '../test/n8n/install.mjs';
import { residentBytes, resetPeak } from '../test/n8n/memory.mts';
import { withStarted } from '../test/n8n/withStarted.mjs';
import type { LoopTask } from './axiosLoop.mjs';
import { WARM_UP_ITEMS, type BenchCase } from './cases.mjs';
import { startProgram } from './program.mjs';
import { mismatch, type Reading } from './reading.mjs';
import { startStandIn } from './standIn.mjs';

/** One reading of the bare axios loop, in a fresh process of the same Node that n8n runs on. */
export async function readFloor(
	benchCase: BenchCase,
	pair: number,
	{ node }: InstalledN8n,
): Promise<Reading> {
	const { items, agents, width, requests = items } = benchCase;
	return await withStarted(async (start) => {
		const service = await start(startStandIn(benchCase));
		const task: LoopTask = {
			baseUrl: service.baseUrl,
			apiKey: KEYS.apiKey,
			requests,
			warmUp: WARM_UP_ITEMS,
			width,
			agents,
			idsEach: items / requests,
		};
		const loop = await start(startProgram('axiosLoop.mts', task, node));
		await service.reset();
		resetPeak(loop.pid);
		const startBytes = residentBytes(loop.pid, 'now');
		const result = await loop.ask('start');
		const counts = await service.counts();
		const reading: Reading = {
			case: benchCase.name,
			pair,
			node: 'axios',
			seconds: Number(at(result, 'seconds')),
			startBytes,
			peakBytes: residentBytes(loop.pid, 'at most'),
			requests: counts.arrived,
			appliedRequests: counts.applied,
			mostAtOnce: counts.mostAtOnce,
			items: requests,
			failedItems: Number(at(result, 'failed')),
		};
		return { ...reading, mismatch: mismatch(reading, { items: requests, requests, failed: 0 }) };
	});
}
