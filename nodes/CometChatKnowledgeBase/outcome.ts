import type { Account } from '../../credentials/account';
import type { Change } from './change';
import type { Complaint } from './complaint';
import type { Cause } from './explain';
import { explain } from './explain';
import type { Effect } from './reply';
import type { RetryPolicy, Sending } from './retry';

/** What became of one input item. Every item has exactly one. */
export type Outcome = Applied | Skipped | Failed;

export interface Applied {
	kind: 'applied';
	change: Change;
	attempts: number;
	/** How many file IDs stood in the item more than once and were sent once. */
	repeated: number;
}

/** The item names no file, and the user chose to skip such items. */
export interface Skipped {
	kind: 'skipped';
	asked: Omit<Change, 'uniqueIds'>;
}

export interface Failed {
	kind: 'failed';
	/** One clause, without the item's number. */
	what: string;
	/** What the service said, what it means for the files, and what to do. */
	description: string;
	effect: Effect;
	attempts: number;
	/** Why: the item's own values, a reply of the service, or that the run ended before its turn. */
	because: 'input' | 'reply' | 'run over';
	change?: Change;
	/** What the service, or the network, said; as a sentence. */
	said?: string;
	/** HTTP status; undefined if no answer came. */
	status?: number;
	/** The service's own code, or the network's. */
	code?: string;
	cause?: Cause;
	/** The wait that the service asked for last. */
	retryAfterMs?: number;
}

/** An item that was never sent, because what it holds can't be. */
export function unusable({ what, remedy }: Complaint): Failed {
	return {
		kind: 'failed',
		what,
		description: sentences('Nothing was sent for this item.', remedy),
		effect: 'not applied',
		attempts: 0,
		because: 'input',
		cause: 'configuration-invalid',
	};
}

/** What a request that has ended means for its item. */
export function settled(
	sending: Sending,
	change: Change,
	repeated: number,
	policy: RetryPolicy,
	account: Account,
): Applied | Failed {
	const { reply, attempts, effect, ended, namedWaitMs } = sending;
	if (effect === 'applied') return { kind: 'applied', change, attempts, repeated };
	const failed = { kind: 'failed' as const, effect, attempts, change, retryAfterMs: namedWaitMs };
	const isTooLong = ended === 'wait too long' && waitWords(namedWaitMs, policy);
	if (reply === undefined) return { ...failed, ...neverSent(isTooLong) };

	const { what, remedy, said, status, code, cause } = explain(reply, account);
	const description = sentences(
		said,
		attempts > 1 && `The item was sent ${attempts} times.`,
		ended === 'run over' && 'It was not sent again, because the run stopped.',
		isTooLong,
		describeEffect(effect, change),
		isTooLong ? MAX_WAIT_REMEDY : remedy,
	);
	// One that was not sent again because of another item is no cause of the stop.
	const because = ended === 'run over' ? 'run over' : 'reply';
	return { ...failed, what, description, because, said, status, code, cause };
}

/** @param tooLong The wait that was too long, in words; false if the run was over. */
function neverSent(tooLong: string | false) {
	const nothing = 'Nothing was sent for this item.';
	return tooLong
		? {
				what: 'CometChat asked for a longer pause than is allowed',
				description: sentences(tooLong, nothing, MAX_WAIT_REMEDY),
				because: 'reply' as const,
				cause: 'rate-limited' as const,
			}
		: {
				what: 'The run stopped before this item was sent',
				description: sentences(nothing, 'Run it again with the items that were not sent.'),
				because: 'run over' as const,
			};
}

const MAX_WAIT_REMEDY = "Run it again later, or raise 'Max Wait (Seconds)' under Options.";

function waitWords(namedWaitMs: number | undefined, { maxWaitMs }: RetryPolicy): string {
	const seconds = Math.ceil((namedWaitMs ?? 0) / 1000);
	return `CometChat asked to wait ${seconds} s; 'Max Wait (Seconds)' allows ${maxWaitMs / 1000}.`;
}

function describeEffect(effect: Effect, { operation }: Change): string {
	const done = operation === 'add' ? 'added' : 'removed';
	return effect === 'unknown'
		? `It is not known whether the files were ${done}: look at the agent's knowledge base, or run this item again.`
		: `The files were not ${done}.`;
}

function sentences(...parts: Array<string | false>): string {
	return parts.filter((part) => part !== false && part !== '').join(' ');
}

/** The failure as a message for a person: what, and which item in n8n's own way of writing it. */
export function headline({ what }: Failed, index: number): string {
	return `${what} [item ${index}]`;
}

/**
 * The JSON of the output item. A failed one has the key `error` and no other: only then does every
 * n8n route it to the error output and merge the input's fields into it. (n8n before 2.34 does not
 * know `details`, and would send the item to the success branch.)
 */
export function toJson(outcome: Outcome, index: number) {
	switch (outcome.kind) {
		case 'applied':
			return { success: true, ...outcome.change };
		case 'skipped':
			return {
				success: false,
				...outcome.asked,
				uniqueIds: [],
				skipped: true,
				reason: "The item has no file IDs, and 'If No File IDs' is set to skip it",
			};
		case 'failed':
			return { error: errorOf(outcome, index) };
	}
}

function errorOf(failed: Failed, index: number) {
	const { change, description, effect, attempts, status, code, retryAfterMs } = failed;
	return {
		message: headline(failed, index),
		description,
		item: index,
		...change,
		effect,
		attempts,
		...(status === undefined ? {} : { status }),
		...(code === undefined ? {} : { code }),
		...(retryAfterMs === undefined ? {} : { retryAfterSeconds: Math.ceil(retryAfterMs / 1000) }),
	};
}
