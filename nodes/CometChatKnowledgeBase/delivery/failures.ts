import { remedyIfUnreadable } from './remedies';
import { UserError } from '../text/failure';
import { quoted } from '../text/quoting';
import type { Delivery } from './delivery';

/** The failure of a document that was still indexing when the execution ended. */
export function stopped(): UserError {
	return new UserError(
		'The execution stopped while CometChat was indexing',
		"Check the status later with 'Document: Get Indexing Status'.",
		{ isCancelled: true },
	);
}

/** The failure of a document that CometChat could not index. */
export function unreadable({ name, uniqueId, sourceType }: Delivery): UserError {
	return new UserError(
		`CometChat couldn't index ${quoted(name)}`,
		remedyIfUnreadable(sourceType, `${quoted(name)} (ID ${uniqueId})`),
		{ cause: 'configuration-invalid' },
	);
}

/** The failure of a deleted document that a late list contained, and that should replace another document. */
export function noLongerThere({ name, uniqueId }: Delivery): UserError {
	return new UserError(
		`CometChat lists ${quoted(name)}, but does not know its ID`,
		'Run the workflow again later. The document was probably deleted, and the list is not up to date.',
		{
			detail: `The ID is ${uniqueId}. The old version was kept.`,
			cause: 'temporarily-unavailable',
		},
	);
}

/** The failure of a document that is still indexing after 'Indexing Timeout'. */
export function notFinished({ name, status }: Delivery): UserError {
	return new UserError(
		"CometChat did not finish indexing within 'Indexing Timeout (Minutes)'",
		"Check the status later with 'Document: Get Indexing Status', or increase 'Indexing Timeout (Minutes)' under Options.",
		{ detail: `The status of ${quoted(name)} is ${status}.`, cause: 'temporarily-unavailable' },
	);
}
