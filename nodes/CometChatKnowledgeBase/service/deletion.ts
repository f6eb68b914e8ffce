import { readSuccess } from './attachments';
import { readPathValue } from '../input/identifiers';
import { KNOWLEDGE_BASE } from './records';
import type { RetryPolicy } from '../requests/retryPolicy';
import type { ItemFailure } from '../results/apiError';
import { ApiError } from '../results/apiError';
import { isUnclear, unknown } from '../results/messages';
import type { ApiClient } from './apiClient';
import { readStatuses, statusRequest } from './statuses';
import { attempt } from './apiClient';

/**
 * Deletes for good; what is gone already after an answer was lost counts as deleted.
 *
 * @param policy Left out: as the user set it.
 */
export async function deleteOne(
	client: ApiClient,
	kind: string,
	uniqueId: string,
	policy?: RetryPolicy,
): Promise<true | ItemFailure> {
	// Here an ID is a part of the address, wherever it comes from.
	readPathValue(uniqueId, 'The ID of the file', 'Give the ID of the file.');
	const sent = await attempt(client, deleteRequest(kind, uniqueId), readSuccess, { policy });
	const answer = await clarified(client, uniqueId, sent, policy);
	const isGone = answer instanceof ApiError && answer.result.effect === 'unknown';
	return isGone && isUnknownFile(answer) ? true : answer;
}

/** Built on CometChat's public pages (`delete-uploaded-file`, `delete-text-detail`, `delete-website`), not tried. */
export function deleteRequest(kind: string, uniqueId: string) {
	return {
		method: 'DELETE' as const,
		url: `${KNOWLEDGE_BASE}/${kind}/${encodeURIComponent(uniqueId)}`,
	};
}

/** A 404 that does not say what it is about: whether the service has the file, the question for its status tells. */
async function clarified(
	client: ApiClient,
	uniqueId: string,
	answer: true | ApiError,
	policy?: RetryPolicy,
): Promise<true | ApiError> {
	if (answer === true || answer.result.explanation === undefined) return answer;
	const { explanation, ...result } = answer.result;
	if (!isUnclear(explanation)) return answer;
	const statuses = await attempt(client, statusRequest([uniqueId]), readStatuses, { policy });
	const isUnknown =
		statuses instanceof ApiError ? isUnknownFile(statuses) : !statuses.has(uniqueId);
	if (!isUnknown) return answer;
	return new ApiError({ ...result, explanation: unknown('document', explanation) });
}

/**
 * Whether the service has said that there is no such file: by its code, or when it was asked. The status
 * alone may as well be meant for an agent or an address.
 */
export function isUnknownFile(failure: ItemFailure): boolean {
	return failure instanceof ApiError && failure.result.explanation?.unknown === 'document';
}
