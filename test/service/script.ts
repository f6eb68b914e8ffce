import type { ReceivedRequest } from './log';
import type { Failure, Operation } from './routes';

/** A rule of misbehaviour. From status 400 on, the response is an error with `code`, `message` and `envelope`. */
export interface Rule extends Partial<Failure> {
	/** The requests of the rule, which must match all given values. Left out: any request. */
	for?: {
		uid?: string;
		operation?: Operation;
		sourceType?: string;
		/** One of the IDs in the request. */
		containsId?: string;
		/** One of the files, or the text, in the request. */
		fileName?: string;
	};
	/** The number of requests; 1 if left out, `Infinity` for all. */
	times?: number;
	/** The time for the response, instead of the service's own `latencyMs`. */
	latencyMs?: number;
	/** The value of the `Retry-After` header, unchanged. */
	retryAfter?: string;
	/** The raw text of the response. */
	body?: string;
	/** Makes another body from the usual body. With a `status` other than 2xx, `apply: true` is needed. */
	transform?: (body: unknown) => unknown;
	/** The `Content-Type` of `body`; JSON if left out. */
	contentType?: string;
	/** Closes the connection without a response, before or after the change. */
	drop?: 'beforeApplying' | 'afterApplying';
	/** Announces the complete body, sends half of it and closes the connection. */
	truncated?: boolean;
	/** Sends the headers and never the body; ends when the client closes the connection. */
	stall?: boolean;
	/** As `stall`, but sends a space at each interval, in milliseconds. */
	dripMs?: number;
	/** Whether the request is carried out; left out: just before a 2xx without the rule's own `body`. */
	apply?: boolean;
	/** Upload host: the speed at which the bytes are read. Left out: as fast as they arrive. */
	bytesPerSecond?: number;
	/** Upload host: follow the rule once this number of bytes has arrived. The others are read after the response. */
	afterBytes?: number;
}

/** The remaining rules, in order. */
export class Rules<Wanted extends { for?: object; times?: number }> {
	private rules: Array<{ rule: Wanted; left: number }> = [];

	/** Adds rules, each for one request unless it names a number. */
	add(rules: Wanted[]): void {
		this.rules.push(...rules.map((rule) => ({ rule, left: rule.times ?? 1 })));
	}

	reset(): void {
		this.rules = [];
	}

	/** Uses up one request of the first matching rule. In a list of names, one must match. */
	take(given: object): Wanted | undefined {
		const fits = ([name, wanted]: [string, unknown]) =>
			wanted === undefined || [Reflect.get(given, name)].flat().includes(wanted);
		const found = this.rules.find(
			({ rule, left }) => left > 0 && Object.entries(rule.for ?? {}).every(fits),
		);
		if (found !== undefined) found.left -= 1;
		return found?.rule;
	}
}

export class Script extends Rules<Rule> {
	override take(request: ReceivedRequest): Rule | undefined {
		const { uniqueIds: containsId, fileNames: fileName } = request;
		return super.take({ ...request, containsId, fileName });
	}
}
