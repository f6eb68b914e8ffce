import type { IExecuteFunctions } from 'n8n-workflow';

import { isRecord } from '../values/json';
import type { Entries, Option, OptionValues } from './field';
import { optionValues, readOptions } from './field';
import type { ParameterReader } from './parameters';
import { hasExpression, parameterReader, typedParameter } from './parameters';

/** The entries of a menu such as 'Options', as each item has them. */
export interface ItemOptions {
	of(index: number): OptionValues;
	/** Whether items may have different values of an entry. */
	mayDiffer(option: Option<unknown>): boolean;
}

/**
 * Reads a menu for each item. What has no expression is read once for all items. n8n evaluates the entries of a menu,
 * and no expression in the place of the menu itself.
 *
 * @throws UserError if there is no expression, and an entry has a value that nobody can mean.
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
		return { of: () => values, mayDiffer: () => false };
	}
	const readers = new Map(
		Object.keys(entries).map((key) => [key, parameterReader(context, `${menu}.${key}`)] as const),
	);
	return {
		of: (index) => optionValues(own, entriesOf(readers, index)),
		mayDiffer: ({ property }) => hasExpression(entries[property.name]),
	};
}

/** The entries of one item. Each is evaluated when it is first asked for. */
function entriesOf(readers: ReadonlyMap<string, ParameterReader>, index: number): Entries {
	const values = new Map<string, unknown>();
	return {
		has: (name) => readers.has(name),
		get: (name) => {
			if (!values.has(name)) values.set(name, readers.get(name)?.(index));
			return values.get(name);
		},
	};
}
