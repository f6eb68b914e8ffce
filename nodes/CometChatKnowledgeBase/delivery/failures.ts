import { remedyIfUnreadable } from './remedies';
import { UserError } from '../text/failure';
import { joinLimited, quoted } from '../text/quoting';
import type { Delivery } from './delivery';
import { removesOldVersions } from './delivery';
import type { Plan } from './plan';

/** The failure of an item whose document exists. @param thing In words, such as `a text entry named "Hours"`. */
export function alreadyExists(
	thing: string,
	{ reason, found }: Pick<Extract<Plan, { action: 'refuse' }>, 'reason' | 'found'>,
	{ hasAgent, hint }: { hasAgent: boolean; hint: string },
): UserError {
	const isReported = reason === 'exists';
	const ids = joinLimited(found.map(({ uniqueId }) => uniqueId));
	return new UserError(
		`${isReported && hasAgent ? 'The agent' : 'CometChat'} already has ${thing} (ID ${ids})`,
		hint,
		{ cause: 'configuration-invalid', detail: isReported ? undefined : NOT_REPORTED },
	);
}

const NOT_REPORTED = "CometChat doesn't report whether the agent uses it.";

/** The failure of a document that was still indexing when the execution ended. */
export function stopped(): UserError {
	return new UserError(
		'The execution stopped while CometChat was indexing',
		"Check the status later with 'Document: Get Indexing Status'.",
		{ isCancelled: true },
	);
}

/** The failure of a document that CometChat could not index. */
export function unreadable(delivery: Delivery): UserError {
	const { name, uniqueId, sourceType } = delivery;
	const named = `${quoted(name)} (ID ${uniqueId})`;
	return new UserError(
		`CometChat couldn't index ${quoted(name)}`,
		remedyIfUnreadable(sourceType, { named, isReplacing: removesOldVersions(delivery) }),
		{ cause: 'configuration-invalid' },
	);
}

/** The failure of a deleted document that a late list contained, and that should replace another document. */
export function noLongerThere({ name, uniqueId }: Delivery): UserError {
	return new UserError(
		`${quoted(name)} (ID ${uniqueId}) was probably deleted in CometChat a moment ago`,
		'Run the workflow again later. No old version was removed.',
		{ cause: 'temporarily-unavailable' },
	);
}

/** The failure of a document that is still indexing after 'Indexing Timeout'. */
export function notFinished({ name, status }: Pick<Delivery, 'name' | 'status'>): UserError {
	return new UserError(
		"CometChat didn't finish indexing within 'Indexing Timeout (Minutes)'",
		"Check the status later with 'Document: Get Indexing Status'. For the next documents, increase 'Indexing Timeout (Minutes)' under Options.",
		{ detail: `The status of ${quoted(name)} is ${status}.`, cause: 'temporarily-unavailable' },
	);
}
