import type { ReceivedRequest } from './log';
import type { Failure, Operation } from './routes';

/**
 * One step of misbehaviour: what differs from good behaviour. What a rule leaves out goes as usual. From
 * status 400 on it answers with an error made of `code`, `message` and `envelope`.
 */
export interface Rule extends Partial<Failure> {
	/** Which requests it is for; all that are given must fit. Left out: any request. */
	for?: {
		uid?: string;
		operation?: Operation;
		sourceType?: string;
		/** One of the IDs that the request names. */
		containsId?: string;
		/** One of the files, or the text, that the request brings. */
		fileName?: string;
	};
	/** How many requests it is for; 1 if left out, `Infinity` for all. */
	times?: number;
	/** How long the answer takes; replaces the service's own `latencyMs`. */
	latencyMs?: number;
	/** Put into the `Retry-After` header as it is. */
	retryAfter?: string;
	/** The raw text to answer with. */
	body?: string;
	/**
	 * Makes another body of the usual one, which stays true: the change is made as usual. A text is sent
	 * as it is, anything else as JSON. An `apply: true` is needed beside a `status` that is no 2xx.
	 */
	transform?: (body: unknown) => unknown;
	/** The `Content-Type` of `body`; JSON if left out. */
	contentType?: string;
	/** Closes the connection without an answer, having done what was asked or not. */
	drop?: 'beforeApplying' | 'afterApplying';
	/** Announces the whole body, sends half of it and closes the connection. */
	truncated?: boolean;
	/** Sends the headers and never the body; ends when the client closes the connection. */
	stall?: boolean;
	/** As `stall`, but for white space: a byte each so many milliseconds. */
	dripMs?: number;
	/**
	 * Whether what was asked is done. `true`: at once, even if the client does not wait. Left out: just
	 * before the answer, and only if that is a 2xx without a `body` of the rule's own.
	 */
	apply?: boolean;
	/** Upload host: how fast the bytes are read. Left out: as fast as they come. */
	bytesPerSecond?: number;
	/**
	 * Upload host: do what the rule says as soon as so many bytes have come. The rest is read and forgotten
	 * after the answer; while `latencyMs` lasts nothing is read, and the client's leaving is not noticed.
	 */
	afterBytes?: number;
}

/** Rules still to be used up, in order. */
export class Rules<Wanted extends { for?: object; times?: number }> {
	private rules: Array<{ rule: Wanted; left: number }> = [];

	/** A rule is good for one turn, unless it says for how many. */
	add(rules: Wanted[]): void {
		this.rules.push(...rules.map((rule) => ({ rule, left: rule.times ?? 1 })));
	}

	reset(): void {
		this.rules = [];
	}

	/** Uses up one turn of the first rule that fits: in all that it names; of a list, one entry has to. */
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
