import { connected, mapInKeyOrder, Semaphore } from '../concurrency/turns';
import { pausing } from '../requests/time';
import type { Fields, ItemResult } from '../results/itemResult';
import { isItemFailure } from '../results/apiError';
import { cancelled, unusable } from '../results/itemResult';
import { UserError, isRecord } from '../values/userError';
import { ItemContext, NOTHING_CHANGED } from './itemContext';
import type { Operation, RunContext, RunResult } from './operation';

/** What an item holds: something to do, or a result already. */
export type Reading<Task> = Omit<Ready<Task>, 'index'> | ItemResult;

/** Reads the item at this place among the input items. */
export type Reader<Task> = (
	index: number,
	/** Lets n8n do something else, if it has waited for long. */
	pause: () => Promise<void>,
) => Reading<Task> | Promise<Reading<Task>>;

/** An item with something to do. */
export interface Ready<Task> {
	kind: 'ready';
	/** Its place among the input items. */
	index: number;
	task: Task;
	/** What it asks for, for the message if it is not reached. */
	requested: Fields;
}

const NOT_STARTED = new UserError(
	'This item was not sent, because another item is unusable',
	'Correct that item, and run the workflow again.',
);

/**
 * Reads all items, and then does what they ask for. In a run that stops on failure, an item that is
 * unusable ends it before the first request.
 *
 * @param work Gives back the results of the ready items, by their index.
 * @param together Which of them are unusable beside the others, by their index.
 */
export async function runItems<Task>(
	run: RunContext,
	read: Reader<Task>,
	work: (ready: Array<Ready<Task>>) => Promise<Map<number, ItemResult>>,
	together: (ready: Array<Ready<Task>>) => Map<number, UserError> = () => new Map(),
): Promise<ItemResult[]> {
	const each = await readItems(run, read);
	const clashing = together(readyIn(each));
	const readings = each.map((reading, index) => {
		const issue = reading.kind === 'ready' ? clashing.get(index) : undefined;
		return issue && reading.kind === 'ready' ? unusable(issue, reading.requested) : reading;
	});
	const isUnusable = readings.some((it) => it.kind === 'failed' && it.because === 'input');
	if (isUnusable && run.stopsOnFailure) return readings.map(cancelledUnlessDone);

	const itemResults = await work(readyIn(readings));
	return readings.map((reading, index) => itemResults.get(index) ?? cancelledUnlessDone(reading));
}

function readyIn<Task>(readings: Array<Reading<Task>>): Array<Ready<Task>> {
	return readings.flatMap((reading, index) =>
		reading.kind === 'ready' ? [Object.assign(reading, { index })] : [],
	);
}

/** Evaluates the expressions of all items; those that a stop comes before are not read. */
async function readItems<Task>(
	{ count, clock }: RunContext,
	read: Reader<Task>,
): Promise<Array<Reading<Task>>> {
	const readings: Array<Reading<Task>> = [];
	const pause = pausing(clock);
	for (let index = 0; index < count; index++) {
		await pause();
		readings.push(clock.isCancelled() ? cancelled() : await readOne(read, index, pause));
	}
	return readings;
}

async function readOne<Task>(
	read: Reader<Task>,
	index: number,
	pause: () => Promise<void>,
): Promise<Reading<Task>> {
	try {
		return await read(index, pause);
	} catch (thrown) {
		return unusable(issueOf(thrown));
	}
}

/** n8n's own complaint: an expression that can't be evaluated, a credential that is gone. */
export function issueOf(thrown: unknown): UserError {
	if (thrown instanceof UserError) return thrown;
	const what = thrown instanceof Error ? thrown.message : String(thrown);
	const more = isRecord(thrown) && typeof thrown.description === 'string' ? thrown.description : '';
	return new UserError(what, more);
}

/** The result of an item in a run that stops before its first request. */
function cancelledUnlessDone<Task>(reading: Reading<Task>): ItemResult {
	if (reading.kind !== 'ready') return reading;
	return { ...unusable(NOT_STARTED, reading.requested), because: 'cancelled' };
}

/** What the items of an operation share in which each goes its own way. */
export interface ItemRun extends RunContext {
	/** For the items that are at work. */
	permits: Semaphore;
}

/** How an item is done; made once for each run. */
export interface Performer<Task> {
	perform(item: Ready<Task>): Promise<ItemResult>;
	/** Items that share a key, also by way of others, go one after another, in input order. Left out: none do. */
	keysOf?(item: Ready<Task>): Promise<string[]>;
	/** Which of the items are unusable beside the others, by their index. */
	together?(items: Array<Ready<Task>>): Map<number, UserError>;
	/** What is done once all items have ended, for which there is no item. */
	finish?(itemResults: ItemResult[]): Promise<Omit<RunResult, 'itemResults'>>;
}

async function performed<Task>(
	perform: Performer<Task>['perform'],
	item: Ready<Task>,
	run: RunContext,
): Promise<ItemResult> {
	try {
		return await perform(item);
	} catch (thrown) {
		const failure = isItemFailure(thrown) ? thrown : issueOf(thrown);
		return new ItemContext(run).failed(failure, item.requested, NOTHING_CHANGED);
	}
}

/** Ten agents side by side hide the service's latency; more gain little and meet limits sooner. */
export const MOST_AT_ONCE = 10;

/** An operation in which each item goes its own way, several at once. */
export function itemByItem<Task>(
	reader: (run: RunContext) => Reader<Task>,
	performer: (run: ItemRun) => Performer<Task>,
): Operation['run'] {
	return async (run) => {
		const permits = new Semaphore(MOST_AT_ONCE);
		const { perform, keysOf, together, finish } = performer({ ...run, permits });
		const work = async (ready: Array<Ready<Task>>) => {
			// All of them before the first is queued, so that the queue has the order of the input.
			const keys = await Promise.all(ready.map(async (item) => (await keysOf?.(item)) ?? []));
			const groups = connected(keys);
			const results = await mapInKeyOrder(
				ready,
				(_, at) => groups[at],
				permits,
				async (item) => {
					const itemResult = run.clock.isCancelled()
						? cancelled(item.requested)
						: await performed(perform, item, run);
					if (itemResult.kind === 'failed' && run.stopsOnFailure) run.cancel();
					return [item.index, itemResult] as const;
				},
			);
			return new Map(results);
		};
		const itemResults = await runItems(run, reader(run), work, together);
		return { itemResults, ...(await finish?.(itemResults)) };
	};
}
