import type { Account } from '../account/account';
import type { AttemptResult, Effect } from './attemptResult';
import { effectOf as effectOfChange, isSuccess } from './attemptResult';
import type { RateLimiter } from './rateLimiter';
import type { RetryPolicy } from './retryPolicy';
import { isRetryable } from './retryPolicy';
import type { Clock, SendResult } from './sendWithRetries';
import { sendWithRetries } from './sendWithRetries';
import type { Send, ServiceRequest } from './transport';
import type { Json } from '../values/json';

/** What talking to CometChat takes. */
export interface ApiContext {
	send: Send;
	limits: RetryPolicy & { timeoutMs: number };
	/** Whose key no message may hold. */
	account: Account;
	rateLimiter: RateLimiter;
	/** Is cancelled when the user stops the run, or when an item fails that ends it. */
	clock: Clock;
}

/** How one request is sent. */
export interface RequestOptions {
	/**
	 * Whether the request may be sent again when nobody knows whether it was carried out: `always`, if
	 * that does no harm; `never`, if it would make a second thing of the same kind.
	 */
	repeat?: 'always' | 'never';
	/** Left out: that of the run. */
	policy?: RetryPolicy;
	/** How long one attempt may take. Left out: that of the run. */
	timeoutMs?: number;
}

/**
 * Sends a request to CometChat until it is answered for good. The only place that does.
 *
 * @param read The answer's value; undefined if it is not the answer that the service documents, which
 *   then counts as no success.
 */
export async function sendRequest<Value>(
	{ send, limits, rateLimiter, clock }: ApiContext,
	request: ServiceRequest,
	read: (body: Json | undefined) => Value | undefined,
	{ repeat = 'always', policy = limits, timeoutMs = limits.timeoutMs }: RequestOptions = {},
): Promise<{ value?: Value; sendResult: SendResult }> {
	const valueOf = (reply: AttemptResult) => (isSuccess(reply) ? read(reply.body) : undefined);
	const effectOf = (reply: AttemptResult): Effect => {
		if (valueOf(reply) !== undefined) return 'applied';
		const effect = effectOfChange(reply);
		return effect === 'applied' ? 'unknown' : effect;
	};
	const sendResult = await sendWithRetries(
		async () => await send(request, timeoutMs),
		// What the service asks for it asks of all, however long this request itself would wait.
		{ maxPauseMs: limits.maxWaitMs, ...policy },
		{ rateLimiter, clock },
		{
			effectOf,
			isRetryable: (reply) =>
				isRetryable(reply) && (repeat === 'always' || effectOf(reply) === 'not applied'),
		},
	);
	const { lastResult } = sendResult;
	return { value: lastResult && valueOf(lastResult), sendResult };
}
