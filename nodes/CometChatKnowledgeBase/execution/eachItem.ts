import type { Fields, ItemResult } from '../results/itemResult';
import { caught, isFailure } from '../values/failure';
import type { BatchResult } from './batchOperation';
import { ItemContext } from './itemContext';
import type { RunContext } from './operation';
import type { Item } from './readItems';

/** Ten items at a time hide most of the service's latency; more gain little, and meet rate limits sooner. */
const ITEMS_AT_A_TIME = 10;

/**
 * Does what each item asks for, several items at a time and in input order. After a failure in an execution that stops
 * on failure, no further item starts.
 *
 * @param work Returns the output items of an item. @throws Failure
 */
export async function eachItem<Task>(
	run: RunContext,
	items: ReadonlyArray<Item<Task>>,
	work: (item: Item<Task>, context: ItemContext) => Promise<Fields[]>,
): Promise<BatchResult> {
	const results = new Map<number, ItemResult>();
	const waiting = items.values();
	const workOn = async () => {
		for (const item of waiting) {
			if (run.clock.isCancelled()) return;
			const context = new ItemContext(run, item.option);
			const rows = await caught(work(item, context));
			if (isFailure(rows) && run.stopsOnFailure) run.cancel();
			const shown = { ...item.requested, ...context.shown };
			const result = isFailure(rows)
				? context.failed(rows, shown, context.state)
				: context.done(rows);
			results.set(item.index, result);
		}
	};
	await Promise.all(Array.from({ length: ITEMS_AT_A_TIME }, workOn));
	return { results };
}
