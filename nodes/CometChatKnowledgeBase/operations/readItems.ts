import { Repeat } from '../fields/conflicts';
import type { AnyField, FieldsOf, InputItem, Option } from '../fields/field';
import { optionsField, refuseNothing } from '../fields/field';
import type { ParameterReader } from '../fields/parameters';
import type { Fields, ItemResult } from '../output/itemResult';
import { cancelled, unusable } from '../output/itemResult';
import type { UserError } from '../text/failure';
import { toUserError } from '../text/failure';
import { chunk } from '../text/groups';
import type { Operation, RunContext } from './operation';

/** The values of an item, by the names of its fields and options. */
export type AnyTask = Record<string, unknown>;

/** An input item whose fields were read. */
export interface Item<Task> {
	kind: 'task';
	/** The index of the input item. */
	index: number;
	task: Task;
	/** The item's own values for the row of a failed item. */
	requested: Fields;
}

/** An item that was read, or that has its result already. */
export type ReadItem = Item<AnyTask> | ItemResult;

/** The part of an operation's definition that says how its items are read. */
export interface ItemDefinition<Task, Chosen> {
	fields: FieldsOf<Task>;
	/** The entries of the menu 'Options'. */
	options?: { [Name in keyof Chosen]: Option<Chosen[Name]> };
	/** Checks several fields together. @throws UserError */
	check?(task: Task & Chosen, index: number): void;
	/** Whether each try of n8n's 'Retry On Fail' runs all items, also the items that succeeded in an earlier try. */
	needsAllItems?: boolean;
	/** More of the item's own values for the row of a failed item. */
	asked?(task: Task & Chosen): Fields;
}

/** The fields that a user fills in for an operation, with the menu 'Options'. */
export function shownFields({
	fields,
	options: own = {},
}: Pick<ItemDefinition<AnyTask, AnyTask>, 'fields' | 'options'>): Pick<
	Operation,
	'fields' | 'options'
> {
	const all = Object.values(fields);
	const options = [...Object.values(own), ...all.flatMap(entriesOf)];
	const properties = all.flatMap((field) =>
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

/** Opening one file after another would take twice as long. */
const READ_TOGETHER = 20;

/** After so many items, n8n gets a turn. */
const ITEMS_PER_TURN = 100;

/** Reads the fields of all items. Items after a stop, and items that an earlier try has done, are not read. */
export async function readItems(
	run: RunContext,
	definition: ItemDefinition<AnyTask, AnyTask>,
): Promise<ReadItem[]> {
	const readers = new Map<string, ParameterReader>();
	const properties = new Map(shownFields(definition).fields.map((one) => [one.name, one]));
	const parameter = (name: string) => {
		const reader = readers.get(name) ?? run.parameter(name);
		readers.set(name, reader);
		return reader;
	};
	const read = async (index: number): Promise<ReadItem> => {
		const done = definition.needsAllItems ? undefined : run.done.items.get(index);
		if (done !== undefined) return done;
		const value = (name: string) => {
			const { isExpression, read: readValue } = parameter(name);
			const found = readValue(index);
			if (isExpression) refuseNothing(properties.get(name), found, CORRECT);
			return found;
		};
		const input = () => ({ context: run.context, index, value, option: run.optionsOf(index) });
		return run.starting.clock.isCancelled()
			? cancelled()
			: await readItem(definition, index, input);
	};
	const items: ReadItem[] = [];
	for (const part of chunk([...Array(run.count).keys()], READ_TOGETHER)) {
		items.push(...(await Promise.all(part.map(read))));
		if (items.length % ITEMS_PER_TURN === 0) await run.starting.clock.delay(0);
	}
	return items;
}

const CORRECT = 'Correct the expression, or choose a value.';

async function readItem(
	{ fields, options = {}, check, asked }: ItemDefinition<AnyTask, AnyTask>,
	index: number,
	input: () => InputItem,
): Promise<ReadItem> {
	const requested: Fields = {};
	try {
		const item = input();
		const task: AnyTask = {};
		for (const [name, field] of Object.entries(fields)) {
			task[name] =
				'property' in field
					? field.read(item.value(field.property.name), item)
					: await field.read(item);
			Object.assign(requested, field.asked?.(task[name]));
		}
		for (const [name, one] of Object.entries(options)) task[name] = item.option(one);
		// Options that this item does not need are read, too: an invalid value is refused.
		Object.values(fields).flatMap(entriesOf).forEach(item.option);
		check?.(task, index);
		Object.assign(requested, asked?.(task));
		return { kind: 'task', index, task, requested };
	} catch (thrown) {
		return unusable(toUserError(thrown));
	}
}

export function tasksOf(items: ReadItem[]): Array<Item<AnyTask>> {
	return items.flatMap((item) => (item.kind === 'task' ? [item] : []));
}

/** The items, with an error in place of each that was refused. */
export function withRefused(
	items: ReadItem[],
	refused: ReadonlyMap<number, UserError> = new Map(),
): ReadItem[] {
	return items.map((item, index) => {
		const userError = refused.get(index);
		if (userError === undefined || item.kind !== 'task') return item;
		if (!(userError instanceof Repeat)) return unusable(userError, item.requested);
		const row = { action: 'skipped', success: true, reason: userError.title };
		return { kind: 'skipped', json: [{ ...item.requested, ...row }] };
	});
}
