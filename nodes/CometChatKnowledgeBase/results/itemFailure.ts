import type { Cause, Ending } from './messages';
import type { Failed } from './itemResult';
import type { Effect } from '../requests/attemptResult';

/** Why an item can't go on to its next request. */
export type Setback = Refused | Stuck;

/** A request that ended without success. */
export class Refused {
	constructor(readonly ending: Ending) {}
}

/** Anything else that was found on the way, in words for a person. */
export class Stuck {
	constructor(
		/** One clause. */
		readonly what: string,
		readonly remedy: string,
		readonly more: {
			said?: string;
			status?: number;
			code?: string;
			cause?: Cause;
			/** 'run over' if it is only that the run has ended. */
			because?: Failed['because'];
			/** Whether what was last tried has been done; 'not applied' if left out. */
			effect?: Effect;
			/** To run it again, where that is no harm. */
			again?: string;
		} = {},
	) {}
}

export function isSetback(value: unknown): value is Setback {
	return value instanceof Refused || value instanceof Stuck;
}

/** Whether the step that did not succeed may have been carried out. */
export function mayBeDone(setback: Setback): boolean {
	const { effect } = setback instanceof Refused ? setback.ending : setback.more;
	return effect === 'unknown';
}
