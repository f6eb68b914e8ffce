import type { ApiClient } from '../api/apiClient';
import { sendTogether } from '../api/apiClient';
import { success } from '../api/shape';
import type { Change } from '../api/agents';
import { knowledgeRequest } from '../api/agents';
import { isUnknownDocument } from '../api/documents';
import type { Failure } from '../text/failure';
import { toResult, isFailure } from '../text/failure';

/**
 * Our choice: CometChat documents no limit for the list. A hundred IDs make a body of about 4 KB, below CometChat's
 * limit of 10 KB for other POST bodies, and save nearly all requests.
 */
export const IDS_PER_CHANGE = 100;

/** The result of a change for each ID; undefined if the change is done. */
export type ChangeResults = Map<string, Failure | undefined>;

/** Adds documents to an agent, or removes them, in one request. @throws ApiError */
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

/** Whether a document is already removed, because it is unknown. A refusal of several IDs proves nothing. */
function isGone({ operation, uniqueIds }: Change, refusal: Failure): boolean {
	return operation === 'remove' && uniqueIds.length === 1 && isUnknownDocument(refusal);
}
