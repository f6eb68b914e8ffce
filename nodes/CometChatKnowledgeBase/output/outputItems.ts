import { chunk } from '../text/groups';
import type { Failed, Fields, ItemResult } from './itemResult';
import { describe, headline } from './itemResult';
import { OUTPUT_FIELDS } from './outputFields';
import type { Hint } from './report';

/** What the node gives for an item. */
export interface OutputItem {
	json: Fields;
	/** The input item that it came of, or all of them. */
	index: number | number[];
}

/** What a run came to. */
export interface RunResult {
	/** One for each input item, in input order. */
	itemResults: ItemResult[];
	/** Of what the run did beyond its input items. */
	furtherResults?: ItemResult[];
	/** What else someone should know of the run. */
	hints?: Hint[];
	/** What the output has in the place of these; what has failed and leaves by an output of its own is not among them. */
	shape?(items: OutputItem[]): OutputItem[];
	/** How to go on after a run that stopped, where running the items that are not done is not the way. */
	stopHint?: string;
}

/**
 * The output of a run. An item has what there is to say of it, in the order of the vocabulary.
 *
 * @param isRouted Whether n8n sends what failed to an output of its own. It knows such an item by the key
 *   `error` and no other, and merges the input's fields into it. (n8n before 2.34 does not know `details`
 *   beside it, and would send the item to the success branch.)
 * @param giveTurn Is called after every 100 rows, and gives n8n a turn.
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

/** n8n would take an item that names no input item for one of the item at its place. */
const OF_NONE: number[] = [];

const VOCABULARY: readonly string[] = Object.keys(OUTPUT_FIELDS);

const KNOWN: ReadonlySet<string> = new Set(VOCABULARY);

/**
 * The fields of the vocabulary first; what it lacks, such as CometChat's own, comes behind them. One by one: to sort
 * the names, or to make a list of the fields, takes up to ten times as long.
 */
function inOrder(row: Fields): Fields {
	const ordered: Fields = {};
	for (const name of VOCABULARY) if (row[name] !== undefined) ordered[name] = row[name];
	for (const name of Object.keys(row)) {
		// To set the one would change what the object is.
		if (KNOWN.has(name) || name === '__proto__' || row[name] === undefined) continue;
		ordered[name] = row[name];
	}
	return ordered;
}

/** Which of the input items a result is of, if of any, and how many there are. */
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

/** The words for people come first, because n8n's table begins with them. Programs read `details`. */
function errorOf(failed: Failed, { index, count }: Position): Fields {
	const { requested, effect, attempts, status, code, retryAfterMs } = failed;
	const seconds = retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1000);
	// Here `status` is that of the answer alone.
	const answer = { attempts, status, code, retryAfterSeconds: seconds };
	const details = Object.entries({ effect, item: index, ...requested, ...answer });
	const known = Object.fromEntries(details.filter(([, value]) => value !== undefined));
	const message = headline(failed, index, count);
	return { message, description: describe(failed), details: known };
}
