import type { ApiClient } from '../api/apiClient';
import { success } from '../api/shape';
import { ApiError } from '../http/apiError';
import type { Change } from '../api/agents';
import { knowledgeRequest } from '../api/agents';
import { isUnknownDocument } from '../api/documents';
import type { Failure } from '../text/failure';
import { toResult, isFailure } from '../text/failure';

/**
 * CometChat documents no limit for the list. A hundred IDs make a body of about 4 KB: below the 10 KB that it names
 * for POST bodies elsewhere, and with nearly all of the time for a request saved.
 */
export const IDS_PER_CHANGE = 100;

/** The result of a change for each ID; undefined where the change is done. */
export type ChangeResults = Map<string, Failure | undefined>;

/** Attaches documents to an agent, or detaches them, in one request. */
export async function changeTogether(client: ApiClient, change: Change): Promise<ChangeResults> {
	const answer = await toResult(client.call(knowledgeRequest(change), success));
	const isDone = !isFailure(answer) || isGone(change, answer);
	return new Map(change.uniqueIds.map((id) => [id, isDone ? undefined : answer]));
}

/**
 * As `changeTogether`, and then one request for each ID if CometChat refuses the request because of one of them.
 *
 * @param endsAtFailure Whether the IDs after one that fails are not sent; they have no result then.
 */
export async function changeEach(
	client: ApiClient,
	change: Change,
	{ endsAtFailure = false } = {},
): Promise<ChangeResults> {
	const together = await changeTogether(client, change);
	const [refusal] = together.values();
	if (change.uniqueIds.length < 2 || !mayConcernOneDocument(refusal)) return together;
	const results: ChangeResults = new Map();
	for (const id of change.uniqueIds) {
		const result = (await changeTogether(client, { ...change, uniqueIds: [id] })).get(id);
		results.set(id, result);
		if (result !== undefined && endsAtFailure) break;
	}
	return results;
}

function mayConcernOneDocument(failure: Failure | undefined): boolean {
	if (!(failure instanceof ApiError)) return false;
	return failure.more.stopReason === 'answered' && failure.more.concernsOneDocument === true;
}

/** Whether there is nothing to detach because CometChat no longer has the document. The refusal of several IDs proves this of none. */
function isGone({ operation, uniqueIds }: Change, refusal: Failure): boolean {
	return operation === 'remove' && uniqueIds.length === 1 && isUnknownDocument(refusal);
}
