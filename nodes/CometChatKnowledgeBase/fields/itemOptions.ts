import type { IExecuteFunctions } from 'n8n-workflow';

import { toResultSync, UserError } from '../text/failure';
import { isRecord } from '../text/json';
import type { Claim } from './conflicts';
import { conflicts } from './conflicts';
import type { Option, OptionValues } from './field';
import { optionValues, readOptions } from './field';
import { hasExpression, parameterReader, typedParameter } from './parameters';

/** The values of a menu for an item. */
export type ItemOptions = (index: number) => OptionValues;

/**
 * Reads a menu for each item. Entries without an expression are read once for all items. n8n evaluates the entries of a
 * menu, but no expression for the whole menu.
 *
 * @throws UserError for an invalid value, or for different values of an option of the whole execution
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
	const added = own.map(({ property }) => property.name).filter((name) => name in entries);
	const readers = added.map((name) => {
		return [name, parameterReader(context, `${menu}.${name}`).read] as const;
	});
	const of = (index: number) =>
		optionValues(own, Object.fromEntries(readers.map(([name, read]) => [name, read(index)])));
	for (const option of own.filter(({ isForExecution }) => isForExecution)) {
		if (!hasExpression(entries[option.property.name])) continue;
		checkSame(option, context.getInputData().length, of);
	}
	return of;
}

/** @throws UserError that names the items, if they have different values of an option */
export function checkSame(option: Option<unknown>, count: number, of: ItemOptions): void {
	const name = option.property.displayName;
	const claims: Claim[] = [];
	for (let index = 0; index < count; index++) {
		const value = toResultSync(() => of(index)(option));
		if (!(value instanceof UserError)) claims.push({ index, name, value });
		else throw count > 1 ? value.with({ title: `${value.title} [item ${index + 1}]` }) : value;
	}
	const [error] = conflicts(claims, 'have different values', ONE_VALUE).values();
	if (error) throw error;
}

const ONE_VALUE =
	'Set one value for all items, or run the workflow once for each value. This setting applies to the whole execution.';
