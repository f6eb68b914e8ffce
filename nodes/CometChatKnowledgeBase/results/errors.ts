import type { INode } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import type { Cause } from '../values/userError';
import { UserError } from '../values/userError';
import type { ItemFailure } from './apiError';
import type { Failed, ItemResult } from './itemResult';
import { headline, sentences } from './itemResult';
import type { Explanation } from './messages';
import { hintOf } from './messages';
import { stopReport } from './stopReport';

/** What an error of n8n tells. */
interface Told {
	message: string;
	description: string;
	/** What the service, or the network, said. */
	detail?: string;
	status?: number;
	code?: string;
	cause?: Cause;
	retryAfterMs?: number;
	itemIndex?: number;
}

/**
 * The error that stops a run: which item, what happened, what to do, and what became of the others.
 *
 * @param itemIndex Undefined for what no input item asked for.
 * @param run Has a result for each input item, in input order, and how to go on if not with those that are
 *   not done.
 */
export function stopped(
	node: INode,
	failed: Failed,
	itemIndex: number | undefined,
	{ itemResults, stopHint }: { itemResults: ItemResult[]; stopHint?: string },
): NodeApiError | NodeOperationError {
	const report = stopReport(itemResults, itemIndex, stopHint);
	const told = {
		...failed,
		message: `${headline(failed, itemIndex, itemResults.length)}${report.short}`,
		description: sentences(failed.description, report.long),
		itemIndex,
	};
	return failed.because === 'reply' ? apiError(node, told) : operationError(node, told);
}

/** What is wrong before any item is looked at: the credential or an option. */
export function refused(node: INode, { title, hint }: UserError): NodeOperationError {
	const description = `Nothing was sent. ${hint}`;
	return operationError(node, { message: title, description, cause: 'configuration-invalid' });
}

/** What `read` reads of the credential or an option, or the error that says what is wrong with it. */
export function orRefused<Value>(node: INode, read: () => Value): Value {
	try {
		return read();
	} catch (thrown) {
		throw thrown instanceof UserError ? refused(node, thrown) : thrown;
	}
}

/** A list that CometChat did not give, or not to its end. */
export function unanswered(node: INode, why: Explanation | UserError): NodeApiError {
	if (!(why instanceof UserError)) {
		const description = sentences(why.detail, hintOf(why));
		return apiError(node, { ...why, message: why.title, description });
	}
	const { title, hint, more } = why;
	const description = sentences(more.detail ?? '', more.retryHint ?? '', hint);
	return apiError(node, { ...more, message: title, description });
}

/** A poll that came to nothing, and what that means for the next one. */
export function notPolled(node: INode, failure: ItemFailure): NodeApiError {
	if (failure instanceof UserError) {
		const { title, hint, more } = failure;
		const description = sentences(more.detail ?? '', NOTHING_MOVED, hint);
		return apiError(node, { ...more, message: title, description });
	}
	const { explanation = OUT_OF_TIME, stopReason, attempts, retryAfterMs } = failure.result;
	const isCutShort = stopReason === 'cancelled' || stopReason === 'wait too long';
	const seconds = Math.ceil((retryAfterMs ?? 0) / 1000);
	const description = sentences(
		explanation.detail,
		attempts > 1 && `It was asked ${attempts} times.`,
		retryAfterMs !== undefined && isCutShort && `It asked to wait ${seconds} s.`,
		isCutShort && 'A poll does not wait so long.',
		NOTHING_MOVED,
		explanation.hint,
	);
	return apiError(node, { ...explanation, retryAfterMs, message: explanation.title, description });
}

const NOTHING_MOVED =
	'Nothing is lost: the next poll begins where the last one that succeeded ended.';

/** Of a request that was never sent. */
const OUT_OF_TIME: Explanation = {
	title: 'The time that n8n gives a poll was over before CometChat had been asked for everything',
	detail: '',
	cause: 'temporarily-unavailable',
	hint: "Let 'Poll Times' ask less often. If it stays like this there is more to read than one poll can: put a new trigger in place of this one, which begins with what there is then.",
};

function apiError(node: INode, told: Told): NodeApiError {
	const { code, status } = told;
	// What n8n shows under 'Error details' and hands to error workflows.
	const answer = { ...(code && { code }), ...(status && { statusCode: status }) };
	return new NodeApiError(node, answer, { ...optionsOf(told), httpCode: status?.toString() });
}

function operationError(node: INode, told: Told): NodeOperationError {
	return new NodeOperationError(node, told.message, optionsOf(told));
}

/**
 * In a message, n8n's errors look for what Node calls a refusal, such as EPERM, also inside a file's name, and
 * put words of their own in its place; a message of `messageMapping` they leave. They keep the one that it
 * stands for: what the service said.
 */
function optionsOf({ message, description, detail, itemIndex, ...told }: Told) {
	const original = detail ? detail : `${message}.`;
	return {
		message: original,
		messageMapping: { [original]: message },
		description,
		itemIndex,
		failure: failureOf(told),
	};
}

function failureOf({ cause, retryAfterMs }: Pick<Told, 'cause' | 'retryAfterMs'>) {
	switch (cause) {
		case undefined:
			return undefined;
		case 'rate-limited':
		case 'quota-exhausted':
		case 'temporarily-unavailable':
			return { cause, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
		default:
			return { cause };
	}
}
