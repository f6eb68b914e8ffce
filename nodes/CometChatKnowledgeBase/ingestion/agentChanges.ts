import type { Change } from '../service/attachments';
import { isUnknownFile } from '../service/deletion';
import { ApiError } from '../results/apiError';
import { explainUnknownFile, isUnclear } from '../results/messages';
import { AgentLookups } from '../service/agentLookups';
import type { Batch } from '../bundling/batches';
import type { Semaphore } from '../concurrency/turns';
import { KeyedQueue } from '../concurrency/turns';
import type { RunContext } from '../execution/operation';
import type { BatchResult } from '../bundling/sendBatch';
import { refusedForAgent, sendBatch } from '../bundling/sendBatch';
import type { ItemContext } from '../execution/itemContext';

/** A request that waits for those before it, and may take in more until it begins. */
interface PendingChange {
	change: Change;
	/** Of the first item in it; the others end in the same way. */
	steps: ItemContext;
	hasBegun: boolean;
	/** In which request each file ended, by ID. */
	sent: Promise<Map<string, BatchResult>>;
}

/**
 * What a run attaches to agents, or detaches from them. The changes of one agent go one at a time, in the
 * order in which their files are ready: at the same time they could overwrite each other. Those that
 * become ready meanwhile go together in the next request, if a request may have several.
 */
export class AgentChanges {
	private readonly queue = new KeyedQueue();

	/** The last request of each kind. */
	private readonly last = new Map<string, PendingChange>();

	private readonly agents: AgentLookups;

	/** @param maxFileIdsPerRequest How many files may share one; 1: each change is a request of its own. */
	constructor(
		private readonly run: RunContext & { permits: Semaphore },
		private readonly maxFileIdsPerRequest: number,
	) {
		this.agents = new AgentLookups(run);
	}

	/** Without a permit: waiting must keep no other item from going on. Without success the item has failed. */
	async send(steps: ItemContext, change: Change): Promise<true | ApiError> {
		const batch = this.batchFor(steps, change);
		const results = await batch.sent;
		let failure: ApiError | undefined;
		for (const id of change.uniqueIds) {
			const result = results.get(id);
			// For the compiler: a request that is split loses none (see `halves`).
			if (result === undefined) continue;
			steps.count(result);
			failure ??= failureOf(result);
		}
		return failure ?? true;
	}

	private batchFor(steps: ItemContext, change: Change): PendingChange {
		const { operation, uid, sourceType, uniqueIds } = change;
		const key = JSON.stringify([operation, uid, sourceType]);
		const last = this.last.get(key);
		if (last?.steps.endedBy === steps.endedBy && !last.hasBegun) {
			const { uniqueIds: others } = last.change;
			if (others.length + uniqueIds.length <= this.maxFileIdsPerRequest) {
				others.push(...uniqueIds);
				return last;
			}
		}
		const batch = { change: { ...change, uniqueIds: [...uniqueIds] }, steps, hasBegun: false };
		// Two spellings may be one agent.
		const sent = this.queue.run(uid.toLowerCase(), async () =>
			this.run.permits.runFirst(async () => {
				batch.hasBegun = true;
				return await this.sendNow(batch);
			}),
		);
		const opened = Object.assign(batch, { sent });
		this.last.set(key, opened);
		return opened;
	}

	private async sendNow({ change, steps }: Pick<PendingChange, 'change' | 'steps'>) {
		const { agents, maxFileIdsPerRequest, run } = this;
		const splitsRefused = maxFileIdsPerRequest > 1;
		// Without entries: each item looks for its files by their IDs.
		const batch: Batch = { change, entries: [] };
		const endRunIfFailed = (result: BatchResult) => {
			if (run.stopsOnFailure && failureOf(result)) run.cancel();
		};
		const sent = await sendBatch(batch, { ...steps.api, agents, splitsRefused }, (result) => {
			// Here and not later, or the item whose turn is next would still be sent.
			if (!mayBeGone(result)) endRunIfFailed(result);
		});
		const results = await Promise.all(sent.map(async (result) => await this.clarified(result)));
		results.forEach(endRunIfFailed);
		return new Map(
			results.flatMap((result) => result.batch.change.uniqueIds.map((id) => [id, result] as const)),
		);
	}

	/** A 404 that may be meant for the agent or the file, in words for the one that it is. */
	private async clarified(result: BatchResult): Promise<BatchResult> {
		const { batch, explanation } = result;
		if (!explanation || !mayBeGone(result)) return result;
		const forAgent = await refusedForAgent(result, this.agents);
		if (forAgent !== undefined) return forAgent;
		const isForFile = await this.agents.isThere(batch.change.uid);
		return isForFile ? { ...result, explanation: explainUnknownFile(explanation) } : result;
	}
}

/** Whether it may be the refusal of a removal for a file that is gone, and does not say so. */
function mayBeGone({ batch, explanation }: BatchResult): boolean {
	return batch.change.operation === 'remove' && explanation !== undefined && isUnclear(explanation);
}

/** What CometChat does not have, no agent has: another run may have been faster. */
function failureOf(result: BatchResult): ApiError | undefined {
	if (result.effect === 'applied') return undefined;
	const failure = new ApiError(result);
	const isGone = result.batch.change.operation === 'remove' && isUnknownFile(failure);
	return isGone ? undefined : failure;
}
