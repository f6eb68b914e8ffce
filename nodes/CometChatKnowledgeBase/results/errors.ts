import type { INode, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { UserError } from '../values/userError';
import type { Explanation } from './messages';
import type { ItemFailure } from './apiError';
import type { Failed, ItemResult } from './itemResult';
import { headline, sentences } from './itemResult';
import { stopReport } from './hints';

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
	{ itemResults, goOn }: { itemResults: ItemResult[]; goOn?: string },
): NodeApiError | NodeOperationError {
	const report = stopReport(itemResults, itemIndex, goOn);
	const message = `${headline(failed, itemIndex, itemResults.length)}${report.short}`;
	const description = [failed.description, report.long].filter((text) => text !== '').join(' ');
	const options = { message, description, itemIndex, failure: toFailure(failed) };
	const error =
		failed.because === 'reply'
			? new NodeApiError(node, answerOf(failed), {
					...options,
					httpCode: failed.status === undefined ? undefined : String(failed.status),
				})
			: new NodeOperationError(node, message, options);
	// n8n replaces a message in which it finds the name of a system call's refusal, such as EPERM.
	error.message = message;
	return error;
}

/** What is wrong before any item is looked at: the credential or an option. */
export function refused(node: INode, { what, remedy }: UserError): NodeOperationError {
	return new NodeOperationError(node, what, {
		description: `Nothing was sent. ${remedy}`,
		failure: { cause: 'configuration-invalid' },
	});
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
	const { what, remedy } = why;
	const { said = '', again = '', status } = why instanceof UserError ? why.more : why;
	const description = sentences(said, again, remedy);
	const options = { message: what, description, httpCode: status?.toString() };
	return new NodeApiError(node, { message: said }, options);
}

/** A poll that came to nothing, and what that means for the next one. */
export function notPolled(node: INode, failure: ItemFailure): NodeApiError {
	if (failure instanceof UserError) {
		const { what, remedy, more } = failure;
		return unanswered(node, { what, said: '', ...more, again: NOTHING_MOVED, remedy });
	}
	const { explanation, stopReason, attempts, retryAfterMs } = failure.result;
	const { what, said, remedy, status, cause } = explanation ?? OUT_OF_TIME;
	const isCutShort = stopReason === 'cancelled' || stopReason === 'wait too long';
	const seconds = Math.ceil((retryAfterMs ?? 0) / 1000);
	const description = sentences(
		said,
		attempts > 1 && `It was asked ${attempts} times.`,
		retryAfterMs !== undefined && isCutShort && `It asked to wait ${seconds} s.`,
		isCutShort && 'A poll does not wait so long.',
		NOTHING_MOVED,
		remedy,
	);
	const error = new NodeApiError(
		node,
		{ message: said },
		{
			message: what,
			description,
			httpCode: status?.toString(),
			failure: toFailure({ cause, retryAfterMs }),
		},
	);
	// Of some statuses n8n has words of its own.
	error.message = what;
	return error;
}

const NOTHING_MOVED =
	'Nothing is lost: the next poll begins where the last one that succeeded ended.';

/** Of a request that was never sent. */
const OUT_OF_TIME: Explanation = {
	what: 'The time that n8n gives a poll was over before CometChat had been asked for everything',
	said: '',
	cause: 'temporarily-unavailable',
	remedy:
		"Let 'Poll Times' ask less often. If it stays like this there is more to read than one poll can: put a new trigger in place of this one, which begins with what there is then.",
};

/** What n8n shows under 'Error details' and hands to error workflows. */
function answerOf({ what, said, code, status }: Failed): JsonObject {
	const message = said ?? what;
	return { message, ...(code ? { code } : {}), ...(status ? { statusCode: status } : {}) };
}

function toFailure({ cause, retryAfterMs }: Pick<Failed, 'cause' | 'retryAfterMs'>) {
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
