import { startService } from '../test/service/service.js';
import type { Counts, StandInOptions } from './standIn.mjs';

/**
 * The stand-in in a process of its own, so that neither its time nor its memory counts as n8n's.
 * It takes the commands 'counts' and 'reset' from the process that has started it, and ends with it.
 */
const options: StandInOptions = JSON.parse(process.argv[2] ?? '');
let counts = none();
let underWay = 0;
let uploadsUnderWay = 0;

const service = await startService({
	...options,
	onEntry: ({ kind, applied, host }) => {
		if (host === 'uploads') uploadsUnderWay += kind === 'arrived' ? 1 : -1;
		counts.mostUploadsAtOnce = Math.max(counts.mostUploadsAtOnce, uploadsUnderWay);
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

/** Only the API gives files to an agent. */
async function giveFiles(): Promise<void> {
	const uniqueIds = service.records().map(({ uniqueId }) => uniqueId);
	if (uniqueIds.length === 0) return;
	const [agent] = service.agents();
	const path = `/ai-agents/agent-builder/agents/${agent?.uid}/knowledge-base/uploads/add`;
	const { ok, status } = await fetch(`${service.baseUrl}${path}`, {
		method: 'PATCH',
		headers: { apikey: options.apiKey, 'Content-Type': 'application/json' },
		body: JSON.stringify({ uniqueIds }),
	});
	if (!ok) throw new Error(`The agent could not be given its files: ${status}.`);
}

async function obey(command: unknown): Promise<void> {
	if (command === 'reset') {
		service.reset();
		await giveFiles();
		counts = none();
	}
	const indexed = service.records().filter(({ status }) => status === 'indexed');
	process.send?.({ ...counts, indexed: indexed.length });
}

process.on('message', (command) => void obey(command));
process.on('disconnect', () => process.exit());
await giveFiles();
const files = service.records().map(({ uniqueId, sourceName }) => ({ uniqueId, sourceName }));
process.send?.({ baseUrl: service.baseUrl, files });

function none(): Omit<Counts, 'indexed'> {
	return { arrived: 0, applied: 0, mostAtOnce: 0, mostUploadsAtOnce: 0 };
}
