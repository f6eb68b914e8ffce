import type { SendResult } from '../requests/sendRequest';
import type { ErrorDetails } from '../values/userError';
import { Failure } from '../values/userError';

/** What the address of a request names, and what a 404 without a code is therefore about. */
export type About = 'agent' | 'document' | 'text' | 'website' | 'pages';

/** What a refusal is about, as far as it says. */
export interface RefusedFor {
	/** True if the reason may lie in one of several files, so that the others may go through without it. */
	concernsOneFile?: boolean;
	/** True if it may as well lie in the agent, with which no other file would fare better. */
	mayConcernAgent?: boolean;
	/** What the service has said that it does not know. */
	unknown?: About;
}

/** What is known of a request that ended without success. */
type Request = ErrorDetails & RefusedFor & Omit<SendResult, 'lastResult' | 'value'>;

/** A request that ended without success. Its reply, which may be large, is not kept. */
export class ApiError extends Failure<Request> {}

/** Why an item can't go on. */
export type ItemFailure = Failure;

export function isItemFailure(value: unknown): value is ItemFailure {
	return value instanceof Failure;
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

/** Whether the step that did not succeed may have been carried out. */
export function mayBeDone({ more }: ItemFailure): boolean {
	return more.effect === 'unknown';
}
