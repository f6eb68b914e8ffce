import type { Fields, ItemResult } from '../output/itemResult';
import { isFailure, toResult } from '../text/failure';
import { groupBy } from '../text/groups';
import type { BatchResult } from './batchOperation';
import { ItemContext } from './itemContext';
import type { RunContext } from './operation';
import type { Item } from './readItems';

/** Ten items at a time hide most of the service's latency. More save little time, and reach rate limits sooner. */
const ITEMS_AT_A_TIME = 10;

/**
 * Runs the operation for each item, several items at a time and in input order. After a failure in an execution that
 * stops on failure, no further item starts.
 *
 * @param keyOf Items with the same key run one after another.
 */
export async function eachItem<Task>(
	run: RunContext,
	items: ReadonlyArray<Item<Task>>,
	work: (item: Item<Task>, context: ItemContext) => Promise<Fields[]>,
	keyOf?: (task: Task) => string,
): Promise<BatchResult> {
	const results = new Map<number, ItemResult>();
	const doItem = async (item: Item<Task>) => {
		if (run.starting.clock.isCancelled()) return;
		const context = new ItemContext(run.starting);
		const rows = await toResult(work(item, context));
		if (isFailure(rows)) {
			if (run.stopsOnFailure) run.cancel();
			const shown = { ...item.requested, ...context.shown };
			results.set(item.index, context.failed(rows, shown, context.state));
		} else results.set(item.index, context.done(rows));
	};
	const waiting = groupBy(items, ({ task, index }) => [keyOf?.(task) ?? index]).values();
	const workOn = async () => {
		for (const group of waiting) for (const item of group) await doItem(item);
	};
	await Promise.all(Array.from({ length: ITEMS_AT_A_TIME }, workOn));
	return { results };
}
