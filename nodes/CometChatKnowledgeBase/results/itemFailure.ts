import type { Cause, Explanation, RequestResult } from './messages';
import type { Failed } from './itemResult';

import type { Effect } from '../requests/attemptResult';

/** Why an item can't go on to its next request. */
export type ItemFailure = RequestFailure | StepFailure;

/** A request that ended without success. */
export class RequestFailure {
	constructor(readonly result: RequestResult) {}
}

/** Anything else that was found on the way, in words for a person. */
export class StepFailure {
	constructor(
		/** One clause. */
		readonly what: string,
		readonly remedy: string,
		readonly more: {
			said?: string;
			status?: number;
			code?: string;
			cause?: Cause;
			/** 'cancelled' if it is only that the run has ended. */
			because?: Failed['because'];
			/** Whether what was last tried has been done; 'not applied' if left out. */
			effect?: Effect;
			/** To run it again, where that is no harm. */
			again?: string;
		} = {},
	) {}
}

export function isItemFailure(value: unknown): value is ItemFailure {
	return value instanceof RequestFailure || value instanceof StepFailure;
}

/** The same answer, a refusal in words for the one thing that was asked for, where there are such. */
export function explainedBy<Value>(
	words: (explanation: Explanation) => Explanation | undefined,
	answer: Value | RequestFailure,
): Value | RequestFailure {
	if (!(answer instanceof RequestFailure) || !answer.result.explanation) return answer;
	const { explanation, ...result } = answer.result;
	return new RequestFailure({ ...result, explanation: words(explanation) ?? explanation });
}

/** Whether the step that did not succeed may have been carried out. */
export function mayBeDone(failure: ItemFailure): boolean {
	const { effect } = failure instanceof RequestFailure ? failure.result : failure.more;
	return effect === 'unknown';
}
