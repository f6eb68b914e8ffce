import type { AnyField, FieldsOf, InputItem, Option, OptionsOf } from '../input/field';
import { SkippedItem } from '../input/field';
import { isItemFailure } from '../results/apiError';
import type { Fields, ItemResult } from '../results/itemResult';
import type { UserError } from '../values/userError';
import { ItemContext } from './itemContext';
import type { ItemRun, Performer, Reader } from './items';
import { issueOf, itemByItem } from './items';
import type { Operation, RunContext, RunResult } from './operation';

/** An operation told once. What its fields and options come to is its task, by the same names. */
interface Told<Task, Chosen, Shared> extends Pick<
	Operation,
	'value' | 'name' | 'action' | 'description' | 'output'
> {
	fields: FieldsOf<Task>;
	/** Those of the menu 'Options', which hold for the whole run. */
	options?: OptionsOf<Chosen>;
	/** What the items of a run share; made once for each run. */
	shared?(run: ItemRun): Shared;
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
	finish?(itemResults: ItemResult[], shared: Shared): Promise<Omit<RunResult, 'itemResults'>>;
}

type AnyTask = Record<string, unknown>;

/** One in which each item goes its own way, several at once. */
export function operation<Task, Chosen extends object = object, Shared = undefined>(
	told: Told<Task, Chosen, Shared>,
): Operation;
export function operation(told: Told<AnyTask, AnyTask, unknown>): Operation {
	const { value, name, action, description, output, options = {} } = told;
	const fields = Object.values(told.fields);
	const entries = [...Object.values(options), ...fields.flatMap(entriesOf)];
	return {
		...{ value, name, action, description, output },
		fields: fields.flatMap((field) => ('property' in field ? [field.property] : field.properties)),
		...(entries.length > 0 && { options: entries }),
		run: async (run) => {
			let shared: unknown;
			return await itemByItem(
				(reading) => taskReader(reading, told, () => shared),
				// Before the first item is read.
				(itemRun) => {
					shared = told.shared?.(itemRun);
					return performer(itemRun, told, shared);
				},
			)(run);
		},
	};
}

/** Reads such fields, for an operation that works on all items at once. */
export function fieldsReader<Task>(run: RunContext, fields: FieldsOf<Task>): Reader<Task>;
export function fieldsReader(run: RunContext, fields: FieldsOf<AnyTask>): Reader<AnyTask> {
	return taskReader(run, { fields });
}

function entriesOf(field: AnyField<unknown>): Array<Option<unknown>> {
	return 'property' in field ? [] : (field.options ?? []);
}

function taskReader(
	run: RunContext,
	told: Pick<Told<AnyTask, AnyTask, unknown>, 'fields' | 'options' | 'check' | 'asked'>,
	shared: () => unknown = () => undefined,
): Reader<AnyTask> {
	const chosen = Object.entries(told.options ?? {}).map(([name, option]) => [
		name,
		run.option(option),
	]);
	const readers = new Map<string, (index: number) => unknown>();
	const value = (name: string, index: number) => {
		const reader = readers.get(name) ?? run.parameter(name);
		readers.set(name, reader);
		return reader(index);
	};
	return async (index, pause) => {
		const item = {
			context: run.context,
			index,
			pause,
			value: (name: string) => value(name, index),
		};
		const task: AnyTask = Object.fromEntries(chosen);
		const requested: Fields = {};
		const readAll = async () => {
			for (const [name, field] of Object.entries(told.fields)) {
				task[name] = await readField(field, item);
				Object.assign(requested, field.asked?.(task[name]));
			}
		};
		const skip = await readAll().catch((thrown: unknown) => {
			if (thrown instanceof SkippedItem) return skipped(thrown, requested);
			throw thrown;
		});
		if (skip) return skip;
		told.check?.(task, shared(), index);
		return { kind: 'ready', task, requested: { ...requested, ...told.asked?.(task) } };
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

function performer(
	run: ItemRun,
	told: Told<AnyTask, AnyTask, unknown>,
	shared: unknown,
): Performer<AnyTask> {
	return {
		perform: async ({ index, task, requested }) => {
			const item = new ItemContext(run);
			try {
				const rows = await told.run(task, item, shared, index);
				return item.done(Array.isArray(rows) ? rows : [rows]);
			} catch (thrown) {
				if (thrown instanceof SkippedItem) return skipped(thrown, requested);
				const failure = isItemFailure(thrown) ? thrown : issueOf(thrown);
				return item.failed(failure, { ...requested, ...item.shown }, item.state);
			}
		},
		keysOf: async ({ task }) => (await told.order?.(task, shared)) ?? [],
		together: (items) => told.together?.(items, shared) ?? new Map(),
		finish: async (itemResults) => (await told.finish?.(itemResults, shared)) ?? {},
	};
}
