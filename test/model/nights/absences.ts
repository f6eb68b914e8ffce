import type { Brought } from './delivery';
import type { Execution } from './play';
import type { Night, Place } from './scenario';
import { PLACES } from './scenario';

/**
 * Counts the complete executions in a row without each file, at most as many as the node can know: executions whose
 * record n8n has saved. Uncertain executions count, too, so that less is promised.
 */
export class AbsenceCount {
	constructor(private readonly counts: ReadonlyMap<string, number> = new Map()) {}

	of(place: Place): number {
		return this.counts.get(keyOf(place)) ?? 0;
	}

	after(night: Night, executions: Execution[]): AbsenceCount {
		if (executions.length === 0 || night.mode !== 'trigger') return this;
		const counts = PLACES.map((place): [string, number] => {
			const brings = executions.map((one) => doesBring(one, place));
			if (brings.every(Boolean)) {
				const isNoted = executions.every(isOver) && !isTried(night, place);
				return [keyOf(place), isNoted ? 0 : this.of(place)];
			}
			const goesBy = brings.includes(false);
			return [keyOf(place), this.of(place) + (goesBy ? 1 : 0)];
		});
		return new AbsenceCount(new Map(counts));
	}
}

/** Whether a file may be in a dry run, which records nothing: one item is enough for all items of its agent. */
function isTried({ dry }: Night, { uid }: Place): boolean {
	if (dry === undefined || dry.kind === 'all') return dry !== undefined;
	const tried = PLACES[dry.at];
	return tried?.uid === uid;
}

/** Whether an item of the execution contains the file by its name. */
export function doesBring({ planned }: Execution, { uid, fileName }: Place): boolean {
	return planned
		.flat()
		.some((item) => isNamed(item) && item.uid === uid && item.fileName === fileName);
}

export function isNamed({ flaw }: Brought): boolean {
	return flaw === undefined;
}

function isOver({ status, planned, calls }: Execution): boolean {
	return status === 'success' && calls.length === planned.length;
}

/** Whether the execution seems to contain all items that should arrive. */
export function isTrusted(execution: Execution): boolean {
	return isOver(execution) && execution.planned.flat().every(isNamed);
}

function keyOf({ uid, fileName }: Place): string {
	return `${fileName} of ${uid}`;
}
