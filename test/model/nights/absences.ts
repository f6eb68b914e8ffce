import type { Brought } from './delivery';
import type { Execution } from './play';
import type { Night, Place } from './scenario';
import { PLACES } from './scenario';

/**
 * How many whole executions in a row have gone by without each file, by the most that the node can know: of
 * executions whose note n8n has kept. Where that is not sure, it counts as gone by: what is promised of
 * files that were there is then promised of less.
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

/** Whether what brings the file may be only tried, of which nothing is noted: one item is enough for all of an agent. */
function isTried({ dry }: Night, { uid }: Place): boolean {
	if (dry === undefined || dry.kind === 'all') return dry !== undefined;
	const tried = PLACES[dry.at];
	return tried?.uid === uid;
}

/** Whether an item of the execution brings the file by its name. */
export function doesBring({ planned }: Execution, { uid, fileName }: Place): boolean {
	return planned
		.flat()
		.some((item) => isNamed(item) && item.uid === uid && item.fileName === fileName);
}

export function isNamed({ flaw }: Brought): boolean {
	return flaw === undefined;
}

/** Whether nothing ended it early. */
function isOver({ status, planned, calls }: Execution): boolean {
	return status === 'success' && calls.length === planned.length;
}

/** Whether, for all that can be seen in it, it may have brought all that was to come. */
export function isTrusted(execution: Execution): boolean {
	return isOver(execution) && execution.planned.flat().every(isNamed);
}

function keyOf({ uid, fileName }: Place): string {
	return `${fileName} of ${uid}`;
}
