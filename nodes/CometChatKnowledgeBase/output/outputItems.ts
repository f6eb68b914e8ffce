import { chunk } from '../text/groups';
import type { Failed, Fields, ItemResult } from './itemResult';
import { describe, headline } from './itemResult';
import { OUTPUT_FIELDS } from './outputFields';
import type { Hint } from './report';

/** An output item of the node. */
export interface OutputItem {
	json: Fields;
	/** The index of its input item, or the indexes of several. */
	index: number | number[];
}

/** The result of an execution. */
export interface RunResult {
	/** One for each input item, in input order. */
	itemResults: ItemResult[];
	/** The results that belong to no input item. */
	furtherResults?: ItemResult[];
	/** More notes on the execution. */
	hints?: Hint[];
	/** Changes the form of the output items. Items for the error output stay as they are. */
	shape?(items: OutputItem[]): OutputItem[];
	/** How to continue a stopped execution, if not with the items that are not done. */
	stopHint?: string;
}

/**
 * Returns the output items of an execution, with their fields in the order of the vocabulary.
 *
 * @param isRouted Whether n8n sends failed items to the error output. n8n recognizes such an item by `error` as its
 *   only key: n8n before 2.34 does not know `details` beside `error`.
 */
export async function outputItems(
	{ itemResults, furtherResults = [], shape = (rows) => rows }: RunResult,
	isRouted: boolean,
	giveTurn: () => Promise<void>,
): Promise<OutputItem[]> {
	const count = itemResults.length;
	const items = [...itemResults, ...furtherResults].flatMap((result, at) => {
		const position = { index: at < count ? at : undefined, count };
		const index = position.index ?? OF_NONE;
		return toJson(result, isRouted, position).map((json): OutputItem => ({ json, index }));
	});
	const isElsewhere = ({ json }: OutputItem) => isRouted && json.error !== undefined;
	const shown = [
		...shape(items.filter((item) => !isElsewhere(item))),
		...items.filter((item) => isElsewhere(item)),
	];
	for (const part of chunk(shown, ROWS_PER_TURN)) {
		for (const item of part) item.json = inOrder(item.json);
		await giveTurn();
	}
	return shown;
}

const ROWS_PER_TURN = 100;

/** The input items of a row that belongs to none: otherwise, n8n would pair the row with the item at its index. */
const OF_NONE: number[] = [];

const VOCABULARY: readonly string[] = Object.keys(OUTPUT_FIELDS);

const KNOWN: ReadonlySet<string> = new Set(VOCABULARY);

/**
 * Returns a row with the fields of the vocabulary first, and other fields, such as CometChat's own, after them. To
 * sort the names, or to make a list of the fields, would take up to ten times as long.
 */
function inOrder(row: Fields): Fields {
	const ordered: Fields = {};
	for (const name of VOCABULARY) if (row[name] !== undefined) ordered[name] = row[name];
	for (const name of Object.keys(row)) {
		// To set this property would change the prototype of the object.
		if (KNOWN.has(name) || name === '__proto__' || row[name] === undefined) continue;
		ordered[name] = row[name];
	}
	return ordered;
}

/** The index of a result's input item, if there is one, and the number of input items. */
interface Position {
	index?: number;
	count: number;
}

function toJson(itemResult: ItemResult, isRouted: boolean, position: Position): Fields[] {
	if (itemResult.kind !== 'failed') return itemResult.json;
	const error = errorOf(itemResult, position);
	return [isRouted ? { error } : { ...FAILED, ...itemResult.requested, error }];
}

const FAILED: Fields = { action: 'failed', success: false };

/** The message and description are first, because n8n's table shows the first fields. Programs read `details`. */
function errorOf(failed: Failed, { index, count }: Position): Fields {
	const { requested, effect, attempts, status, code, retryAfterMs } = failed;
	const seconds = retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1000);
	// Here, `status` is only the status of the response.
	const answer = { attempts, status, code, retryAfterSeconds: seconds };
	const details = Object.entries({ effect, item: index, ...requested, ...answer });
	const known = Object.fromEntries(details.filter(([, value]) => value !== undefined));
	const message = headline(failed, index, count);
	return { message, description: describe(failed), details: known };
}
