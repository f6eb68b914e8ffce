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
 * The output of a run: every item has the same fields, `null` where it has nothing, so that n8n's table shows
 * no column twice or as undefined.
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
	const items = [
		...itemResults.flatMap((result, index) =>
			toJson(result, isRouted, { index, count: itemResults.length }).map((json) => ({
				json,
				index,
			})),
		),
		...furtherResults.flatMap((result) =>
			toJson(result, isRouted, NO_ITEM).map((json) => ({ json })),
		),
	];
	const isAligned = ({ json }: OutputItem) => !isRouted || json.error === undefined;
	const rows = shape(items.filter(isAligned));
	const names = inOutputOrder(rows.flatMap(({ json }) => namesIn(json)));
	const shown = rows.map((item) => ({ ...item, json: aligned(item.json, names) }));
	return [...shown, ...items.filter((item) => !isAligned(item))];
}

function namesIn(row: Fields): string[] {
	return Object.keys(row).filter((name) => row[name] !== undefined);
}

/** What an item that failed has where it does not tell more. */
const FAILED: Fields = { action: 'failed', success: false };

function aligned(row: Fields, names: string[]): Fields {
	const empty = (name: string) => ('error' in row ? FAILED[name] : null) ?? null;
	return Object.fromEntries(names.map((name) => [name, row[name] ?? empty(name)]));
}

/** Which of the input items a result is of, and how many there are. */
interface Place {
	index?: number;
	count: number;
}

const NO_ITEM: Place = { count: 0 };

function toJson(itemResult: ItemResult, isRouted: boolean, place: Place): Fields[] {
	switch (itemResult.kind) {
		case 'succeeded':
			return itemResult.json;
		case 'skipped':
			return [itemResult.json];
		case 'failed': {
			const error = errorOf(itemResult, place);
			return [isRouted ? { error } : { ...itemResult.requested, error }];
		}
	}
}

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
