import type { Fields } from '../output/itemResult';
import { batchOperation } from './batchOperation';
import { eachItem } from './eachItem';
import type { ItemContext } from './itemContext';
import type { Operation, RunContext } from './operation';
import type { AnyTask, ItemDefinition } from './readItems';

/** An operation that works on one item at a time. Its fields and options become the task, under the same names. */
interface Definition<Task, Chosen, Shared>
	extends
		Pick<Operation, 'value' | 'name' | 'action' | 'description' | 'output'>,
		ItemDefinition<Task, Chosen> {
	/** The state that the items of an execution share. */
	shared?(run: RunContext): Shared;
	/** Items with the same key run one after another, in input order. */
	order?(task: Task & Chosen): string;
	/** Runs the operation for one item. `item.state` is the state of the item if it fails from now on. */
	run(task: Task & Chosen, item: ItemContext, shared: Shared): Promise<Fields | Fields[]>;
}

/** Defines an operation that works on one item at a time, and on several items at once. */
export function operation<Task, Chosen extends object = object, Shared = undefined>(
	definition: Definition<Task, Chosen, Shared>,
): Operation;
export function operation(definition: Definition<AnyTask, AnyTask, unknown>): Operation {
	const { shared: newState, order, run: work, ...more } = definition;
	return batchOperation({
		...more,
		runAll: async (items, run) => {
			const shared = newState?.(run);
			const doItem = async ({ task }: { task: AnyTask }, item: ItemContext) => {
				const rows = await work(task, item, shared);
				return Array.isArray(rows) ? rows : [rows];
			};
			return await eachItem(run, items, doItem, order);
		},
	});
}
