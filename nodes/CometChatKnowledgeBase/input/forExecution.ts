import { caughtNow, UserError } from '../values/failure';
import { itemNumbers, listed } from '../values/quoting';
import type { ExecutionOption } from './field';

/** What applies to the whole execution. */
interface ForAll<Value> {
	/** As the editor calls it. */
	label: string;
	/** How many items may have different values. */
	count: number;
	/** How an item has it. @throws UserError */
	read(index: number): Value;
	/** A value in a message. */
	shown(value: Value): string;
}

/**
 * The one value that all items have.
 *
 * @param pause Is called for each item of a long loop, so that n8n gets its turns.
 * @throws UserError that names the items where their values differ: no choice between them is right for all.
 */
export async function valueForAll<Value>(
	{ label, count, read, shown }: ForAll<Value>,
	pause: () => Promise<void>,
): Promise<Value> {
	const first = ofItem(read, 0, count);
	const itemsOf = new Map([[first, [0]]]);
	for (let index = 1; index < count; index++) {
		await pause();
		const value = ofItem(read, index, count);
		const items = itemsOf.get(value) ?? [];
		itemsOf.set(value, items);
		items.push(index);
	}
	if (itemsOf.size === 1) return first;
	const values = [...itemsOf].map(([value, items]) => `${shown(value)} (${itemWords(items)})`);
	throw new UserError(
		`'${label}' differs between items: ${listed(values)}`,
		'Set one value for all items, or run the workflow once for each value: this setting applies to the whole execution.',
	);
}

function itemWords(indexes: number[]): string {
	return `${indexes.length === 1 ? 'item' : 'items'} ${itemNumbers(indexes)}`;
}

function ofItem<Value>(read: (index: number) => Value, index: number, count: number): Value {
	const value = caughtNow(() => read(index));
	if (!(value instanceof UserError)) return value;
	throw count > 1 ? new UserError(`${value.title} [item ${index + 1}]`, value.hint) : value;
}

/** The value of an option as the editor shows it. */
export function shownValue({ property }: ExecutionOption<unknown>, value: unknown): string {
	const choice = (property.options ?? []).find((one) => 'value' in one && one.value === value);
	return choice?.name ?? String(value);
}
