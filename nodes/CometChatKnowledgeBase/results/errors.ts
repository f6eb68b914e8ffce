import type { INode, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import type { ValidationIssue } from '../values/validationIssue';
import type { Explanation } from './messages';
import type { Failed, ItemResult } from './itemResult';
import { headline, sentences } from './itemResult';
import { stopReport } from './hints';

/**
 * The error that stops a run: which item, what happened, what to do, and what became of the others.
 *
 * @param itemIndex Undefined for what no input item asked for.
 * @param itemResults One for each input item, in input order.
 */
export function stopped(
	node: INode,
	failed: Failed,
	itemIndex: number | undefined,
	itemResults: ItemResult[],
): NodeApiError | NodeOperationError {
	const report = stopReport(itemResults, itemIndex);
	const message = `${headline(failed, itemIndex)}${report.short}`;
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
export function refused(node: INode, { what, remedy }: ValidationIssue): NodeOperationError {
	return new NodeOperationError(node, what, {
		description: `Nothing was sent. ${remedy}`,
		failure: { cause: 'configuration-invalid' },
	});
}

/** A list that CometChat did not give. */
export function unanswered(
	node: INode,
	{ what, again = '', remedy, said, status }: Explanation,
): NodeApiError {
	const description = sentences(said, again, remedy);
	const options = { message: what, description, httpCode: status?.toString() };
	return new NodeApiError(node, { message: said }, options);
}

/** What n8n shows under 'Error details' and hands to error workflows. */
function answerOf({ what, said, code, status }: Failed): JsonObject {
	const message = said ?? what;
	return { message, ...(code ? { code } : {}), ...(status ? { statusCode: status } : {}) };
}

function toFailure({ cause, retryAfterMs }: Failed) {
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
