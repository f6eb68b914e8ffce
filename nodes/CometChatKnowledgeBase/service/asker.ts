import type { RetryPolicy } from '../requests/retryPolicy';
import type { ServiceRequest } from '../requests/transport';
import type { RequestFailure } from '../results/itemFailure';

/** How one request is sent. */
export interface RequestOptions {
	/**
	 * Whether the request may be sent again when nobody knows whether it was carried out: `always`, if
	 * that does no harm; `never`, if it would make a second thing of the same kind.
	 */
	repeat?: 'always' | 'never';
	/** Left out: as the user set it. */
	policy?: RetryPolicy;
	/** Whether the answer holds upload addresses: whoever has one may write there. */
	isSecret?: boolean;
}

/** Whoever sends requests for somebody: an item of a run, or a poll. */
export interface ApiClient {
	/** @param read The answer's value; undefined if it is not the answer that the service documents. */
	request<Value>(
		request: ServiceRequest,
		read: (body: unknown) => Value | undefined,
		manner?: RequestOptions,
	): Promise<Value | RequestFailure>;
}
