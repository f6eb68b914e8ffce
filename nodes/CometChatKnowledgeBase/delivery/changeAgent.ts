import type { ApiClient } from '../api/apiClient';
import { sendTogether } from '../api/apiClient';
import { success } from '../api/shape';
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

/** Attaches documents to an agent, or detaches them, in one request. @throws ApiError */
export async function sendChange(client: ApiClient, change: Change): Promise<undefined> {
	const answer = await toResult(client.call(knowledgeRequest(change), success));
	if (isFailure(answer) && !isGone(change, answer)) throw answer;
	return undefined;
}

/** As `sendChange`, and then one request for each ID if CometChat refuses the request because of one of them. */
export async function changeEach(
	client: ApiClient,
	change: Change,
	options?: Parameters<typeof sendTogether>[2],
): Promise<ChangeResults> {
	const send = async (uniqueIds: string[]) => await sendChange(client, { ...change, uniqueIds });
	return await sendTogether(change.uniqueIds, send, options);
}

/** Whether there is nothing to detach because CometChat no longer has the document. The refusal of several IDs proves this of none. */
function isGone({ operation, uniqueIds }: Change, refusal: Failure): boolean {
	return operation === 'remove' && uniqueIds.length === 1 && isUnknownDocument(refusal);
}
