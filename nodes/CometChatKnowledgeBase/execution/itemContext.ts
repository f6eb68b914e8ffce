import type { ApiContext, RequestOptions, SendResult } from '../requests/sendRequest';
import { sendRequest } from '../requests/sendRequest';
import type { ServiceRequest } from '../requests/transport';
import type { ItemFailure } from '../results/apiError';
import { ApiError, caught, isItemFailure, mayBeDone } from '../results/apiError';
import type { CreatedRecord, Failed, Fields } from '../results/itemResult';
import { failed } from '../results/failure';
import type { Asked } from '../results/messages';
import { toRequestResult } from '../results/messages';
import type { ItemState } from '../results/progress';
import type { ApiClient } from '../service/apiClient';
import type { StoppableContext } from './operation';
import type { Json } from '../values/json';

export type { ItemState };

/** That of an item which only asks. */
export const NOTHING_CHANGED: ItemState = {
	effect: 'not applied',
	detail: 'Nothing was changed.',
};

/** That of an item which gives a list. */
export const LIST_BROKEN_OFF: ItemState = {
	effect: 'not applied',
	detail: 'The list could not be read to its end.',
};

/** The requests of one item, one after another, and what has become of it. */
export class ItemContext implements ApiClient {
	private attempts = 0;

	private readonly created: CreatedRecord[] = [];

	private readonly names = new Map<string, string>();

	private readonly leftovers: CreatedRecord[] = [];

	private readonly remarks: string[] = [];

	private readonly warnings: string[] = [];

	private isFinishing = false;

	/** How things stand with the item if it fails now; set before a request that changes something. */
	state: ItemState = NOTHING_CHANGED;

	/** What a failed item shows beside what it asked for: what exists by now. */
	shown: Fields = {};

	constructor(private readonly run: StoppableContext) {}

	async call<Value>(
		request: ServiceRequest,
		read: (body: Json | undefined) => Value | undefined,
		options: RequestOptions & Asked = {},
	): Promise<Value> {
		const { value, sendResult } = await sendRequest(this.api, request, read, options);
		this.count(sendResult);
		if (value !== undefined) return value;
		throw new ApiError(toRequestResult(sendResult, this.run.account, options));
	}

	/** What its requests are sent with. */
	get api(): ApiContext {
		const { clock, finishingClock } = this.run;
		return { ...this.run, clock: this.endedBy === 'the run' ? clock : finishingClock };
	}

	/** What ends it: a failure of another item that ends the run, or nobody but the user. */
	get endedBy(): 'the run' | 'the user' {
		return this.isFinishing ? 'the user' : 'the run';
	}

	/** From here on the item goes to its end, although others fail; only the user stops it. */
	finish(): void {
		this.isFinishing = true;
	}

	/** Counts a request that went another way. */
	count({ attempts }: Pick<SendResult, 'attempts'>): void {
		this.attempts = Math.max(this.attempts, attempts);
	}

	/** Counts the requests that several items share as this item's own, too. */
	include({ attempts }: ItemContext): void {
		this.count({ attempts });
	}

	/** Notes what has arrived in the service. */
	noteCreated(created: CreatedRecord): void {
		this.created.push(created);
		this.noteName(created.uniqueId, created.name);
	}

	/** Notes how a person calls what was there before. */
	noteName(uniqueId: string, name: string): void {
		this.names.set(uniqueId, name);
	}

	/** How a person calls what this item has to do with, as far as that was noted; otherwise its ID. */
	nameOf(uniqueId: string): string {
		return this.names.get(uniqueId) ?? uniqueId;
	}

	/** Notes an entry without content that could not be taken away again. */
	noteLeftover(entry: CreatedRecord): void {
		this.leftovers.push(entry);
	}

	/** Notes what someone should know although the item has not failed, in a clause. */
	remark(text: string): void {
		this.remarks.push(text);
	}

	/** Notes what needs somebody who does something although the item has not failed, in a clause. */
	warn(text: string): void {
		this.warnings.push(text);
	}

	done(json: Fields[]) {
		const { attempts, created, leftovers, remarks, warnings } = this;
		return { kind: 'succeeded' as const, json, attempts, created, leftovers, remarks, warnings };
	}

	/** @param requested What the item asked for, and how far that came. */
	failed(failure: ItemFailure, requested: Fields, state: ItemState): Failed {
		const { attempts, created, leftovers } = this;
		return failed(failure, { requested, state, attempts, created, leftovers });
	}
}

/** What is said of a change that has failed. */
interface Change {
	/** If it was refused. */
	not: string;
	/** If its answer was lost. */
	unknown: string;
	/** How to go on then, where running the item again is not the way. */
	hint?: string;
}

/** What comes of a request that changes something; of one that failed, the item says how things stand. */
export async function changing<Value>(
	item: ItemContext,
	request: Promise<Value>,
	{ not, unknown, hint }: Change,
): Promise<Value> {
	const answer = await caught(request);
	if (!isItemFailure(answer)) return answer;
	item.state = mayBeDone(answer)
		? { effect: 'unknown', detail: unknown, hint }
		: { effect: 'not applied', detail: not };
	throw answer;
}
