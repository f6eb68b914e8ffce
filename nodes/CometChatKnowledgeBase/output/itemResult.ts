import { NEVER_SENT } from '../http/meanings';
import type { ErrorDetails, Failure } from '../text/failure';
import { UserError } from '../text/failure';
import { quoted, sentences } from '../text/quoting';

/** What an output item may hold. */
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

/** What became of one input item. Every item has exactly one. */
export type ItemResult = Done | Failed;

/** Something that a run has brought into the service. */
export interface CreatedDocument {
	uniqueId: string;
	/** The file's name, the title of a text, the name of an agent. */
	name: string;
	/** Whether it is an entry without content that could not be taken away. */
	isEmpty?: boolean;
}

export interface Done {
	/** 'skipped' if nothing was to be done, by the user's choice, or its file can't be sent. */
	kind: 'succeeded' | 'skipped';
	/** One for each output item. */
	json: Fields[];
	/** What the service has now that it had not before. */
	created?: CreatedDocument[];
	/** Whether the item sent something that would be there twice if it was sent again, such as a question. */
	actsEachTime?: boolean;
	/** What someone should know although the item has not failed, each a clause. */
	remarks?: string[];
	/** Of that, what needs somebody who does something. */
	warnings?: string[];
}

/** What came in the place of a success, and what was tried. */
export type ErrorFacts = Pick<
	ErrorDetails,
	'detail' | 'said' | 'status' | 'code' | 'cause' | 'retryAfterMs'
>;

export interface Failed extends ErrorFacts {
	kind: 'failed';
	/** How often one of its requests was sent at most; 0 if none was. */
	attempts: number;
	/** What the service has now that it had not before. */
	created?: CreatedDocument[];
	/** Whether the item sent something that would be there twice if it was sent again, such as a question. */
	actsEachTime?: boolean;
	/** One clause, without the item's number. */
	title: string;
	/** What the service said, what it means for the files, and what to do. */
	description: string;
	effect: 'partly applied' | 'not applied' | 'unknown';
	/** Why: the item's own values, a reply of the service, or that the run ended before its turn. */
	errorType: 'input' | 'reply' | 'cancelled';
	/** What the item asked for, and how far that came. */
	requested: Fields;
}

/** How things stand with an item that has failed. */
export interface ItemState {
	effect: Failed['effect'];
	/** What has been done until now and what has not, as sentences. */
	detail: string;
	/** How to go on: left out, by running the item again; empty: the failure's own hint says it. */
	hint?: string;
}

/** What was said, how things stand, how to go on, and what to do. Without a state: where nothing is done in part. */
export function descriptionOf(
	{ hint, more }: Failure,
	state?: Pick<ItemState, 'detail' | 'hint'>,
): string {
	return sentences(more.detail, state?.detail, state?.hint ?? more.retryHint, hint);
}

/** The one place that makes the result of an item that has failed: from what was thrown, and how it stands with the item. */
export function failed(
	failure: Failure,
	{
		requested,
		state,
		...sent
	}: Pick<Failed, 'requested' | 'attempts' | 'created' | 'actsEachTime'> & { state: ItemState },
): Failed {
	const { title, more } = failure;
	const { detail, said, status, code, cause, retryAfterMs, fileName } = more;
	const isUnsent = sent.attempts === 0;
	const unsent = { ...state, detail: 'Nothing was sent for this item.' };
	const isOfInput = isUnsent && failure instanceof UserError;
	const errorType = more.isCancelled ? 'cancelled' : isOfInput ? 'input' : 'reply';
	return {
		kind: 'failed',
		title,
		description: descriptionOf(failure, isUnsent ? unsent : state),
		effect: state.effect,
		errorType,
		requested: { ...(fileName !== undefined && { name: fileName }), ...requested },
		...{ detail, said, status, code, retryAfterMs },
		cause: cause ?? (errorType === 'input' ? 'configuration-invalid' : undefined),
		...sent,
	};
}

/** An item that was never sent, because what it holds can't be. */
export function unusable(error: UserError, requested: Fields = {}): Failed {
	return failed(error, { requested, state: NOTHING_CHANGED, attempts: 0 });
}

/** An item whose turn had not come when the run ended. */
export function cancelled(requested: Fields = {}): Failed {
	const { title, hint, ...more } = NEVER_SENT;
	return unusable(new UserError(title, hint, { ...more, isCancelled: true }), requested);
}

/** That of an item which has changed nothing yet, or only asks. */
export const NOTHING_CHANGED: ItemState = {
	effect: 'not applied',
	detail: 'Nothing was changed.',
};

/** With its ID, and what else there is to know of it. */
export function nameWithId({ name, uniqueId, isEmpty }: CreatedDocument, where?: string): string {
	const more = [`ID ${uniqueId}`, where, isEmpty && 'without content'].filter(Boolean);
	return `${quoted(name)} (${more.join(', ')})`;
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
