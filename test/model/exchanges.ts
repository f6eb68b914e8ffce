import type { Arrival, LogEntry, Rule } from '../service/service';
import { RateLimiter } from '../service/rateLimit';
import { Script } from '../service/script';
import type { Circumstances, Says } from './serviceBehaviour';
import type { Cause } from './serviceRules';
import { canHideEffect, namedMoment } from './serviceRules';

/** One request, and what the stand-in made of it. */
export interface Exchange {
	arrival: Arrival;
	/** The files in it. */
	ids: string[];
	/** Undefined if it never ended. */
	end?: Exclude<LogEntry, Arrival>;
	/** Whether what it asks for was done. */
	applied: boolean;
	/** Which misbehaviour it met. */
	cause?: Cause;
	/** The headers of the rate limit's refusal. */
	limitHeaders?: Record<string, string>;
}

/** Which misbehaviour each request met, by the stand-in's own script and rate limit played again. */
export function exchangesOf(
	log: LogEntry[],
	rules: Map<Rule, Cause | undefined>,
	scenario: Circumstances,
): Exchange[] {
	const script = new Script();
	script.add([...rules.keys()]);
	const limiter = new RateLimiter(scenario.rateLimit);
	const exchanges = new Map<number, Exchange>();
	for (const entry of log) {
		if (entry.kind === 'arrived') {
			// The upload host has no limit.
			const limited = entry.host === 'api' ? limiter.take(entry.atMs) : undefined;
			const rule = limited ? undefined : script.take(entry);
			exchanges.set(entry.request, {
				arrival: entry,
				ids: entry.uniqueIds ?? [],
				applied: false,
				cause: rule && rules.get(rule),
				limitHeaders: limited?.headers,
			});
			continue;
		}
		const exchange = exchanges.get(entry.request);
		if (exchange === undefined) continue;
		exchange.end = entry;
		exchange.applied = entry.applied;
	}
	return [...exchanges.values()];
}

/** The most that were under way at once; a request that the client gave up ends before the next. */
export function mostUnderWay(log: LogEntry[]): number {
	const underWay = new Set<number>();
	let most = 0;
	for (const [place, { kind, request, atMs }] of log.entries()) {
		if (kind !== 'arrived') {
			underWay.delete(request);
			continue;
		}
		const givenUp = log
			.slice(place)
			.filter((later) => later.kind === 'aborted' && later.atMs === atMs)
			.filter((later) => underWay.has(later.request)).length;
		underWay.add(request);
		most = Math.max(most, underWay.size - givenUp);
	}
	return most;
}

/** What an answer says to a client that reads the contract. */
export type Meaning =
	| 'done'
	| 'refused'
	/** No answer, half of one, or one after which nobody can know. */
	| 'uncertain'
	/** Both 'done' and 'uncertain' are right. */
	| 'done or uncertain';

/** Statuses after which a request is sent again, as docs/behaviour.md says. */
const REPEATED = [408, 429, 500, 502, 503, 504];

export function meaningOf(exchange: Exchange): Meaning {
	const { end, cause } = exchange;
	if (end?.kind !== 'answered') return 'uncertain';
	const { status } = end;
	if (status >= 300) return canHideEffect(status) ? 'uncertain' : 'refused';
	switch (exchange.arrival.operation) {
		case 'upload':
			// Of the upload host nothing is known but what any host means by a success.
			return cause && 'given' in cause && cause.given.kind === 'body'
				? meaningOfBody(cause.given.says)
				: 'done';
		case 'initiate':
		case 'createText':
		case 'createAgent':
		case 'sendMessage':
		case 'thread':
		case 'chat':
		case 'poll':
		case 'records':
		case 'list':
		case 'agent':
		case 'getText':
		case 'listTexts':
		case 'pages':
		case 'discoveredUrls':
			return meaningOfValue(exchange, status);
		default:
	}
	if (cause && 'bad' in cause) return 'refused';
	if (cause?.given.kind === 'denied') return deniedBy(cause.given.success);
	if (cause?.given.kind === 'body') return meaningOfBody(cause.given.says);
	return meaningOfSuccess(exchange, status);
}

function meaningOfBody(says: Says): Meaning {
	switch (says) {
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

function meaningOfSuccess({ applied }: Exchange, status: number): Meaning {
	if (status === 204) return 'uncertain';
	// A success without its body is told by no client from one with it; 205 has none by HTTP.
	if (status === 205) return applied ? 'done or uncertain' : 'uncertain';
	return applied ? 'done' : 'uncertain';
}

/** Only false says that it was not done; what is neither that nor true says nothing. */
function deniedBy(success: unknown): Meaning {
	return success === false ? 'refused' : 'uncertain';
}

/** Of a request that asks for a value: without the value, nothing is known. */
function meaningOfValue(exchange: Exchange, status: number): Meaning {
	const { cause, arrival } = exchange;
	const given = cause && 'given' in cause ? cause.given : undefined;
	if (given?.kind === 'astray') return 'done';
	if (given?.kind === 'denied') return deniedBy(given.success);
	if (given?.kind === 'reshaped') return 'uncertain';
	if (given?.kind === 'body') return given.says === 'refused' ? 'refused' : 'uncertain';
	if (arrival.operation === 'initiate' || isMaking(arrival.operation)) {
		return meaningOfSuccess(exchange, status);
	}
	// What only looks changes nothing.
	return meaningOfSuccess({ ...exchange, applied: true }, status);
}

/** Whether a request makes something of which there may be two. */
function isMaking(operation: Arrival['operation']): boolean {
	const all = ['createText', 'createAgent', 'sendMessage', 'crawl', 'processUrls'];
	return all.some((making) => making === operation);
}

/** Whether an answer makes the node send the request again, if it has attempts left. */
export function isRepeated({ arrival, end }: Exchange): boolean {
	// It could then be there twice: only what surely was not taken is sent again.
	if (isMaking(arrival.operation)) return end?.kind === 'answered' && end.status === 429;
	return end?.kind !== 'answered' || REPEATED.includes(end.status);
}

/** The moment before which an answer asks to send nothing, on the node's clock. */
export function notBeforeMs(
	exchange: Exchange,
	{ scenario: { serviceAheadMs } }: { scenario: Circumstances },
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
