import { NEVER_SENT } from '../http/meanings';
import type { ErrorDetails, Failure } from '../text/failure';
import { UserError } from '../text/failure';
import { quoted, sentences } from '../text/quoting';

/** A value in an output item. */
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

/** The result of one input item. Every item has exactly one. */
export type ItemResult = Done | Failed;

/** A document or an agent that an execution created. */
export interface CreatedDocument {
	uniqueId: string;
	/** The file's name, the title of a text entry, the name of an agent. */
	name: string;
	/** Whether it is an empty document that could not be deleted. */
	isEmpty?: boolean;
}

export interface Done {
	/** 'skipped' if the user chose that nothing is done, or if the file can't be sent. */
	kind: 'succeeded' | 'skipped';
	/** One for each output item. */
	json: Fields[];
	/** The documents and agents that CometChat has now and did not have before. */
	created?: CreatedDocument[];
	/** Notes on a successful item, each a clause. */
	remarks?: string[];
	/** Notes that need an action. */
	warnings?: string[];
}

/** The facts of a failure that error workflows read. */
export type ErrorFacts = Pick<
	ErrorDetails,
	'detail' | 'said' | 'status' | 'code' | 'cause' | 'retryAfterMs'
>;

export interface Failed extends ErrorFacts {
	kind: 'failed';
	/** How often one of its requests was sent at most; 0 if none was. */
	attempts: number;
	/** The documents and agents that CometChat has now and did not have before. */
	created?: CreatedDocument[];
	/** One clause, without the item's number. */
	title: string;
	/** The next step. */
	advice: string;
	/** The finished and unfinished parts, as sentences. */
	progress: string;
	effect: 'partly applied' | 'not applied' | 'unknown';
	/** The cause: the item's own values, a response of CometChat, or the end of the execution before the item. */
	errorType: 'input' | 'reply' | 'cancelled';
	/** The item's own values, and the documents that exist by now. */
	requested: Fields;
}

/** The state of a failed item. */
export interface ItemState {
	effect: Failed['effect'];
	/** What is done and what is not, as sentences. */
	detail: string;
	/** How to continue; left out: by running the item again; empty: as the failure's own hint says. */
	hint?: string;
}

/** The advice for a failure: its own hint, and how to continue from a state. */
export function adviceFor({ hint, more }: Failure, state?: Pick<ItemState, 'hint'>): string {
	return sentences(hint, state?.hint ?? more.retryHint);
}

/** The order of each description: the next step, the state, CometChat's own words. */
export function describe({ advice, progress, detail }: Description): string {
	return sentences(advice, progress, detail);
}

type Description = Pick<Failed, 'advice' | 'detail'> & Partial<Pick<Failed, 'progress'>>;

/** The description of a failure that belongs to no item. */
export function descriptionOf(failure: Failure): string {
	return describe({ advice: adviceFor(failure), detail: failure.more.detail });
}

/** Makes the result of a failed item from its failure and its state. No other place does. */
export function failed(
	failure: Failure,
	{
		requested,
		state,
		...sent
	}: Pick<Failed, 'requested' | 'attempts' | 'created'> & { state: ItemState },
): Failed {
	const { title, more } = failure;
	const { detail, said, status, code, cause, retryAfterMs, fileName } = more;
	const isUnsent = sent.attempts === 0;
	const isOfInput = isUnsent && failure instanceof UserError;
	const errorType = more.isCancelled ? 'cancelled' : isOfInput ? 'input' : 'reply';
	return {
		kind: 'failed',
		title,
		advice: adviceFor(failure, state),
		progress: isUnsent ? 'Nothing was sent for this item.' : state.detail,
		effect: state.effect,
		errorType,
		requested: { ...(fileName !== undefined && { name: fileName }), ...requested },
		...{ detail, said, status, code, retryAfterMs },
		cause: cause ?? (errorType === 'input' ? 'configuration-invalid' : undefined),
		...sent,
	};
}

/** The result of an item that was never sent, because of its values. */
export function unusable(error: UserError, requested: Fields = {}): Failed {
	return failed(error, { requested, state: NOTHING_CHANGED, attempts: 0 });
}

/** The result of an item that had not started when the execution ended. */
export function cancelled(requested: Fields = {}): Failed {
	return unusable(notStarted(), requested);
}

/** The failure of an item that an ended execution did not reach. */
export function notStarted(): UserError {
	const { title, hint, ...more } = NEVER_SENT;
	return new UserError(title, hint, { ...more, isCancelled: true });
}

/** The state of an item that has changed nothing yet, or only asks. */
export const NOTHING_CHANGED: ItemState = {
	effect: 'not applied',
	detail: 'Nothing was changed.',
};

/** The state after an unexpected exception: any request may have been sent. */
export const UNKNOWN: ItemState = {
	effect: 'unknown',
	detail: 'Result unknown: this node stopped unexpectedly, and some items may be done.',
	hint: 'Check the documents in CometChat before you run the items again, and report this error.',
};

/** A document's name with its ID, and whether it is empty. */
export function nameWithId({ name, uniqueId, isEmpty }: CreatedDocument): string {
	return `${quoted(name)} (ID ${uniqueId}${isEmpty ? ', empty document' : ''})`;
}

/** The failure as a message for a person. @param index Undefined for a failure that belongs to no input item. */
export function headline({ title }: Failed, index: number | undefined, count: number): string {
	return index === undefined || count === 1 ? title : `${title} [item ${index + 1}]`;
}
