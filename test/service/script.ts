import type { Operation } from './address';
import type { ReceivedRequest } from './log';
import type { Envelope } from './refusal';
import { RuleList } from './ruleList';

/**
 * One step of misbehaviour. A rule says only what differs from good behaviour; what it leaves out
 * goes as usual.
 */
export interface Rule {
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
	/** Answers with this status; from 400 on with an error body made of `code` and `message`. */
	status?: number;
	code?: string;
	message?: string;
	/**
	 * The shape of that error body; left out: the gateway's for 401, 403 and 429, else the service's.
	 * The upload host speaks XML whatever this says.
	 */
	envelope?: Envelope;
	/** Put into the `Retry-After` header as it is. */
	retryAfter?: string;
	headers?: Record<string, string>;
	/** The raw text to answer with. */
	body?: string;
	/**
	 * Makes another body of the usual one, which stays true: the change is made as usual, and an
	 * address to upload to is good. A text is sent as it is, anything else as JSON. It may remember
	 * what it was given before. An `apply: true` is needed beside a `status` that is no 2xx.
	 */
	transform?: (body: unknown) => unknown;
	/** The `Content-Type` of `body`; JSON if left out. */
	contentType?: string;
	/** Closes the connection without an answer, having changed the files or not. */
	drop?: 'beforeApplying' | 'afterApplying';
	/** Announces the whole body, sends half of it and closes the connection. */
	truncated?: boolean;
	/** Sends the headers and never the body; ends when the client closes the connection. */
	stall?: boolean;
	/** Sends the headers, then white space for ever, a byte each so many milliseconds; ends like `stall`. */
	dripMs?: number;
	/**
	 * Whether an otherwise good request changes the files. `true`: at once, before any latency, so
	 * that they are changed even if the client does not wait. Left out: just before the answer, and
	 * only if that is a 2xx without a `body` of the rule's own.
	 */
	apply?: boolean;
	/** Upload host: how fast the bytes are read. Left out: as fast as they come. */
	bytesPerSecond?: number;
	/**
	 * Upload host: do what the rule says as soon as so many bytes have come, or what a service does
	 * that gets no more of them. The rest is read and forgotten after the answer. While `latencyMs`
	 * lasts nothing is read, so that the client gets stuck, and its leaving is not noticed.
	 */
	afterBytes?: number;
}

export class Script extends RuleList<Rule, ReceivedRequest> {
	constructor() {
		super(isFor);
	}
}

function isFor({ for: wanted = {} }: Rule, request: ReceivedRequest): boolean {
	const { containsId, fileName, uid, operation, sourceType } = wanted;
	return (
		(uid === undefined || uid === request.uid) &&
		(operation === undefined || operation === request.operation) &&
		(sourceType === undefined || sourceType === request.sourceType) &&
		(containsId === undefined || (request.uniqueIds ?? []).includes(containsId)) &&
		(fileName === undefined || (request.fileNames ?? []).includes(fileName))
	);
}
