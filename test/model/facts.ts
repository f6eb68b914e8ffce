import type { Exchange, Played } from './play';
import { canHideEffect, namedMoment } from './rules';

/** What an answer says to a client that reads the contract. */
export type Meaning =
	| 'done'
	| 'refused'
	/** No answer, half of one, or one after which nobody can know. */
	| 'uncertain'
	/** Both 'done' and 'uncertain' are right. */
	| 'done or uncertain';

/** Statuses after which a request is sent again, as the README says. */
export const REPEATED = [408, 429, 500, 502, 503, 504];

export function meaningOf({ end, cause, applied }: Exchange): Meaning {
	if (end?.kind !== 'answered') return 'uncertain';
	const { status } = end;
	if (status >= 300) return canHideEffect(status) ? 'uncertain' : 'refused';
	if (cause && 'bad' in cause) return 'refused';
	if (cause?.given.kind === 'body') {
		switch (cause.given.says) {
			case 'done':
				return 'done';
			case 'refused':
				return 'refused';
			case 'nothing':
				return 'uncertain';
			case 'either':
				return 'done or uncertain';
		}
	}
	if (status === 204) return 'uncertain';
	// A success without its body is told by no client from one with it; 205 has none by HTTP.
	if (status === 205) return applied ? 'done or uncertain' : 'uncertain';
	return applied ? 'done' : 'uncertain';
}

/** Whether an answer makes the node send the request again, if it has attempts left. */
export function isRepeated({ end }: Exchange): boolean {
	return end?.kind !== 'answered' || REPEATED.includes(end.status);
}

/** The moment before which an answer asks to send nothing, on the node's clock. */
export function notBeforeMs(
	exchange: Exchange,
	{ scenario: { serviceAheadMs } }: Played,
): number | undefined {
	const { end, cause, limitHeaders } = exchange;
	if (end?.kind !== 'answered' || !REPEATED.includes(end.status)) return undefined;
	if (limitHeaders) return limitMoment(limitHeaders, exchange.arrival.atMs, end.atMs);
	if (!cause || !('given' in cause) || cause.given.kind !== 'status') return undefined;
	const moment = namedMoment(cause.given, end.atMs + serviceAheadMs);
	return moment === undefined ? undefined : moment - serviceAheadMs;
}

/** The headers were made when the request arrived; seconds count from when the answer came. */
function limitMoment(
	headers: Record<string, string>,
	arrivedAtMs: number,
	answeredAtMs: number,
): number | undefined {
	const retryAfter = headers['Retry-After'];
	if (retryAfter !== undefined) {
		const isSeconds = /^\d+$/.test(retryAfter);
		return isSeconds ? answeredAtMs + Number(retryAfter) * 1000 : Date.parse(retryAfter);
	}
	const reset = headers['X-RateLimit-Reset'];
	return reset === undefined ? arrivedAtMs : Number(reset) * 1000;
}
