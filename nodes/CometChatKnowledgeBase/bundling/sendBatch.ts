import type { AgentLookups } from '../service/agentLookups';
import type { Batch } from './batches';
import { halves, itemsOf } from './batches';
import { readSuccess, toRequest } from '../service/attachments';
import type { RequestResult } from '../results/messages';
import { toRequestResult } from '../results/messages';
import type { Effect } from '../requests/attemptResult';
import type { ApiContext } from '../requests/sendRequest';
import { sendRequest } from '../requests/sendRequest';

/** A request that has ended, with all that its files went through before it. */
export interface BatchResult extends RequestResult {
	batch: Batch;
	/** How often its files were sent, also in larger requests before it. */
	attempts: number;
	/** How often they were sent again because the service was busy or the connection was lost. */
	repetitions: number;
	/** The items of the larger request that was refused, and that this one is a part of. */
	refusedWith?: number[];
}

/** What holds for all requests of a run. */
interface Run extends ApiContext {
	agents: AgentLookups;
	/** Whether a request that is refused for one of its files is sent again in parts. */
	splitsRefused: boolean;
}

/**
 * Sends a request until it is answered for good. Refused for what may be one of its files only, it
 * is sent again in two halves, and so on, until the files that are refused stand alone: with k of
 * them among n about 2 k log2 n more requests, and never as many as 2 n. Where the reason may as well
 * be the agent, the service is asked for that first: without it, every file would be refused.
 *
 * @param onFailed Called with each request that ends without success, as soon as it has.
 */
export async function sendBatch(
	batch: Batch,
	run: Run,
	onFailed: (batchResult: BatchResult) => void,
	before?: BatchResult,
): Promise<BatchResult[]> {
	const { account, agents, splitsRefused } = run;
	const { sendResult } = await sendRequest(run, toRequest(batch.change), readSuccess);
	const batchResult = after(before, toRequestResult(sendResult, account), batch);

	if (sendResult.effect === 'applied') return [batchResult];

	if (splitsRefused && isDivisible(batchResult)) {
		const forAgent = await refusedForAgent(batchResult, agents);
		if (forAgent !== undefined) {
			onFailed(forAgent);
			return [forAgent];
		}
		const parts: BatchResult[] = [];
		for (const half of halves(batch))
			parts.push(...(await sendBatch(half, run, onFailed, batchResult)));
		return parts;
	}
	onFailed(batchResult);
	return [batchResult];
}

/** Whether another part of the request may go through. */
function isDivisible({ batch, stopReason: how, explanation }: BatchResult): boolean {
	const hasSeveral = batch.change.uniqueIds.length > 1;
	return hasSeveral && how === 'answered' && (explanation?.concernsOneFile ?? false);
}

/** The result in words for an agent that the service does not know, if that is so. */
export async function refusedForAgent(
	batchResult: BatchResult,
	agents: AgentLookups,
): Promise<BatchResult | undefined> {
	const { batch, explanation } = batchResult;
	if (explanation?.mayConcernAgent !== true) return undefined;
	const unknown = await agents.whyUnknown(batch.change.uid);
	if (unknown === undefined) return undefined;
	const said = `${explanation.said} Asked for the agent: ${unknown.said}`;
	return { ...batchResult, explanation: { ...unknown, said } };
}

function after(before: BatchResult | undefined, result: RequestResult, batch: Batch): BatchResult {
	const repetitions = Math.max(0, result.attempts - 1);
	if (before === undefined) return { ...result, batch, repetitions };
	return {
		...result,
		batch,
		effect: later(before.effect, result.effect),
		attempts: before.attempts + result.attempts,
		repetitions: before.repetitions + repetitions,
		refusedWith: before.refusedWith ?? itemsOf(before.batch),
	};
}

/** A refusal does not take back what a larger request, whose answer was lost, may have done. */
function later(before: Effect, effect: Effect): Effect {
	return effect === 'not applied' ? before : effect;
}
