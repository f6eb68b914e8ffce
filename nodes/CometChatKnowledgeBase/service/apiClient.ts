import type { RequestOptions } from '../requests/sendRequest';
import type { ServiceRequest } from '../requests/transport';
import { ApiError, caught, isItemFailure, mayBeDone } from '../results/apiError';
import type { Asked } from '../results/messages';
import type { Json } from '../values/json';
import { success } from './shape';

/** Whoever sends requests for somebody: an item of a run, or a poll. */
export interface ApiClient {
	/**
	 * @param read The answer's value; undefined if it is not the answer that the service documents.
	 * @throws ApiError
	 */
	call<Value>(
		request: ServiceRequest,
		read: (body: Json | undefined) => Value | undefined,
		options?: RequestOptions & Asked,
	): Promise<Value>;
}

/** Deletes for good. What the service does not know any more after an answer was lost is deleted. @throws ApiError */
export async function deleteFor(
	client: ApiClient,
	request: ServiceRequest,
	about: Asked['about'],
): Promise<void> {
	const answer = await caught(client.call({ ...request, method: 'DELETE' }, success, { about }));
	if (!isItemFailure(answer)) return;
	const isGone = answer instanceof ApiError && mayBeDone(answer) && answer.more.unknown === about;
	if (!isGone) throw answer;
}
