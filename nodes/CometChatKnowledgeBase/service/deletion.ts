import { success } from './shape';
import { readId } from '../input/ids';
import { KNOWLEDGE_BASE } from './documents';
import type { RetryPolicy } from '../requests/retryPolicy';
import type { ItemFailure } from '../results/apiError';
import {
	ApiError,
	caught,
	isItemFailure,
	isUnclear,
	mayBeDone,
	unknown,
} from '../results/apiError';
import type { ApiClient } from './apiClient';
import { readStatuses, statusRequest } from './statuses';

/**
 * Deletes for good; what is gone already after an answer was lost counts as deleted.
 *
 * @param policy Left out: as the user set it.
 * @throws ApiError; one for which `isUnknownFile` holds if there was no such document.
 */
export async function deleteOne(
	client: ApiClient,
	kind: string,
	uniqueId: string,
	policy?: RetryPolicy,
): Promise<void> {
	// Here an ID is a part of the address, wherever it comes from.
	readId(uniqueId, { label: 'The ID of the file', hint: 'Give the ID of the file.' });
	const answer = await caught(client.call(deleteRequest(kind, uniqueId), success, { policy }));
	if (!isItemFailure(answer)) return;
	const refusal = await clarified(client, uniqueId, answer, policy);
	if (!mayBeDone(refusal) || !isUnknownFile(refusal)) throw refusal;
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
	refusal: ItemFailure,
	policy?: RetryPolicy,
): Promise<ItemFailure> {
	if (!(refusal instanceof ApiError) || !isUnclear(refusal.more)) return refusal;
	const statuses = await caught(client.call(statusRequest([uniqueId]), readStatuses, { policy }));
	const isUnknown = isItemFailure(statuses) ? isUnknownFile(statuses) : !statuses.has(uniqueId);
	return isUnknown ? unknown('document', refusal) : refusal;
}

/**
 * Whether the service has said that there is no such file: by its code, or when it was asked. The status
 * alone may as well be meant for an agent or an address.
 */
export function isUnknownFile(failure: ItemFailure): failure is ApiError {
	if (!(failure instanceof ApiError)) return false;
	return failure.more.status === 404 && failure.more.unknown === 'document';
}
