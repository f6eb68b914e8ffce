import type { IExecuteFunctions } from 'n8n-workflow';

import { toResultSync, UserError } from '../text/failure';
import { isRecord } from '../text/json';
import { itemNumbers, joinLimited } from '../text/quoting';
import type { Option, OptionValues } from './field';
import { optionValues, readOptions } from './field';
import { hasExpression, parameterReader, typedParameter } from './parameters';

/** The values of a menu for an item. */
export type ItemOptions = (index: number) => OptionValues;

/**
 * Reads a menu for each item. What has no expression is read once for all items. n8n evaluates the entries of a menu,
 * and no expression in the place of the menu itself.
 *
 * @throws UserError if a value without an expression is invalid, or if items have different values of an option that
 * applies to the whole execution.
 */
export function itemOptions(
	context: IExecuteFunctions,
	menu: string,
	own: Array<Option<unknown>>,
): ItemOptions {
	const typed = typedParameter(context, menu);
	const entries = isRecord(typed) ? typed : {};
	if (!hasExpression(entries)) {
		const values = readOptions(own, entries);
		return () => values;
	}
	const readers = Object.keys(entries).map((name) => {
		return [name, parameterReader(context, `${menu}.${name}`)] as const;
	});
	const of = (index: number) =>
		optionValues(own, new Map(readers.map(([name, read]) => [name, once(() => read(index))])));
	for (const option of own.filter(({ isForExecution }) => isForExecution)) {
		if (!hasExpression(entries[option.property.name])) continue;
		checkSame(option, context.getInputData().length, of);
	}
	return of;
}

/** Evaluates an entry when it is first asked for: one that an item does not need costs nothing. */
function once<Value>(read: () => Value): () => Value {
	let found: { value: Value } | undefined;
	return () => (found ??= { value: read() }).value;
}

/** @throws UserError that names the items, if they have different values of an option. */
export function checkSame(option: Option<unknown>, count: number, of: ItemOptions): void {
	const itemsOf = new Map<unknown, number[]>();
	for (let index = 0; index < count; index++) {
		const value = toResultSync(() => of(index)(option));
		if (value instanceof UserError) {
			const title = count > 1 ? `${value.title} [item ${index + 1}]` : value.title;
			throw new UserError(title, value.hint);
		}
		const items = itemsOf.get(value) ?? [];
		itemsOf.set(value, items);
		items.push(index);
	}
	if (itemsOf.size < 2) return;
	const { displayName, options = [] } = option.property;
	const shown = (value: unknown) =>
		options.find((one) => 'value' in one && one.value === value)?.name ?? String(value);
	const values = [...itemsOf].map(([value, items]) => {
		return `${shown(value)} (${items.length === 1 ? 'item' : 'items'} ${itemNumbers(items)})`;
	});
	throw new UserError(
		`'${displayName}' differs between items: ${joinLimited(values)}`,
		'Set one value for all items, or run the workflow once for each value. This setting applies to the whole execution.',
	);
}
