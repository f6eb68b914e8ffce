import { Semaphore } from '../execution/concurrency';
import type { ItemContext } from '../execution/itemContext';
import type { RunContext } from '../execution/operation';
import { Inventory } from '../inventory/inventory';
import type { Change } from '../service/agents';
import { mayBeDone, onFailure } from '../values/failure';
import { AgentChanges } from './agentChanges';
import { IndexingPoller } from './indexing';

/** What the documents of a run share on their way. */
export interface IngestionRun extends RunContext {
	agentChanges: AgentChanges;
	indexing: IndexingPoller;
	inventory: Inventory;
	uploadQueue: UploadQueue;
	/** For looks at what was uploaded. */
	looks: Semaphore;
}

/** @param areChangesShared Whether changes of one agent may go together; left out: each is a request. */
export function ingestionRun(
	run: RunContext,
	{ areChangesShared = false }: { areChangesShared?: boolean } = {},
): IngestionRun {
	return {
		...run,
		agentChanges: new AgentChanges(run, areChangesShared),
		indexing: new IndexingPoller(run),
		inventory: new Inventory(run),
		uploadQueue: new UploadQueue(run.permits),
		looks: new Semaphore(MOST_LOOKS),
	};
}

/** Attaches documents to an agent, or detaches them, and takes note of it. @throws ApiError */
export async function changeAgent(
	{ agentChanges, inventory: { own } }: IngestionRun,
	item: ItemContext,
	change: Change,
): Promise<void> {
	const { uid, uniqueIds, operation } = change;
	await onFailure(agentChanges.send(item, change), (failure) => {
		if (mayBeDone(failure)) uniqueIds.forEach((id) => own.recordMaybeAttached(id));
	});
	for (const id of uniqueIds) own.recordAttached(uid, id, operation === 'add');
}

/**
 * Ours: five times as many as items at work, since the upload host is another than the service's, whose limits
 * do not count there. Files from a disk took 38 MB of memory with ten at once, about 50 with 50, and 90 with 100.
 */
const MOST_UPLOADS = 50;

/** Ours: each is one small question, and of hundreds that are indexed together, ten at once would keep all waiting. */
const MOST_LOOKS = 50;

/** Ours: two of the largest files that the service takes, which are in memory as they are. */
const MOST_BYTES = 100_000_000;

/**
 * Who may send files to the upload host: so many items at once, and so many bytes in memory, in the order
 * in which they ask. An item waits here before it has its upload addresses, which hold for a short time.
 */
export class UploadQueue {
	private readonly room = new Semaphore(MOST_BYTES);

	constructor(private readonly permits: Semaphore) {}

	/**
	 * Does `work` as soon as there is room for it. Until then the caller's permit is others'.
	 *
	 * @param bytes How many it has in memory at most.
	 */
	async run<Value>(bytes: number, work: () => Promise<Value>): Promise<Value> {
		// Of at most fifty, each has its share of the room at least; whatever is alone has room.
		const taken = Math.min(Math.max(bytes, MOST_BYTES / MOST_UPLOADS), MOST_BYTES);
		const turn = this.room.acquire(taken);
		if (turn) await this.permits.without(async () => await turn);
		try {
			return await work();
		} finally {
			this.room.release(taken);
		}
	}
}
