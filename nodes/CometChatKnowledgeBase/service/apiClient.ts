import type { RequestOptions } from '../requests/sendRequest';
import type { ServiceRequest } from '../requests/transport';
import type { RequestFailure } from '../results/itemFailure';
import type { Json } from '../values/json';

/** Whoever sends requests for somebody: an item of a run, or a poll. */
export interface ApiClient {
	/** @param read The answer's value; undefined if it is not the answer that the service documents. */
	call<Value>(
		request: ServiceRequest,
		read: (body: Json | undefined) => Value | undefined,
		/** `isSecret`: the answer holds upload addresses, and whoever has one may write there. */
		options?: RequestOptions & { isSecret?: boolean },
	): Promise<Value | RequestFailure>;
}
