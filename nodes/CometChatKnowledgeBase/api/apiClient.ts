import type { RequestSubject } from '../http/apiError';
import { ApiError, toApiError } from '../http/apiError';
import type { RetryPolicy } from '../http/retryPolicy';
import type { ApiContext, RequestOptions } from '../http/sendRequest';
import { sendRequest } from '../http/sendRequest';
import type { ServiceRequest } from '../http/transport';
import type { Failure } from '../text/failure';
import { toResult, isFailure, mayHaveSucceeded } from '../text/failure';
import type { Json } from '../text/json';
import { success } from './shape';

/** Sends the requests of an item, a poll or a list in the editor. */
export interface ApiClient {
	/**
	 * @param read Reads the value from the response; undefined if the response is not the documented one.
	 * @throws ApiError
	 */
	call<Value>(
		request: ServiceRequest,
		read: (body: Json | undefined) => Value | undefined,
		options?: RequestOptions & RequestSubject,
	): Promise<Value>;
}

/** The client of a poll or of a list in the editor. */
export function clientOf(api: ApiContext): ApiClient {
	return {
		call: async (request, read, options) => {
			const sent = await sendRequest(api, request, read, options);
			if (sent.value !== undefined) return sent.value;
			throw toApiError(sent, options);
		},
	};
}

/** Whether CometChat responded that the named object doesn't exist. */
export function isUnknown(failure: unknown, about: RequestSubject['about']): failure is ApiError {
	if (!(failure instanceof ApiError)) return false;
	return failure.more.status === 404 && failure.more.unknown === about;
}

/**
 * Deletes permanently. After a lost response, an object that CometChat then doesn't know is deleted.
 *
 * @throws ApiError
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

/** After this many documents in a row with the refusal of the bundle, the reason is none of the documents. */
const MOST_REFUSED_IN_A_ROW = 3;

/**
 * Sends the IDs of several documents together, and then one by one if CometChat refuses the bundle because of one of
 * them.
 *
 * @param endsAtFailure Whether the IDs after a failed ID are not sent. They have no response then.
 */
export async function sendTogether<Answer>(
	ids: readonly string[],
	send: (ids: string[]) => Promise<Answer>,
	{ endsAtFailure = false } = {},
): Promise<Map<string, Answer | Failure>> {
	const together = await toResult(send([...ids]));
	if (ids.length < 2 || !isFailure(together) || !mayConcernOneDocument(together)) {
		return new Map(ids.map((id) => [id, together]));
	}
	const answers = new Map<string, Answer | Failure>();
	let refusedInARow = 0;
	for (const id of ids) {
		const isFutile = refusedInARow >= MOST_REFUSED_IN_A_ROW;
		const answer = isFutile ? together : await toResult(send([id]));
		answers.set(id, answer);
		if (!isFailure(answer)) refusedInARow = 0;
		else if (endsAtFailure) break;
		else if (isSameRefusal(answer, together)) refusedInARow += 1;
	}
	return answers;
}

function mayConcernOneDocument(failure: Failure): boolean {
	if (!(failure instanceof ApiError)) return false;
	return failure.more.stopReason === 'answered' && failure.more.concernsOneDocument === true;
}

/** Whether a document fails for the same reason as the bundle. An unknown document is a reason of its own. */
function isSameRefusal({ more }: Failure, together: Failure): boolean {
	const isSame = more.status === together.more.status && more.code === together.more.code;
	return isSame && !isUnknown(together, 'document');
}
