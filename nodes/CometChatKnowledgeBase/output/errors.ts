import type { INode } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import type { Failure } from '../text/failure';
import { UserError } from '../text/failure';
import { sentences } from '../text/quoting';
import type { Failed, ItemResult, ErrorFacts } from './itemResult';
import { adviceFor, describe, descriptionOf, headline } from './itemResult';
import { stopReport } from './report';

/** The parts of an error of n8n in addition to its message. */
interface ErrorParts extends ErrorFacts {
	description: string;
}

/** The error that stops an execution. @param itemIndex Undefined for a failure that belongs to no input item. */
export function toRunError(
	node: INode,
	failed: Failed,
	itemIndex: number | undefined,
	{ itemResults, stopHint }: { itemResults: ItemResult[]; stopHint?: string },
): NodeApiError | NodeOperationError {
	const message = headline(failed, itemIndex, itemResults.length);
	const report = stopReport(itemResults, itemIndex, stopHint);
	const description = describe({
		advice: sentences(failed.advice, report.advice),
		progress: sentences(failed.progress, report.progress),
		detail: failed.detail,
	});
	const parts = { ...failed, description };
	return failed.errorType === 'reply'
		? apiError(node, message, parts)
		: new NodeOperationError(node, message, optionsOf(message, parts));
}

/** The error for a credential or an option that is wrong for all items. */
export function refused(node: INode, { title, hint }: UserError): NodeOperationError {
	const parts = {
		description: `${hint} Nothing was changed in CometChat.`,
		cause: 'configuration-invalid',
	} as const;
	return new NodeOperationError(node, title, optionsOf(title, parts));
}

/** Reads the credential or an option. @throws The error of n8n that says what is wrong with it. */
export function throwAsNodeError<Value>(node: INode, read: () => Value): Value {
	try {
		return read();
	} catch (thrown) {
		throw thrown instanceof UserError ? refused(node, thrown) : thrown;
	}
}

/** The error for a list that could not be read, or not to its end. */
export function toListError(node: INode, failure: Failure): NodeApiError {
	return apiError(node, failure.title, { ...failure.more, description: descriptionOf(failure) });
}

/** The error for a poll that failed, which says that the next poll continues. */
export function toPollError(node: INode, failure: Failure): NodeApiError {
	const isLate = failure.more.isCancelled && !failure.more.detail;
	const shown = isLate ? OUT_OF_TIME : failure;
	const { more } = shown;
	const advice = adviceFor(shown);
	const description = describe({ advice, progress: NOTHING_LOST, detail: more.detail });
	return apiError(node, shown.title, { ...more, description });
}

/** n8n polls again by itself. */
const NOTHING_LOST =
	'The next poll continues where the last successful poll ended. It can miss documents that were deleted or indexed again meanwhile.';

/** The failure of a request that was never sent. */
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
 * The options of an n8n error. n8n replaces a message that contains an error code of Node, such as EPERM, even inside a
 * file name, but not a message from `messageMapping`. The original message is CometChat's own. There is no `itemIndex`:
 * n8n's editor would add a second item number to the message, counted from 0.
 */
function optionsOf(message: string, parts: ErrorParts) {
	const { description, detail, cause, retryAfterMs } = parts;
	const original = detail ? detail : `${message}.`;
	return {
		message: original,
		messageMapping: { [original]: message },
		description,
		failure: cause && { cause, ...(retryAfterMs !== undefined && { retryAfterMs }) },
	};
}
