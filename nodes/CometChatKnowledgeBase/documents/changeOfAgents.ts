import { apart, bundled, orderKeyOf } from '../bundling/batches';
import { sendBatch } from '../bundling/sendBatch';
import type { ItemOfFiles } from '../bundling/splitResult';
import { itemResultOf, partsOfItems } from '../bundling/splitResult';
import { mapInKeyOrder } from '../concurrency/keyedQueue';
import { Semaphore } from '../concurrency/semaphore';
import type { Reader, Ready } from '../execution/items';
import { MOST_AT_ONCE, runItems } from '../execution/items';
import type { RunContext, RunResult } from '../execution/operation';
import { switchOption } from '../input/options';
import type { ItemResult } from '../results/itemResult';
import type { Place } from '../results/messages';
import { AgentLookups } from '../service/agentLookups';

export const bundlesOption = switchOption({
	displayName: 'Send in Bundles',
	name: 'combineItems',
	type: 'boolean',
	default: false,
	description:
		'Whether items of the same agent and source type share requests. Switch it on for hundreds of items: it is faster, and each input item still has its output item.',
});

interface HowToChange {
	/** The results of items that are held back, by their index; left out: none is. */
	notToSend?(run: RunContext, ready: Array<Ready<ItemOfFiles>>): Promise<Map<number, ItemResult>>;
	/** Which fields a refusal leads to; left out: those of files. */
	place?: Place;
}

/** Gives agents what the items name, or takes it from them. */
export async function changeAgents(
	run: RunContext,
	read: Reader<ItemOfFiles>,
	{ notToSend, place }: HowToChange,
): Promise<RunResult> {
	let bundling = { requests: 0, split: 0 };
	const itemResults = await runItems(run, read, async (ready) => {
		const held = (await notToSend?.(run, ready)) ?? new Map<number, ItemResult>();
		if (held.size > 0 && run.stopsOnFailure) return held;
		const toSend = ready.filter(({ index }) => !held.has(index));
		const sent = await send(run, toSend, place);
		bundling = sent.bundling;
		return new Map([...held, ...sent.itemResults]);
	});
	return { itemResults, bundling };
}

async function send(run: RunContext, ready: Array<Ready<ItemOfFiles>>, place?: Place) {
	const changes = ready.map(({ index, task: { change } }) => ({ index, change }));
	const areBundled = run.option(bundlesOption);
	const batches = areBundled ? bundled(changes) : apart(changes);
	const agents = new AgentLookups(run);
	const batchResults = await mapInKeyOrder(
		batches,
		({ change }) => [orderKeyOf(change)],
		new Semaphore(MOST_AT_ONCE),
		async (batch) =>
			await sendBatch(batch, { ...run, agents, splitsRefused: areBundled, place }, () => {
				if (run.stopsOnFailure) run.cancel();
			}),
	);
	const parts = partsOfItems(batchResults.flat());
	const itemResults = new Map<number, ItemResult>();
	for (const { index, task } of ready) {
		const [first, ...more] = parts.get(index) ?? [];
		if (first === undefined) continue;
		itemResults.set(index, itemResultOf(index, [first, ...more], task));
	}
	const split = batchResults.filter(({ length }) => length > 1).length;
	return { itemResults, bundling: { requests: batches.length, split } };
}
