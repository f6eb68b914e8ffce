import type { ApiClient } from '../api/apiClient';
import type { RequestSubject } from '../http/apiError';
import { ApiError } from '../http/apiError';
import type { RequestOptions, SendResult } from '../http/sendRequest';
import type { ServiceRequest } from '../http/transport';
import type { Done, Failed, Fields, ItemState } from '../output/itemResult';
import { failed, NOTHING_CHANGED } from '../output/itemResult';
import type { Failure } from '../text/failure';
import { toResult, isFailure, mayHaveSucceeded } from '../text/failure';
import type { Json } from '../text/json';

/** The notes of an item for its result. */
type Log = Pick<Failed, 'attempts'> & Required<Pick<Done, 'created' | 'remarks' | 'warnings'>>;

/** The part of an item that every phase may write to. */
export type ItemLog = Pick<ItemContext, 'log' | 'count' | 'remark' | 'warn' | 'done' | 'failed'>;

/** An item: the requests that start its work, and the notes for its result. */
export class ItemContext implements ApiClient {
	readonly log: Log = { attempts: 0, created: [], remarks: [], warnings: [] };

	/** The state of the item if it fails now; set before a request that changes something. */
	state: ItemState = NOTHING_CHANGED;

	/** More fields for the row of a failed item: the documents that exist by now. */
	shown: Fields = {};

	constructor(private readonly client: ApiClient) {}

	async call<Value>(
		request: ServiceRequest,
		read: (body: Json | undefined) => Value | undefined,
		options: RequestOptions & RequestSubject = {},
	): Promise<Value> {
		const answer = await toResult(this.client.call(request, read, options));
		this.count(answer instanceof ApiError ? answer.more : { attempts: 1 });
		if (isFailure(answer)) throw answer;
		return answer;
	}

	/** Counts a request that `call` did not send, or that several items share. */
	count({ attempts }: Pick<SendResult, 'attempts'>): void {
		this.log.attempts = Math.max(this.log.attempts, attempts);
	}

	remark(text: string): void {
		this.log.remarks.push(text);
	}

	warn(text: string): void {
		this.log.warnings.push(text);
	}

	done(json: Fields[]) {
		return { kind: 'succeeded' as const, json, ...this.log };
	}

	/** @param requested The fields that the item asked for, and their state. */
	failed(failure: Failure, requested: Fields, state: ItemState): Failed {
		if (failure instanceof ApiError) this.count(failure.more);
		const { attempts, created } = this.log;
		return failed(failure, { requested, state, attempts, created });
	}
}

/**
 * Returns the response to a request that changes something. If the request failed, sets the state of the item.
 *
 * @param said The states after a refusal and after a lost response, and the hint for a lost response if the item must
 *   not simply be run again.
 */
export async function changing<Value>(
	item: ItemContext,
	request: Promise<Value>,
	said: { not: string; unknown: string; hint?: string },
): Promise<Value> {
	const answer = await toResult(request);
	if (!isFailure(answer)) return answer;
	item.state = mayHaveSucceeded(answer)
		? { effect: 'unknown', detail: said.unknown, hint: said.hint }
		: { effect: 'not applied', detail: said.not };
	throw answer;
}
