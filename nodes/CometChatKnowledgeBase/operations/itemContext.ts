import type { ApiClient } from '../api/apiClient';
import type { RequestSubject } from '../http/apiError';
import { ApiError } from '../http/apiError';
import type { OptionValues } from '../fields/field';
import type { RequestOptions, SendResult } from '../http/sendRequest';
import type { ServiceRequest } from '../http/transport';
import type { Done, Failed, Fields, ItemState } from '../output/itemResult';
import { failed, NOTHING_CHANGED } from '../output/itemResult';
import type { Failure } from '../text/failure';
import { toResult, isFailure, mayHaveSucceeded } from '../text/failure';
import type { Json } from '../text/json';

/** That of an item which gives a list. */
export const LIST_BROKEN_OFF: ItemState = {
	effect: 'not applied',
	detail: 'The list could not be read to its end.',
};

/** What an item's result says about the work for it. */
type Log = Pick<Failed, 'attempts'> & Required<Pick<Done, 'created' | 'remarks' | 'warnings'>>;

/** The part of an item that every phase may write to. */
export type ItemLog = Pick<ItemContext, 'log' | 'count' | 'remark' | 'warn' | 'done' | 'failed'>;

/** An item: the requests that start its work, and what its result says. */
export class ItemContext implements ApiClient {
	readonly log: Log = { attempts: 0, created: [], remarks: [], warnings: [] };

	/** How things stand with the item if it fails now; set before a request that changes something. */
	state: ItemState = NOTHING_CHANGED;

	/** What a failed item shows beside what it asked for: what exists by now. */
	shown: Fields = {};

	/** @param option The item's entries of 'Options'; what is asked for no item has their defaults. */
	constructor(
		private readonly client: ApiClient,
		readonly option: OptionValues = ({ ifNotSet }) => ifNotSet,
	) {}

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

	/** Counts a request that went another way, or one that several items share. */
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

	/** @param requested What the item asked for, and how far that came. */
	failed(failure: Failure, requested: Fields, state: ItemState): Failed {
		if (failure instanceof ApiError) this.count(failure.more);
		const { attempts, created } = this.log;
		return failed(failure, { requested, state, attempts, created });
	}
}

/**
 * What comes of a request that changes something; of one that failed, the item says how things stand.
 *
 * @param said If it was refused; if its answer was lost, and how to go on then, where running the item again is not
 *   the way.
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
