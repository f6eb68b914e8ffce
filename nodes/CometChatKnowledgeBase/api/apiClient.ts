import type { RequestSubject } from '../http/apiError';
import { ApiError, toApiError } from '../http/apiError';
import type { RetryPolicy } from '../http/retryPolicy';
import type { ApiContext, RequestOptions } from '../http/sendRequest';
import { sendRequest } from '../http/sendRequest';
import type { ServiceRequest } from '../http/transport';
import { toResult, isFailure, mayHaveSucceeded } from '../text/failure';
import type { Json } from '../text/json';
import { success } from './shape';

/** Whoever sends requests for somebody: an item of a run, a poll, or a list in the editor. */
export interface ApiClient {
	/**
	 * @param read The answer's value; undefined if it is not the answer that the service documents.
	 * @throws ApiError
	 */
	call<Value>(
		request: ServiceRequest,
		read: (body: Json | undefined) => Value | undefined,
		options?: RequestOptions & RequestSubject,
	): Promise<Value>;
}

/** For a poll, or for whoever waits in the editor. */
export function clientOf(api: ApiContext): ApiClient {
	return {
		call: async (request, read, options) => {
			const sent = await sendRequest(api, request, read, options);
			if (sent.value !== undefined) return sent.value;
			throw toApiError(sent, options);
		},
	};
}

/** Whether CometChat has answered that it does not know what the request names. */
export function isUnknown(failure: unknown, about: RequestSubject['about']): failure is ApiError {
	if (!(failure instanceof ApiError)) return false;
	return failure.more.status === 404 && failure.more.unknown === about;
}

/**
 * Deletes permanently. What CometChat no longer knows after a response was lost is deleted.
 *
 * @param policy Left out: that of the execution.
 * @throws ApiError; one for which `isUnknown` holds if there was no such thing.
 */
export async function deleteFor(
	client: ApiClient,
	request: ServiceRequest,
	about: RequestSubject['about'],
	policy?: RetryPolicy,
): Promise<void> {
	const options = { ...policy, about };
	const answer = await toResult(client.call({ ...request, method: 'DELETE' }, success, options));
	if (isFailure(answer) && !(mayHaveSucceeded(answer) && isUnknown(answer, about))) throw answer;
}

/**
 * Sends several together, such as IDs. What is refused for what may be one of them is sent again in two halves, and so
 * on, until those that are refused stand alone: with k of them among n about 2 k log2 n more requests, and never as
 * many as 2 n.
 *
 * @returns Of each part, how the last request that had it ended.
 */
export async function sendBisecting<Entry, Answer>(
	entries: Entry[],
	send: (entries: Entry[]) => Promise<Answer>,
): Promise<Array<{ entries: Entry[]; answer: Answer | ApiError }>> {
	const answer = await toResult(send(entries));
	if (!isFailure(answer)) return [{ entries, answer }];
	if (!(answer instanceof ApiError)) throw answer;
	const mayBeOne = answer.more.concernsOneDocument === true && entries.length > 1;
	if (!mayBeOne) return [{ entries, answer }];
	const middle = Math.ceil(entries.length / 2);
	const first = await sendBisecting(entries.slice(0, middle), send);
	return [...first, ...(await sendBisecting(entries.slice(middle), send))];
}
