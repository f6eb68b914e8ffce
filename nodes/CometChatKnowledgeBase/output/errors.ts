import type { INode } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import type { Failure } from '../text/failure';
import { UserError } from '../text/failure';
import { sentences } from '../text/quoting';
import type { Failed, ItemResult, ErrorFacts } from './itemResult';
import { descriptionOf, headline } from './itemResult';
import { stopReport } from './report';

/** What an error of n8n tells beside its message. */
interface ErrorParts extends ErrorFacts {
	description: string;
	itemIndex?: number;
}

/**
 * The error that stops a run: which item, what happened, what to do, and what became of the others.
 *
 * @param itemIndex Undefined for what no input item asked for.
 * @param run Has a result for each input item, in input order, and how to go on if not with those that are
 *   not done.
 */
export function toRunError(
	node: INode,
	failed: Failed,
	itemIndex: number | undefined,
	{ itemResults, stopHint }: { itemResults: ItemResult[]; stopHint?: string },
): NodeApiError | NodeOperationError {
	const report = stopReport(itemResults, itemIndex, stopHint);
	const message = `${headline(failed, itemIndex, itemResults.length)}${report.short}`;
	const description = sentences(failed.description, report.long);
	const parts = { ...failed, itemIndex, description };
	return failed.errorType === 'reply'
		? apiError(node, message, parts)
		: new NodeOperationError(node, message, optionsOf(message, parts));
}

/** What is wrong before any item is looked at: the credential or an option. */
export function refused(node: INode, { title, hint }: UserError): NodeOperationError {
	const parts = {
		description: `Nothing was sent. ${hint}`,
		cause: 'configuration-invalid',
	} as const;
	return new NodeOperationError(node, title, optionsOf(title, parts));
}

/** What `read` reads of the credential or an option, or the error that says what is wrong with it. */
export function throwAsNodeError<Value>(node: INode, read: () => Value): Value {
	try {
		return read();
	} catch (thrown) {
		throw thrown instanceof UserError ? refused(node, thrown) : thrown;
	}
}

/** A list that CometChat did not give, or not to its end. */
export function toListError(node: INode, failure: Failure): NodeApiError {
	return apiError(node, failure.title, { ...failure.more, description: descriptionOf(failure) });
}

/** A poll that came to nothing, and what that means for the next one. */
export function toPollError(node: INode, failure: Failure): NodeApiError {
	const isLate = failure.more.isCancelled && !failure.more.detail;
	const shown = isLate ? OUT_OF_TIME : failure;
	const description = descriptionOf(shown, NOTHING_MOVED);
	return apiError(node, shown.title, { ...shown.more, description });
}

/** The next poll goes on by itself. */
const NOTHING_MOVED = {
	detail: 'No event is lost: the next poll continues where the last successful poll ended.',
	hint: '',
};

/** Of a request that was never sent. */
const OUT_OF_TIME = new UserError(
	'Checking CometChat needed more time than n8n allows',
	"Wait for the next poll. If this keeps happening, CometChat answers slowly: increase 'N8N_SCHEDULER_POLL_TIMEOUT' in n8n, or contact CometChat support.",
	{ cause: 'temporarily-unavailable' },
);

function apiError(node: INode, message: string, parts: ErrorParts): NodeApiError {
	const { code, status } = parts;
	// What n8n shows under 'Error details' and hands to error workflows.
	const answer = { ...(code && { code }), ...(status && { statusCode: status }) };
	const options = { ...optionsOf(message, parts), httpCode: status?.toString() };
	return new NodeApiError(node, answer, options);
}

/**
 * In a message, n8n's errors look for what Node calls a refusal, such as EPERM, also inside a file's name, and
 * put words of their own in its place; a message of `messageMapping` they leave. They keep the one that it
 * stands for: what the service said.
 */
function optionsOf(message: string, parts: ErrorParts) {
	const { description, detail, itemIndex, cause, retryAfterMs } = parts;
	const original = detail ? detail : `${message}.`;
	return {
		message: original,
		messageMapping: { [original]: message },
		description,
		itemIndex,
		failure: cause && { cause, ...(retryAfterMs !== undefined && { retryAfterMs }) },
	};
}
