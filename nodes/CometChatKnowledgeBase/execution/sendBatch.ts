import type { AgentLookups } from './agentLookups';
import type { Batch } from './batches';
import { halves, itemsOf } from './batches';
import { toRequest } from '../service/attachments';
import type { Ending } from '../results/messages';
import { ended } from '../results/messages';
import type { Session } from './operation';
import type { Effect } from '../requests/attemptResult';
import { sendUntilAnswered } from '../requests/retryPolicy';

/** A request that has ended, with all that its files went through before it. */
export interface Delivery extends Ending {
	batch: Batch;
	/** How often its files were sent, also in larger requests before it. */
	attempts: number;
	/** How often they were sent again because the service was busy or the connection was lost. */
	repetitions: number;
	/** The items of the larger request that was refused, and that this one is a part of. */
	refusedWith?: number[];
}

/** What holds for all requests of a run. */
interface Run extends Pick<Session, 'settings' | 'account' | 'send' | 'gate' | 'clock'> {
	agents: AgentLookups;
}

/**
 * Sends a request until it is answered for good. Refused for what may be one of its files only, it
 * is sent again in two halves, and so on, until the files that are refused stand alone: with k of
 * them among n about 2 k log2 n more requests, and never as many as 2 n. Where the reason may as well
 * be the agent, the service is asked for that first: without it, every file would be refused.
 *
 * @param onFailed Called with each request that ends without success, as soon as it has.
 */
export async function deliver(
	batch: Batch,
	run: Run,
	onFailed: (delivery: Delivery) => void,
	before?: Delivery,
): Promise<Delivery[]> {
	const { settings, account, send, gate, clock, agents } = run;
	const attempt = async () => await send(toRequest(batch.change), settings.timeoutMs);
	const sending = await sendUntilAnswered(attempt, settings, gate, clock);
	const delivery = after(before, ended(sending, account), batch);

	if (sending.effect === 'applied') return [delivery];

	if (settings.combineItems && settings.splitRefused && isDivisible(delivery)) {
		const forAgent = await refusedForAgent(delivery, agents);
		if (forAgent !== undefined) {
			onFailed(forAgent);
			return [forAgent];
		}
		const parts: Delivery[] = [];
		for (const half of halves(batch)) parts.push(...(await deliver(half, run, onFailed, delivery)));
		return parts;
	}
	onFailed(delivery);
	return [delivery];
}

/** Whether another part of the request may go through. */
function isDivisible({ batch, ended: how, explanation }: Delivery): boolean {
	const hasSeveral = batch.change.uniqueIds.length > 1;
	return hasSeveral && how === 'answered' && (explanation?.concernsOneFile ?? false);
}

/** The same with the words for an agent that the service does not know, if that is so. */
async function refusedForAgent(
	delivery: Delivery,
	agents: AgentLookups,
): Promise<Delivery | undefined> {
	const { batch, explanation } = delivery;
	if (explanation?.mayConcernAgent !== true) return undefined;
	const unknown = await agents.whyUnknown(batch.change.uid);
	if (unknown === undefined) return undefined;
	const said = `${explanation.said} Asked for the agent: ${unknown.said}`;
	return { ...delivery, explanation: { ...unknown, said } };
}

function after(before: Delivery | undefined, ending: Ending, batch: Batch): Delivery {
	const repetitions = Math.max(0, ending.attempts - 1);
	if (before === undefined) return { ...ending, batch, repetitions };
	return {
		...ending,
		batch,
		effect: later(before.effect, ending.effect),
		attempts: before.attempts + ending.attempts,
		repetitions: before.repetitions + repetitions,
		refusedWith: before.refusedWith ?? itemsOf(before.batch),
	};
}

/** A refusal does not take back what a larger request, whose answer was lost, may have done. */
function later(before: Effect, effect: Effect): Effect {
	return effect === 'not applied' ? before : effect;
}
