import type { Failed, Fields, ItemResult } from './itemResult';
import { headline } from './itemResult';
import { inOutputOrder } from './outputFields';

/** What the node gives for an item. */
export interface OutputItem {
	json: Fields;
	/** The input item that it came of, or all of them; undefined if there is none. */
	index?: number | number[];
}

/**
 * The output of a run. An item has what there is to say of it, in the order of the vocabulary.
 *
 * @param isRouted Whether n8n sends what failed to an output of its own. It knows such an item by the key
 *   `error` and no other, and merges the input's fields into it. (n8n before 2.34 does not know `details`
 *   beside it, and would send the item to the success branch.)
 * @param shape What is shown in the place of the others.
 */
export function outputItems(
	itemResults: ItemResult[],
	furtherResults: ItemResult[],
	isRouted: boolean,
	shape = (rows: OutputItem[]) => rows,
): OutputItem[] {
	const count = itemResults.length;
	const items = [
		...itemResults.flatMap((result, index) =>
			toJson(result, isRouted, { index, count }).map((json): OutputItem => ({ json, index })),
		),
		...furtherResults.flatMap((result) =>
			toJson(result, isRouted, NO_ITEM).map((json): OutputItem => ({ json })),
		),
	];
	const isElsewhere = ({ json }: OutputItem) => isRouted && json.error !== undefined;
	const shown = shape(items.filter((item) => !isElsewhere(item)));
	return [...shown, ...items.filter(isElsewhere)].map((item) => ({
		...item,
		json: inOrder(item.json),
	}));
}

function inOrder(row: Fields): Fields {
	const names = Object.keys(row).filter((name) => row[name] !== undefined);
	return Object.fromEntries(inOutputOrder(names).map((name) => [name, row[name]]));
}

/** Which of the input items a result is of, and how many there are. */
interface Place {
	index?: number;
	count: number;
}

const NO_ITEM: Place = { count: 0 };

function toJson(itemResult: ItemResult, isRouted: boolean, place: Place): Fields[] {
	if (itemResult.kind !== 'failed') return itemResult.json;
	const error = errorOf(itemResult, place);
	return [isRouted ? { error } : { ...FAILED, ...itemResult.requested, error }];
}

const FAILED: Fields = { action: 'failed', success: false };

/** The words come first, which is where n8n's table begins; what programs read stands below them. */
function errorOf(failed: Failed, { index, count }: Place): Fields {
	const { requested, description, effect, attempts, status, code, retryAfterMs } = failed;
	// Here `status` is that of the answer alone.
	const asked = Object.fromEntries(Object.entries(requested).filter(([name]) => name !== 'status'));
	const details = {
		effect,
		...(index === undefined ? {} : { item: index }),
		...asked,
		attempts,
		...(status === undefined ? {} : { status }),
		...(code === undefined ? {} : { code }),
		...(retryAfterMs === undefined ? {} : { retryAfterSeconds: Math.ceil(retryAfterMs / 1000) }),
	};
	return { message: headline(failed, index, count), description, details };
}
