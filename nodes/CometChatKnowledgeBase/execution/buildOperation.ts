import type { FieldsOf, Option } from '../input/field';
import { SkippedItem } from '../input/field';
import type { Fields, ItemResult } from '../results/itemResult';
import { cancelled } from '../results/itemResult';
import type { UserError } from '../values/failure';
import { isFailure } from '../values/failure';
import { mapInKeyOrder, Semaphore } from './concurrency';
import { ItemContext } from './itemContext';
import type { Operation, RunContext, RunResult } from './operation';
import type { AnyTask, Item, ReadItem } from './readItems';
import {
	isOver,
	readItems,
	shownFields,
	skipped,
	tasksOf,
	toUserError,
	withRefused,
} from './readItems';

/** What an item asks for, and its place among the input items. */
interface Indexed<Task> {
	index: number;
	task: Task;
}

/** What is wrong with items, by their index. */
type Refused = Map<number, UserError>;

/** An operation told once. What its fields and options come to is its task, by the same names. */
interface Definition<Task, Chosen, Shared> extends Pick<
	Operation,
	'value' | 'name' | 'action' | 'description' | 'output'
> {
	fields: FieldsOf<Task>;
	/** Those of the menu 'Options'. */
	options?: { [Name in keyof Chosen]: Option<Chosen[Name]> };
	/** What the items of a run share; made once for each run. */
	shared?(run: RunContext): Shared;
	/** Items that share a key, also by way of others, go one after another, in input order. */
	order?(task: Task & Chosen, shared: Shared): string[] | Promise<string[]>;
	/** Whether items only wait for requests that they share: then all begin at once, and a request has the permit. */
	sharesRequests?(run: RunContext): boolean;
	/** What items of a run cannot want together, by their index: found before the first request, in every run. */
	together?(items: ReadonlyArray<Indexed<Task & Chosen>>, shared: Shared): Refused;
	/** Those that can't be done as CometChat has it, which is asked once for all; not in a run that is over. */
	lookUp?(items: ReadonlyArray<Indexed<Task & Chosen>>, shared: Shared): Promise<Refused>;
	/** What no field can tell alone. @param index The item's place. @throws UserError */
	check?(task: Task & Chosen, shared: Shared, index: number): void;
	/** What an item asks for, for a failure; beside what its fields say of themselves. */
	asked?(task: Task & Chosen): Fields;
	/**
	 * Does what one item asks for. `item.state` says how things stand if it fails from there on.
	 *
	 * @returns The output items.
	 * @throws UserError, ApiError or SkippedItem
	 */
	run(
		task: Task & Chosen,
		item: ItemContext,
		shared: Shared,
		index: number,
	): Promise<Fields | Fields[]>;
	/** What is done once all items have ended, for which there is no item. */
	afterAll?(itemResults: ItemResult[], shared: Shared): Promise<Omit<RunResult, 'itemResults'>>;
}

type AnyDefinition = Definition<AnyTask, AnyTask, unknown>;

/** One in which each item goes its own way, several at once. */
export function operation<Task, Chosen extends object = object, Shared = undefined>(
	definition: Definition<Task, Chosen, Shared>,
): Operation;
export function operation(definition: AnyDefinition): Operation {
	const { value, name, action, description, output } = definition;
	return {
		...{ value, name, action, description, output },
		...shownFields(definition),
		run: async (run) => await new OperationRun(run, definition).result(),
	};
}

/** One run of an operation: reads all items, and then does what they ask for. */
class OperationRun {
	private readonly shared: unknown;

	constructor(
		private readonly run: RunContext,
		private readonly definition: AnyDefinition,
	) {
		this.shared = definition.shared?.(run);
	}

	/** If it stops on failure, an item that is unusable ends it before the first of them is done. */
	async result(): Promise<RunResult> {
		const { definition, shared } = this;
		const items = await this.checkedItems();
		const done = await this.doTasks(isOver(this.run, items) ? [] : tasksOf(items));
		const itemResults = items.map((item, index) =>
			item.kind === 'task' ? (done.get(index) ?? cancelled(item.requested)) : item,
		);
		return { itemResults, ...(await definition.afterAll?.(itemResults, shared)) };
	}

	private async checkedItems(): Promise<ReadItem[]> {
		const { definition, shared } = this;
		const check = (task: AnyTask, index: number) => definition.check?.(task, shared, index);
		const read = await readItems(this.run, { ...definition, check });
		const items = withRefused(read, definition.together?.(tasksOf(read), shared));
		if (isOver(this.run, items)) return items;
		return withRefused(items, await definition.lookUp?.(tasksOf(items), shared));
	}

	/** @returns The results of the tasks, by the index of their items. */
	private async doTasks(tasks: Array<Item<AnyTask>>): Promise<Map<number, ItemResult>> {
		const { run, definition, shared } = this;
		// All of them before the first is queued, so that the queue has the order of the input.
		const keys = await Promise.all(
			tasks.map(async ({ task }) => (await definition.order?.(task, shared)) ?? []),
		);
		const isShared = definition.sharesRequests?.(run) ?? false;
		const permits = isShared ? new Semaphore(Infinity) : run.permits;
		const results = await mapInKeyOrder(tasks, keys, permits, async (item) => {
			const itemResult = run.clock.isCancelled()
				? cancelled(item.requested)
				: await this.doTask(item);
			if (itemResult.kind === 'failed' && run.stopsOnFailure) run.cancel();
			return [item.index, itemResult] as const;
		});
		return new Map(results);
	}

	private async doTask({ index, task, requested, option }: Item<AnyTask>): Promise<ItemResult> {
		const item = new ItemContext(this.run, option);
		try {
			const rows = await this.definition.run(task, item, this.shared, index);
			return item.done(Array.isArray(rows) ? rows : [rows]);
		} catch (thrown) {
			if (thrown instanceof SkippedItem) return skipped(thrown, requested);
			const failure = isFailure(thrown) ? thrown : toUserError(thrown);
			return item.failed(failure, { ...requested, ...item.shown }, item.state);
		}
	}
}
