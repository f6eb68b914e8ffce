import type { Option } from '../fields/field';
import { UserError } from '../text/failure';
import { groupBy } from '../text/groups';
import { itemNumbers } from '../text/quoting';

/** Which items share what is done, so that none of their options may differ. */
interface Sharing<Task> {
	/** What an item names, such as the IDs of documents. */
	namedBy(task: Task): string[];
	/** Such a thing in a message. */
	noun: string;
	/** By the names of the task. */
	options: { [Name in keyof Task]?: Pick<Option<Task[Name]>, 'property'> };
}

/** Why items are refused, by their index: what is done once for all of them would ignore the options of some. */
export function refuseDifferent<Task>(
	items: ReadonlyArray<{ index: number; task: Task }>,
	{ namedBy, noun, options }: Sharing<Task>,
): Map<number, UserError> {
	const sharing = groupBy(items, ({ task }) => namedBy(task));
	const refused = new Map<number, UserError>();
	for (const all of sharing.values()) {
		for (const key in options) {
			if (new Set(all.map(({ task }) => task[key])).size < 2) continue;
			const indexes = all.map(({ index }) => index);
			const error = new UserError(
				`Items ${itemNumbers(indexes)} name the same ${noun}, and '${options[key]?.property.displayName}' differs`,
				`Set one value for all items with this ${noun}, or leave out all but one of the items.`,
			);
			for (const index of indexes) refused.set(index, error);
		}
	}
	return refused;
}
