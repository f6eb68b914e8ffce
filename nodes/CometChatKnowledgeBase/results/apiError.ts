import { UserError } from '../values/userError';
import type { Explanation, RequestResult } from './messages';

/** A request that ended without success. Thrown where it ends, and caught once an item (`execution/items`). */
export class ApiError extends Error {
	constructor(readonly result: RequestResult) {
		super(result.explanation?.title ?? 'The run stopped before this was sent');
	}
}

/** Why an item can't go on. */
export type ItemFailure = ApiError | UserError;

export function isItemFailure(value: unknown): value is ItemFailure {
	return value instanceof ApiError || value instanceof UserError;
}

/** The value, or why there is none, for whoever goes on all the same. */
export async function caught<Value>(work: Promise<Value>): Promise<Value | ItemFailure> {
	return await work.catch((thrown: unknown) => {
		if (isItemFailure(thrown)) return thrown;
		throw thrown;
	});
}

/** The value; if there is none, what is to be done before the failure goes on. */
export async function onFailure<Value>(
	work: Promise<Value>,
	act: (failure: ItemFailure) => void | Promise<void>,
): Promise<Value> {
	const value = await caught(work);
	if (!isItemFailure(value)) return value;
	await act(value);
	throw value;
}

/** The same answer, a refusal in words for the one thing that was asked for, where there are such. */
export function explainedBy<Value>(
	words: (explanation: Explanation) => Explanation | undefined,
	answer: Value | ApiError,
): Value | ApiError {
	if (!(answer instanceof ApiError) || !answer.result.explanation) return answer;
	const { explanation, ...result } = answer.result;
	return new ApiError({ ...result, explanation: words(explanation) ?? explanation });
}

/** Whether the step that did not succeed may have been carried out. */
export function mayBeDone(failure: ItemFailure): boolean {
	const { effect } = failure instanceof ApiError ? failure.result : failure.more;
	return effect === 'unknown';
}
