import type { Effect } from '../requests/attemptResult';
import type { Cause } from '../values/userError';
import { isRecord } from '../values/userError';
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
export interface Sent {
	/** How often one of its requests was sent at most; 0 if none was. */
	attempts: number;
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
}

export interface Succeeded extends Sent {
	kind: 'succeeded';
	/** One for each output item. */
	json: Fields[];
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
	/** What someone should know all the same, each a clause. */
	remarks?: string[];
	/** Of that, what needs somebody who does something. */
	warnings?: string[];
}

export interface Failed extends Sent {
	kind: 'failed';
	/** One clause, without the item's number. */
	title: string;
	/** What the service said, what it means for the files, and what to do. */
	description: string;
	effect: Effect | 'partly applied';
	/** Why: the item's own values, a reply of the service, or that the run ended before its turn. */
	because: 'input' | 'reply' | 'cancelled';
	/** What the item asked for, and how far that came. */
	requested: Fields;
	/** What the service, or the network, said; as a sentence. */
	detail?: string;
	/** HTTP status; undefined if no answer came. */
	status?: number;
	/** The service's own code, or the network's. */
	code?: string;
	cause?: Cause;
	/** The wait that the service asked for last. */
	retryAfterMs?: number;
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
export function headline({ title }: Failed, index: number | undefined, count: number): string {
	return index === undefined || count === 1 ? title : `${title} [item ${index + 1}]`;
}
