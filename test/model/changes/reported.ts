import type { Run } from '../../node/engine';
import type { Lists, Output } from '../outputs';
import { outputsByItem, readError, readLists, same } from '../outputs';
import type { Item, Scenario } from './scenario';
import type { Standing } from '../standing';
import { readAccount, standingOf } from '../standing';

/** What the node says of one item. */
export interface Reported {
	standing: Standing;
	/** How often it was sent, where the node says it. */
	attempts?: number;
	/** Which of its IDs, where the node says it. */
	files?: Lists;
	/** The HTTP status, where the node names one. */
	status?: number;
}

/**
 * What the node says of every item, in input order.
 *
 * @returns The words for what is missing or doubled, if any is.
 */
export function readReport(run: Run, scenario: Scenario): Reported[] | string {
	// A run that the user stopped has items, and an error that says no more than that.
	if (run.error && run.status !== 'canceled') return readStop(run.error, scenario);
	const outputs = outputsByItem(run, scenario.items.length);
	if (typeof outputs === 'string') return outputs;
	const found: Reported[] = [];
	for (const [index, item] of scenario.items.entries()) {
		const own = outputs[index] ?? [];
		const [given] = own;
		if (own.length !== 1 || given === undefined) {
			return `item ${index} has ${own.length} output items`;
		}
		const reported = readItem(given, item, scenario, index);
		if (typeof reported === 'string') return `item ${index}: ${reported}`;
		found.push(reported);
	}
	return found;
}

function readItem(
	{ json, isOnErrorOutput }: Output,
	item: Item,
	{ operation, onError }: Scenario,
	index: number,
): Reported | string {
	const asked = { operation, uid: item.agent, sourceType: item.sourceType };
	if (!('error' in json)) {
		if (isOnErrorOutput) return 'it is on the error output without an error';
		if (json.skipped === true) {
			const { reason, ...rest } = json;
			const wanted = { success: false, ...asked, uniqueIds: [], skipped: true };
			return typeof reason === 'string' && same(rest, wanted)
				? { standing: 'skipped' }
				: `it is skipped with ${JSON.stringify(json)}`;
		}
		const uniqueIds = item.meaning.kind === 'ids' ? item.meaning.ids : [];
		return same(json, { success: true, ...asked, uniqueIds })
			? { standing: 'applied' }
			: `its output is ${JSON.stringify(json)}`;
	}

	const { error, ...rest } = json;
	const input = isOnErrorOutput
		? {
				agent: item.agent,
				sourceType: item.sourceType,
				...(item.files === undefined ? {} : { files: item.files }),
			}
		: {};
	if (onError === 'continueErrorOutput' && !isOnErrorOutput) return 'its error is on the output';
	if (!same(rest, input)) return `beside its error stands ${JSON.stringify(rest)}`;
	const read = readError(error, index);
	if (typeof read === 'string') return read;
	const { attempts, status } = read;
	const { files, effect } = read.error;
	const lists = readLists(files);
	if (lists === 'wrong') return `its files are ${JSON.stringify(files)}`;
	const standing = standingOf(effect, attempts, item.meaning.kind === 'ids');
	return standing === undefined
		? `its effect is ${String(effect)} after ${attempts} attempts`
		: { standing, attempts, files: lists, status };
}

function readStop(
	error: NonNullable<Run['error']>,
	{ items, onError }: Scenario,
): Reported[] | string {
	if (onError !== 'stopWorkflow') return `the run ended in an error: ${error.message}`;
	const [item] = items;
	if (items.length === 1 && item) return readSingle(error.description ?? '', item);
	const account = readAccount(error, items.length);
	return typeof account === 'string' ? account : account.map((standing) => ({ standing }));
}

function readSingle(description: string, { meaning }: Item): Reported[] | string {
	const standings: Array<[RegExp, Standing]> = [
		[/Nothing was sent for this item/, meaning.kind === 'ids' ? 'not sent' : 'unusable'],
		[/Of its \d+ files/, 'partly applied'],
		[/It is not known whether the files were/, 'unknown'],
		[/The files were not/, 'not applied'],
	];
	const standing = standings.find(([pattern]) => pattern.test(description))?.[1];
	return standing === undefined
		? `the error does not say what became of the item: ${description}`
		: [{ standing }];
}
