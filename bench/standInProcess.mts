import { startService } from '../test/service/service.js';
import type { Counts, StandInOptions } from './standIn.mjs';

/**
 * The stand-in in a process of its own, so that neither its time nor its memory counts as n8n's.
 * It takes the commands 'counts' and 'reset' from the process that has started it, and ends with it.
 */
const options: StandInOptions = JSON.parse(process.argv[2] ?? '');
let counts = none();
let underWay = 0;

const service = await startService({
	...options,
	onEntry: ({ kind, applied }) => {
		if (kind === 'arrived') {
			counts.arrived += 1;
			underWay += 1;
			counts.mostAtOnce = Math.max(counts.mostAtOnce, underWay);
			return;
		}
		underWay -= 1;
		if (applied) counts.applied += 1;
	},
});

process.on('message', (command) => {
	if (command === 'reset') {
		service.reset();
		counts = none();
	}
	const indexed = service.records().filter(({ status }) => status === 'indexed');
	process.send?.({ ...counts, indexed: indexed.length });
});
process.on('disconnect', () => process.exit());
process.send?.({ baseUrl: service.baseUrl });

function none(): Omit<Counts, 'indexed'> {
	return { arrived: 0, applied: 0, mostAtOnce: 0 };
}
