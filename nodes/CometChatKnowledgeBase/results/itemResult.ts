import type { Effect } from '../requests/attemptResult';
import { PATIENCE } from '../requests/retryPolicy';
import { UserError, isRecord } from '../values/userError';
import type { Cause, RequestResult } from './messages';
import type { Json } from '../values/json';
import { Secret } from '../values/json';

/** What an output item may hold: of texts, only those that may be shown. */
export type FieldValue =
	| string
	| number
	| boolean
	| null
	| undefined
	| readonly FieldValue[]
	| { readonly [name: string]: FieldValue };

/** The JSON of an output item, or a part of it. */
export type Fields = Record<string, FieldValue>;

/** An object of the service, as an item may hold it: without what must not be shown. */
export function fieldsOf(entry: { [name: string]: Json }): Fields {
	return Object.fromEntries(
		Object.entries(entry).map(([name, value]) => [name, fieldValueOf(value)]),
	);
}

function fieldValueOf(value: Json): FieldValue {
	if (value instanceof Secret) return undefined;
	if (Array.isArray(value)) return value.map(fieldValueOf);
	return isRecord(value) ? fieldsOf(value) : value;
}

/** What became of one input item. Every item has exactly one. */
export type ItemResult = Succeeded | Skipped | Failed;

/** How an item's requests went. */
interface Sent {
	/** How often one of its requests was sent at most; 0 if none was. */
	attempts: number;
	/** Whether any was sent again because the service was busy or the connection was lost. */
	isRepeated: boolean;
	/** What the service has now that it had not before. */
	created?: CreatedRecord[];
	/** Entries without content that an upload has left there and that could not be taken away. */
	leftovers?: CreatedRecord[];
}

/** A file or text that a run has brought into the service. */
export interface CreatedRecord {
	uniqueId: string;
	/** The file's name, or the text's title. */
	name: string;
	/** The size of a file that was uploaded. */
	bytes?: number;
}

export interface Succeeded extends Sent {
	kind: 'succeeded';
	/** One for each output item. */
	json: Fields[];
	/** How many file IDs stood in the item more than once and were sent once. */
	repeated?: number;
	/** Of the file IDs that the service has accepted, those that look like none of its own. */
	unlikeIds?: string[];
	/** What someone should know all the same, each a clause. */
	remarks?: string[];
	/** Of that, what needs somebody who does something. */
	warnings?: string[];
}

/** Nothing was to be done for the item: it names no file and the user chose to skip such items, or its file can't be sent. */
export interface Skipped {
	kind: 'skipped';
	json: Fields;
	/** The file that can't be sent, and what to do about it. */
	unsendable?: { fileName: string; remedy: string };
}

export interface Failed extends Sent {
	kind: 'failed';
	/** One clause, without the item's number. */
	what: string;
	/** What the service said, what it means for the files, and what to do. */
	description: string;
	effect: Effect | 'partly applied';
	/** Why: the item's own values, a reply of the service, or that the run ended before its turn. */
	because: 'input' | 'reply' | 'cancelled';
	/** What the item asked for, and how far that came. */
	requested: Fields;
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
export function unusable(issue: UserError, requested: Fields = {}): Failed {
	const { what, remedy, more } = issue;
	const { fileName } = more;
	return {
		kind: 'failed',
		what,
		description: sentences('Nothing was sent for this item.', remedy),
		effect: 'not applied',
		attempts: 0,
		isRepeated: false,
		because: 'input',
		requested: { ...(fileName !== undefined && { name: fileName }), ...requested },
		cause: 'configuration-invalid',
	};
}

/** An item whose turn had not come when the user stopped the run. */
export function cancelled(requested: Fields = {}): Failed {
	const sent = { attempts: 0, isRepeated: false };
	return {
		kind: 'failed',
		effect: 'not applied',
		requested,
		...sent,
		...neverSent(false, false),
	};
}

/** What someone should know of an item that failed, beside what the service said. */
export interface Circumstances extends Sent {
	requested: Fields;
	effect: Failed['effect'];
	/** What it means for the files, as a sentence; the remedy follows it. */
	consequence: string;
	/** More to say before that. */
	otherItems?: string;
	/** How to go on, where running the item again is not the way; empty for nothing to say. */
	goOn?: string;
}

/** The failure of an item whose request has ended without success. */
export function failedBy(
	{ explanation, stopReason, attempts, retryAfterMs }: RequestResult,
	{ requested, effect, consequence, otherItems, goOn, ...sent }: Circumstances,
): Failed {
	const failed = {
		kind: 'failed' as const,
		...sent,
		effect,
		requested,
		retryAfterMs: retryAfterMs,
	};
	const isTooLong = stopReason === 'wait too long' && waitWords(retryAfterMs);
	if (explanation === undefined)
		return { ...failed, ...neverSent(isTooLong, sent.attempts > 0 && consequence, goOn) };

	const { what, again = '', remedy, said, status, code, cause } = explanation;
	const description = sentences(
		said,
		otherItems ?? false,
		attempts > 1 && `It was tried ${attempts} times.`,
		stopReason === 'cancelled' && 'It was not sent again, because the run stopped.',
		isTooLong,
		consequence,
		goOn ?? (isTooLong ? RUN_LATER : again),
		!isTooLong && remedy,
	);
	// One that was not sent again because of another item is no cause of the stop.
	const because = stopReason === 'cancelled' ? 'cancelled' : 'reply';
	return { ...failed, what, description, because, said, status, code, cause };
}

/**
 * @param tooLong The wait that was too long, in words; false if the run was over.
 * @param consequence What became of the rest of the item, in words; false if none of it was sent.
 */
function neverSent(
	tooLong: string | false,
	consequence: string | false,
	goOn?: string,
): Pick<Failed, 'what' | 'description' | 'because' | 'cause'> {
	const nothing = consequence === false && 'Nothing was sent for this item.';
	return tooLong
		? {
				what: 'CometChat asked for a longer pause than a run should wait',
				description: sentences(tooLong, nothing, consequence, goOn ?? RUN_LATER),
				because: 'reply',
				cause: 'rate-limited',
			}
		: {
				what:
					consequence === false
						? 'The run stopped before this item was sent'
						: 'The run stopped before all of this item was sent',
				description: sentences(
					nothing,
					consequence,
					goOn ?? 'Run it again with the items that were not sent.',
				),
				because: 'cancelled',
			};
}

const RUN_LATER = 'Run it again later.';

function waitWords(namedWaitMs: number | undefined): string {
	const seconds = Math.ceil((namedWaitMs ?? 0) / 1000);
	return `CometChat asked to wait ${seconds} s; this node waits ${PATIENCE.maxWaitMs / 1000} at most.`;
}

export function sentences(...parts: Array<string | false>): string {
	return parts.filter((part) => part !== false && part !== '').join(' ');
}

/**
 * The failure as a message for a person: what, and which item if there are several.
 *
 * @param index Undefined for what no input item asked for.
 * @param count How many input items there are.
 */
export function headline({ what }: Failed, index: number | undefined, count: number): string {
	return index === undefined || count === 1 ? what : `${what} [item ${index + 1}]`;
}
