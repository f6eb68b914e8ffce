import type { Arrival, LogEntry, Rule } from '../service/service';
import { RateLimiter } from '../service/rateLimit';
import { Script } from '../service/script';
import type { Circumstances } from './misbehaviour';
import type { Cause } from './rules';

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
	rules: Map<Rule, Cause>,
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
