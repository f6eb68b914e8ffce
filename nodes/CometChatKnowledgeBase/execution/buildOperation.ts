import type { AnyField, FieldsOf, InputItem, Option } from '../input/field';
import { optionsField, SkippedItem } from '../input/field';
import type { Fields, ItemResult } from '../results/itemResult';
import { cancelled } from '../results/itemResult';
import type { UserError } from '../values/failure';
import { isFailure } from '../values/failure';
import { mapInKeyOrder } from './concurrency';
import { ItemContext } from './itemContext';
import type { ItemTask, ParseItem } from './items';
import { userErrorOf, runItems } from './items';
import type { Operation, RunContext, RunResult } from './operation';

/** An operation told once. What its fields and options come to is its task, by the same names. */
interface Definition<Task, Chosen, Shared> extends Pick<
	Operation,
	'value' | 'name' | 'action' | 'description' | 'output'
> {
	fields: FieldsOf<Task>;
	/** Those of the menu 'Options', which hold for the whole run. */
	options?: { [Name in keyof Chosen]: Option<Chosen[Name]> };
	/** What the items of a run share; made once for each run. */
	shared?(run: RunContext): Shared;
	/** Items that share a key, also by way of others, go one after another, in input order. */
	order?(task: Task & Chosen, shared: Shared): string[] | Promise<string[]>;
	/** What items of a run cannot want together, by their index: found before the first request. */
	together?(
		items: ReadonlyArray<{ index: number; task: Task & Chosen }>,
		shared: Shared,
	): Map<number, UserError>;
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
		run: async (run) => await runDefinition(run, definition),
	};
}

/** What an operation with these fields, and with these options beside those of its fields, has to fill in. */
export function shownFields(
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

async function runDefinition(run: RunContext, definition: AnyDefinition): Promise<RunResult> {
	const shared = definition.shared?.(run);
	const work = async (tasks: Array<ItemTask<AnyTask>>) => {
		// All of them before the first is queued, so that the queue has the order of the input.
		const keys = await Promise.all(
			tasks.map(async ({ task }) => (await definition.order?.(task, shared)) ?? []),
		);
		const results = await mapInKeyOrder(tasks, keys, run.permits, async (item) => {
			const itemResult = run.clock.isCancelled()
				? cancelled(item.requested)
				: await runTask(run, definition, shared, item);
			if (itemResult.kind === 'failed' && run.stopsOnFailure) run.cancel();
			return [item.index, itemResult] as const;
		});
		return new Map(results);
	};
	const parse = taskParser(run, definition, shared);
	const together = (tasks: Array<ItemTask<AnyTask>>) =>
		definition.together?.(tasks, shared) ?? new Map<number, UserError>();
	const itemResults = await runItems(run, parse, work, together);
	return { itemResults, ...(await definition.afterAll?.(itemResults, shared)) };
}

async function runTask(
	run: RunContext,
	definition: AnyDefinition,
	shared: unknown,
	{ index, task, requested }: ItemTask<AnyTask>,
): Promise<ItemResult> {
	const item = new ItemContext(run);
	try {
		const rows = await definition.run(task, item, shared, index);
		return item.done(Array.isArray(rows) ? rows : [rows]);
	} catch (thrown) {
		if (thrown instanceof SkippedItem) return skipped(thrown, requested);
		const failure = isFailure(thrown) ? thrown : userErrorOf(thrown);
		return item.failed(failure, { ...requested, ...item.shown }, item.state);
	}
}

/** Reads such fields, for an operation that works on all items at once. */
export function fieldsParser<Task>(run: RunContext, fields: FieldsOf<Task>): ParseItem<Task>;
export function fieldsParser(run: RunContext, fields: FieldsOf<AnyTask>): ParseItem<AnyTask> {
	return taskParser(run, { fields }, undefined);
}

function taskParser(
	run: RunContext,
	definition: Pick<AnyDefinition, 'fields' | 'options' | 'check' | 'asked'>,
	shared: unknown,
): ParseItem<AnyTask> {
	const { fields, options = {}, check, asked } = definition;
	const chosen = Object.entries(options).map(([name, option]) => [name, run.option(option)]);
	const readers = new Map<string, (index: number) => unknown>();
	const valueOf = (name: string, index: number) => {
		const reader = readers.get(name) ?? run.parameter(name);
		readers.set(name, reader);
		return reader(index);
	};
	return async (index, pause) => {
		const value = (name: string) => valueOf(name, index);
		const item = { context: run.context, index, pause, value };
		const task: AnyTask = Object.fromEntries(chosen);
		const requested: Fields = {};
		const readAll = async () => {
			for (const [name, field] of Object.entries(fields)) {
				task[name] = await readField(field, item);
				Object.assign(requested, field.asked?.(task[name]));
			}
		};
		const skip = await readAll().catch((thrown: unknown) => {
			if (thrown instanceof SkippedItem) return skipped(thrown, requested);
			throw thrown;
		});
		if (skip) return skip;
		check?.(task, shared, index);
		return { kind: 'task', index, task, requested: { ...requested, ...asked?.(task) } };
	};
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
