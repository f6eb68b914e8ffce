import { Repeat } from '../fields/conflicts';
import type { ItemResult } from '../output/itemResult';
import { cancelled, failed, NOTHING_CHANGED, UNKNOWN } from '../output/itemResult';
import type { UserError } from '../text/failure';
import { isFailure, toUserError } from '../text/failure';
import type { RunResult } from '../output/outputItems';
import type { Operation, RunContext } from './operation';
import type { AnyTask, Item, ItemDefinition } from './readItems';
import { readItems, shownFields, tasksOf, withRefused } from './readItems';

/** The result of a batch: the result of each item by its index, and the other fields of `RunResult`. */
export interface BatchResult extends Omit<RunResult, 'itemResults'> {
	results: Map<number, ItemResult>;
}

/** An operation that works on all items at once. Its fields and options become the task, under the same names. */
interface BatchDefinition<Task, Chosen>
	extends
		Pick<Operation, 'value' | 'name' | 'action' | 'description' | 'output'>,
		ItemDefinition<Task, Chosen> {
	/** Finds items that conflict, before any request is sent. Returns errors by item. */
	conflicts?(items: ReadonlyArray<Item<Task & Chosen>>): Map<number, UserError>;
	/** Runs the operation for all items. Items without a result were not reached. `refused`: the items that conflict. */
	runAll(
		items: ReadonlyArray<Item<Task & Chosen>>,
		run: RunContext,
		refused: ReadonlyArray<Item<Task & Chosen>>,
	): Promise<BatchResult>;
	/** Adds the parts that depend on the results of all items, including refused and unreadable items. */
	summarize?(result: RunResult, run: RunContext): RunResult;
}

/** Defines an operation that works on all items at once. */
export function batchOperation<Task, Chosen extends object = object>(
	definition: BatchDefinition<Task, Chosen>,
): Operation;
export function batchOperation(definition: BatchDefinition<AnyTask, AnyTask>): Operation {
	const { value, name, action, description, output } = definition;
	return {
		...{ value, name, action, description, output },
		...shownFields(definition),
		run: async (run) => await runBatch(run, definition),
	};
}

/** In an execution that stops on failure, an unusable item ends it before the first request. */
async function runBatch(
	run: RunContext,
	definition: BatchDefinition<AnyTask, AnyTask>,
): Promise<RunResult> {
	const read = await readItems(run, definition);
	const conflicts = definition.conflicts?.(tasksOf(read));
	const items = withRefused(read, conflicts);
	const isOver = run.stopsOnFailure && items.some(({ kind }) => kind === 'failed');
	const tasks = isOver ? [] : tasksOf(items);
	const refused = tasksOf(read).filter(({ index }) => conflicts?.has(index));
	const { results, ...more } = await resultsOf(run, definition, tasks, refused);
	const itemResults = items.map((item, index) =>
		item.kind === 'task' ? (results.get(index) ?? cancelled(item.requested)) : item,
	);
	for (const [index, error] of conflicts ?? []) {
		const first = error instanceof Repeat ? itemResults[error.first] : undefined;
		if (first?.kind === 'failed') itemResults[index] = { ...first, created: [] };
	}
	const result = { itemResults, ...more };
	return definition.summarize?.(result, run) ?? result;
}

/** Never throws: with 'Continue', n8n would return the input as if all items were done. */
async function resultsOf(
	run: RunContext,
	definition: BatchDefinition<AnyTask, AnyTask>,
	items: Array<Item<AnyTask>>,
	refused: Array<Item<AnyTask>>,
): Promise<BatchResult> {
	if (items.length === 0) return { results: new Map() };
	try {
		return await definition.runAll(items, run, refused);
	} catch (thrown) {
		const isKnown = isFailure(thrown);
		const how = isKnown ? { state: NOTHING_CHANGED, attempts: 0 } : { state: UNKNOWN, attempts: 1 };
		const failure = isKnown ? thrown : toUserError(thrown);
		const failedItem = ({ requested }: Item<AnyTask>) => failed(failure, { requested, ...how });
		return { results: new Map(items.map((item) => [item.index, failedItem(item)])) };
	}
}
