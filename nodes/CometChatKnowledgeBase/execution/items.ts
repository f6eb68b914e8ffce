import { pausing } from '../requests/time';
import type { Fields, ItemResult } from '../results/itemResult';
import { cancelled, unusable } from '../results/itemResult';
import { UserError } from '../values/failure';
import { isRecord } from '../values/json';
import type { RunContext } from './operation';

/** An item with something to do. */
export interface ItemTask<Task> {
	kind: 'task';
	/** Its place among the input items. */
	index: number;
	task: Task;
	/** What it asks for, for the message if it is not reached. */
	requested: Fields;
}

/** Reads the item at this place among the input items: its task, or a result already. */
export type ParseItem<Task> = (
	index: number,
	/** Lets n8n do something else, if it has waited for long. */
	pause: () => Promise<void>,
) => Promise<ItemTask<Task> | ItemResult>;

/**
 * Reads all items, and then does what they ask for. In a run that stops on failure, an item that is
 * unusable ends it before the first request.
 *
 * @param work Gives back the results of the tasks, by the index of their items.
 * @param together Which of them are unusable beside the others, by their index.
 */
export async function runItems<Task>(
	run: RunContext,
	parse: ParseItem<Task>,
	work: (tasks: Array<ItemTask<Task>>) => Promise<Map<number, ItemResult>>,
	together: (tasks: Array<ItemTask<Task>>) => Map<number, UserError> = () => new Map(),
): Promise<ItemResult[]> {
	const parsed = await parseItems(run, parse);
	const clashing = together(tasksOf(parsed));
	const items = parsed.map((item, index) => {
		const userError = clashing.get(index);
		return userError && item.kind === 'task' ? unusable(userError, item.requested) : item;
	});
	const isUnusable = items.some((item) => item.kind === 'failed' && item.errorType === 'input');
	const isOver = isUnusable && run.stopsOnFailure;
	const itemResults = isOver ? new Map<number, ItemResult>() : await work(tasksOf(items));
	return items.map((item, index) =>
		item.kind === 'task' ? (itemResults.get(index) ?? cancelled(item.requested)) : item,
	);
}

function tasksOf<Task>(items: Array<ItemTask<Task> | ItemResult>): Array<ItemTask<Task>> {
	return items.flatMap((item) => (item.kind === 'task' ? [item] : []));
}

/** Evaluates the expressions of all items; those that a stop comes before are not read. */
async function parseItems<Task>(
	{ count, clock }: RunContext,
	parse: ParseItem<Task>,
): Promise<Array<ItemTask<Task> | ItemResult>> {
	const items: Array<ItemTask<Task> | ItemResult> = [];
	const pause = pausing(clock);
	for (let index = 0; index < count; index++) {
		await pause();
		const parsed = clock.isCancelled()
			? cancelled()
			: await parse(index, pause).catch((thrown: unknown) => unusable(userErrorOf(thrown)));
		items.push(parsed);
	}
	return items;
}

/** n8n's own complaint: an expression that can't be evaluated, a credential that is gone. */
export function userErrorOf(thrown: unknown): UserError {
	if (thrown instanceof UserError) return thrown;
	const what = thrown instanceof Error ? thrown.message : String(thrown);
	const more = isRecord(thrown) && typeof thrown.description === 'string' ? thrown.description : '';
	return new UserError(what, more);
}
