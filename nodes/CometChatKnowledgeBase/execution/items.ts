import { Complaint, isRecord } from '../values/validationIssue';
import { IndexingPoller } from './indexing';
import { connected, KeyedQueue } from './keyedQueue';
import type { Operation, Session } from './operation';
import type { Fields, Outcome } from '../results/itemResult';
import { notReached, unusable } from '../results/itemResult';
import { Semaphore } from './semaphore';

/** What an item holds: something to do, or an outcome already. */
export type Reading<Task> = Omit<Ready<Task>, 'index'> | Outcome;

/** Reads the item at this place among the input items. */
export type Reader<Task> = (
	index: number,
) => Reading<Task> | Complaint | Promise<Reading<Task> | Complaint>;

/** An item with something to do. */
export interface Ready<Task> {
	kind: 'ready';
	/** Its place among the input items. */
	index: number;
	task: Task;
	/** What it asks for, for the message if it is not reached. */
	asked: Fields;
}

const NOT_STARTED = new Complaint(
	'This item was not sent, because another item is unusable',
	'Correct that item, and run the workflow again.',
);

/**
 * Reads all items, and then does what they ask for. In a run that stops on failure, an item that is
 * unusable ends it before the first request.
 *
 * @param work Gives back the outcomes of the ready items, by their index.
 */
export async function runItems<Task>(
	session: Session,
	read: Reader<Task>,
	work: (ready: Array<Ready<Task>>) => Promise<Map<number, Outcome>>,
): Promise<Outcome[]> {
	const readings = await readItems(session, read);
	const isUnusable = readings.some((it) => it.kind === 'failed' && it.because === 'input');
	if (isUnusable && session.stopsOnFailure) return readings.map(unsent);

	const ready = readings.flatMap((reading, index) =>
		reading.kind === 'ready' ? [Object.assign(reading, { index })] : [],
	);
	const outcomes = await work(ready);
	return readings.map((reading, index) => outcomes.get(index) ?? unsent(reading));
}

/** How long n8n may be kept from all else, its stop button among it, in milliseconds. */
const LONGEST_STRETCH_MS = 50;

/** Evaluates the expressions of all items; those that a stop comes before are not read. */
async function readItems<Task>(
	{ count, clock }: Session,
	read: Reader<Task>,
): Promise<Array<Reading<Task>>> {
	const readings: Array<Reading<Task>> = [];
	let sinceMs = clock.nowMs();
	for (let index = 0; index < count; index++) {
		if (clock.nowMs() - sinceMs > LONGEST_STRETCH_MS) {
			await clock.pause(0);
			sinceMs = clock.nowMs();
		}
		if (clock.isOver()) {
			readings.push(notReached());
			continue;
		}
		const reading = await readOrComplain(read, index);
		readings.push(reading instanceof Complaint ? unusable(reading) : reading);
	}
	return readings;
}

async function readOrComplain<Task>(
	read: Reader<Task>,
	index: number,
): Promise<Reading<Task> | Complaint> {
	try {
		return await read(index);
	} catch (thrown) {
		return complaintOf(thrown);
	}
}

/** n8n's own complaint: an expression that can't be evaluated, a credential that is gone. */
export function complaintOf(thrown: unknown): Complaint {
	const what = thrown instanceof Error ? thrown.message : String(thrown);
	const more = isRecord(thrown) && typeof thrown.description === 'string' ? thrown.description : '';
	return new Complaint(what, more);
}

/** The outcome of an item in a run that stops before its first request. */
function unsent<Task>(reading: Reading<Task>): Outcome {
	if (reading.kind !== 'ready') return reading;
	return { ...unusable(NOT_STARTED, reading.asked), because: 'run over' };
}

/** What the items of an operation share in which each goes its own way. */
export interface ItemRun extends Session {
	/** For the items that are at work. */
	permits: Semaphore;
	/** The changes of each agent. */
	agentQueue: KeyedQueue;
	indexing: IndexingPoller;
}

/** How an item is done; made once for each run. */
export interface Performer<Task> {
	perform(item: Ready<Task>): Promise<Outcome>;
	/** Items that share a key, also by way of others, go one after another, in input order. Left out: none do. */
	keysOf?(item: Ready<Task>): Promise<string[]>;
}

/** An operation in which each item goes its own way, several at once. */
export function itemByItem<Task>(
	reader: (session: Session) => Reader<Task>,
	performer: (run: ItemRun) => Performer<Task>,
): Operation['run'] {
	return async (session) => {
		let requests = 0;
		const permits = new Semaphore(session.settings.parallelRequests);
		const indexing = new IndexingPoller(session, permits);
		const run = { ...session, permits, indexing, agentQueue: new KeyedQueue() };
		const { perform, keysOf } = performer(run);
		const outcomes = await runItems(session, reader(session), async (ready) => {
			requests = ready.length;
			const order = new KeyedQueue();
			// All of them before the first is queued, so that the queue has the order of the input.
			const keys = await Promise.all(ready.map(async (item) => (await keysOf?.(item)) ?? []));
			const groups = connected(keys);
			const performed = ready.map(async (item, at) => {
				return await order.run(groups[at] ?? [], async () => {
					return await permits.run(async () => {
						const outcome = session.clock.isOver() ? notReached() : await perform(item);
						if (outcome.kind === 'failed' && session.stopsOnFailure) session.end();
						return [item.index, outcome] as const;
					});
				});
			});
			return new Map(await Promise.all(performed));
		});
		return { outcomes, course: { requests, split: 0 } };
	};
}
