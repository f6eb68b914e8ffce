import { Complaint, isRecord } from './complaint';
import { runInLanes } from './lanes';
import type { Operation, Result, Session } from './operation';
import type { Fields, Outcome } from './outcome';
import { notReached, unusable } from './outcome';

/** What an item holds: something to do, or an outcome already. */
export type Reading<Task> = Omit<Ready<Task>, 'index'> | Outcome;

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
	read: (index: number) => Reading<Task> | Complaint,
	work: (ready: Array<Ready<Task>>) => Promise<Map<number, Outcome>>,
): Promise<Outcome[]> {
	const readings = await readItems(session, read);
	const isUnusable = readings.some((it) => it.kind === 'failed' && it.because === 'input');
	if (isUnusable && session.stopsOnFailure) return readings.map(unsent);

	const ready = readings.flatMap((reading, index) =>
		reading.kind === 'ready' ? [{ ...reading, index }] : [],
	);
	const outcomes = await work(ready);
	return readings.map((reading, index) => outcomes.get(index) ?? unsent(reading));
}

/** How long n8n may be kept from all else, its stop button among it, in milliseconds. */
const LONGEST_STRETCH_MS = 50;

/** Evaluates the expressions of all items; those that a stop comes before are not read. */
async function readItems<Task>(
	{ count, clock }: Session,
	read: (index: number) => Reading<Task> | Complaint,
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
		const reading = readOrComplain(read, index);
		readings.push(reading instanceof Complaint ? unusable(reading) : reading);
	}
	return readings;
}

function readOrComplain<Task>(
	read: (index: number) => Reading<Task> | Complaint,
	index: number,
): Reading<Task> | Complaint {
	try {
		return read(index);
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

/**
 * An operation in which each item goes its own way: several at once, those of one lane in order.
 *
 * @param laneOf undefined for an item that needs no order.
 */
export function itemByItem<Task>(
	read: (session: Session) => (index: number) => Reading<Task> | Complaint,
	perform: (item: Ready<Task>, session: Session) => Promise<Outcome>,
	laneOf: (task: Task, session: Session) => string | undefined = () => undefined,
): Operation['run'] {
	return async (session): Promise<Result> => {
		let sent = 0;
		const outcomes = await runItems(session, read(session), async (ready) => {
			sent = ready.length;
			const { parallelRequests } = session.settings;
			const found = await runInLanes(
				ready,
				({ task }) => laneOf(task, session),
				parallelRequests,
				async (item) => {
					const outcome = await perform(item, session);
					if (outcome.kind === 'failed' && session.stopsOnFailure) session.end();
					return [item.index, outcome] as const;
				},
			);
			return new Map(found);
		});
		return { outcomes, course: { requests: sent, split: 0 } };
	};
}
