import type { RequestOptions } from '../requests/sendRequest';
import type { ServiceRequest } from '../requests/transport';
import { ApiError } from '../results/apiError';
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

/** The answer, or why there is none, for whoever goes on all the same. */
export async function attempt<Value>(
	client: ApiClient,
	...[request, read, options]: Parameters<typeof client.call<Value>>
): Promise<Value | ApiError> {
	return await client.call(request, read, options).catch((thrown: unknown) => {
		if (thrown instanceof ApiError) return thrown;
		throw thrown;
	});
}

/** Deletes for good. What the service does not know any more after an answer was lost is deleted. @throws ApiError */
export async function deleteFor(
	client: ApiClient,
	request: ServiceRequest,
	about: Asked['about'],
): Promise<void> {
	const answer = await attempt(client, { ...request, method: 'DELETE' }, success, { about });
	if (!(answer instanceof ApiError)) return;
	if (answer.more.effect !== 'unknown' || answer.more.unknown !== about) throw answer;
}
