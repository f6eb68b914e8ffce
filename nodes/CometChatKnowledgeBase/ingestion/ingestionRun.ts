import type { ItemContext } from '../execution/itemContext';
import type { ItemRun } from '../execution/items';
import type { Change } from '../service/agents';
import { AgentChanges } from './agentChanges';
import { IndexingPoller } from './indexing';
import { Inventory } from './inventory';
import { UploadQueue } from './uploadQueue';

/** What the documents of a run share on their way. */
export interface IngestionRun extends ItemRun {
	agentChanges: AgentChanges;
	indexing: IndexingPoller;
	inventory: Inventory;
	uploadQueue: UploadQueue;
}

/**
 * @param maxFileIdsPerRequest How many files may go to an agent together; one: each change is a request.
 * @param noted The names of files that were uploaded in earlier runs, by ID.
 */
export function ingestionRun(
	run: ItemRun,
	{
		maxFileIdsPerRequest = 1,
		noted,
	}: { maxFileIdsPerRequest?: number; noted?: ReadonlyMap<string, string> } = {},
): IngestionRun {
	return {
		...run,
		agentChanges: new AgentChanges(run, maxFileIdsPerRequest),
		indexing: new IndexingPoller(run, run.permits),
		inventory: new Inventory(run, noted),
		uploadQueue: new UploadQueue(run.permits),
	};
}

/** Whoever waits for an agent holds nothing that others could use meanwhile. */
export async function changeAgent(
	{ agentChanges, permits }: IngestionRun,
	item: ItemContext,
	change: Change,
): Promise<void> {
	await permits.without(async () => await agentChanges.send(item, change));
}
