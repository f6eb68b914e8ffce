import type { AnyField, FieldsOf, InputItem, Option, OptionValues } from '../input/field';
import { optionsField, SkippedItem } from '../input/field';
import type { ParameterReader } from '../input/parameters';
import { pausing } from '../requests/time';
import type { Fields, ItemResult } from '../results/itemResult';
import { cancelled, unusable } from '../results/itemResult';
import { isFailure, UserError } from '../values/failure';
import { isRecord } from '../values/json';
import { mapInKeyOrder, Semaphore } from './concurrency';
import { ItemContext } from './itemContext';
import type { Operation, RunContext, RunResult } from './operation';

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

type AnyTask = Record<string, unknown>;
type AnyDefinition = Definition<AnyTask, AnyTask, unknown>;

/** One in which each item goes its own way, several at once. */
export function operation<Task, Chosen extends object = object, Shared = undefined>(
	definition: Definition<Task, Chosen, Shared>,
): Operation;
export function operation(definition: AnyDefinition): Operation {
	const { value, name, action, description, output, fields, options = {} } = definition;
	return {
		...{ value, name, action, description, output },
		...shownFields(Object.values(fields), Object.values(options)),
		run: async (run) => await new OperationRun(run, definition).result(),
	};
}

/** What it has to fill in, with the options of its fields beside its own. */
function shownFields(
	fields: Array<AnyField<unknown>>,
	own: Array<Option<unknown>>,
): Pick<Operation, 'fields' | 'options'> {
	const options = [...own, ...fields.flatMap(entriesOf)];
	const properties = fields.flatMap((field) =>
		'property' in field ? [field.property] : field.properties,
	);
	return {
		fields: options.length > 0 ? [...properties, optionsField(options)] : properties,
		options,
	};
}

function entriesOf(field: AnyField<unknown>): Array<Option<unknown>> {
	return 'property' in field ? [] : (field.options ?? []);
}

/** An item with something to do. */
interface ItemTask extends Indexed<AnyTask> {
	kind: 'task';
	/** What it asks for, for the message if it is not reached. */
	requested: Fields;
	/** Its entries of 'Options'. */
	option: OptionValues;
}

/** An item that was read, or has a result already. */
type ReadItem = ItemTask | ItemResult;

function tasksOf(items: ReadItem[]): ItemTask[] {
	return items.flatMap((item) => (item.kind === 'task' ? [item] : []));
}

function withRefused(items: ReadItem[], refused: Refused = new Map()): ReadItem[] {
	return items.map((item, index) => {
		const userError = refused.get(index);
		return userError && item.kind === 'task' ? unusable(userError, item.requested) : item;
	});
}

/** One run of an operation: reads all items, and then does what they ask for. */
class OperationRun {
	private readonly shared: unknown;

	/** By parameter. */
	private readonly readers = new Map<string, ParameterReader>();

	private readonly pause: () => Promise<void>;

	constructor(
		private readonly run: RunContext,
		private readonly definition: AnyDefinition,
	) {
		this.shared = definition.shared?.(run);
		this.pause = pausing(run.clock);
	}

	/** If it stops on failure, an item that is unusable ends it before the first of them is done. */
	async result(): Promise<RunResult> {
		const { definition, shared } = this;
		const items = await this.checkedItems();
		const done = await this.doTasks(this.isOver(items) ? [] : tasksOf(items));
		const itemResults = items.map((item, index) =>
			item.kind === 'task' ? (done.get(index) ?? cancelled(item.requested)) : item,
		);
		return { itemResults, ...(await definition.afterAll?.(itemResults, shared)) };
	}

	private isOver(items: ReadItem[]): boolean {
		const isUnusable = (item: ReadItem) => item.kind === 'failed' && item.errorType === 'input';
		return this.run.stopsOnFailure && items.some(isUnusable);
	}

	private async checkedItems(): Promise<ReadItem[]> {
		const { definition, shared } = this;
		const read = await this.readItems();
		const items = withRefused(read, definition.together?.(tasksOf(read), shared));
		if (this.isOver(items)) return items;
		return withRefused(items, await definition.lookUp?.(tasksOf(items), shared));
	}

	/** Evaluates the expressions of all items; those that a stop comes before are not read. */
	private async readItems(): Promise<ReadItem[]> {
		const { count, clock } = this.run;
		const items: ReadItem[] = [];
		for (let index = 0; index < count; index++) {
			await this.pause();
			items.push(clock.isCancelled() ? cancelled() : await this.readItem(index));
		}
		return items;
	}

	private async readItem(index: number): Promise<ReadItem> {
		const { fields, options = {}, check, asked } = this.definition;
		const requested: Fields = {};
		try {
			const item = this.inputItem(index);
			const task: AnyTask = {};
			for (const [name, field] of Object.entries(fields)) {
				task[name] = await readField(field, item);
				Object.assign(requested, field.asked?.(task[name]));
			}
			for (const [name, one] of Object.entries(options)) task[name] = item.option(one);
			// Also of those that this item needs none of: what cannot be meant is refused.
			Object.values(fields).flatMap(entriesOf).forEach(item.option);
			check?.(task, this.shared, index);
			Object.assign(requested, asked?.(task));
			return { kind: 'task', index, task, requested, option: item.option };
		} catch (thrown) {
			return thrown instanceof SkippedItem
				? skipped(thrown, requested)
				: unusable(userErrorOf(thrown));
		}
	}

	private inputItem(index: number): InputItem {
		const { context, optionsOf } = this.run;
		const value = (name: string) => this.parameter(name)(index);
		return { context, index, pause: this.pause, value, option: optionsOf(index) };
	}

	private parameter(name: string): ParameterReader {
		const reader = this.readers.get(name) ?? this.run.parameter(name);
		this.readers.set(name, reader);
		return reader;
	}

	/** @returns The results of the tasks, by the index of their items. */
	private async doTasks(tasks: ItemTask[]): Promise<Map<number, ItemResult>> {
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

	private async doTask({ index, task, requested, option }: ItemTask): Promise<ItemResult> {
		const item = new ItemContext(this.run, option);
		try {
			const rows = await this.definition.run(task, item, this.shared, index);
			return item.done(Array.isArray(rows) ? rows : [rows]);
		} catch (thrown) {
			if (thrown instanceof SkippedItem) return skipped(thrown, requested);
			const failure = isFailure(thrown) ? thrown : userErrorOf(thrown);
			return item.failed(failure, { ...requested, ...item.shown }, item.state);
		}
	}
}

async function readField(field: AnyField<unknown>, item: InputItem): Promise<unknown> {
	return 'property' in field
		? field.read(item.value(field.property.name), item)
		: await field.read(item);
}

function skipped({ reason, shown, isWarned }: SkippedItem, requested: Fields): ItemResult {
	const json = { action: 'skipped', success: false, ...requested, ...shown, reason };
	return { kind: 'skipped', json: [json], [isWarned ? 'warnings' : 'remarks']: [reason] };
}

/** n8n's own complaint: an expression that can't be evaluated, a credential that is gone. */
export function userErrorOf(thrown: unknown): UserError {
	if (thrown instanceof UserError) return thrown;
	const what = thrown instanceof Error ? thrown.message : String(thrown);
	const more = isRecord(thrown) && typeof thrown.description === 'string' ? thrown.description : '';
	return new UserError(what, more);
}
