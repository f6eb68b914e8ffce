import type { Failed } from '../results/itemResult';
import type { StatusById } from '../service/statuses';

/** What the service does with a document, in that order. */
export type Step = 'uploaded' | 'indexed' | 'added' | 'removed' | 'deleted';

/** How far documents came. */
export interface Progress {
	/** How a person calls them, in the order of the item. */
	names: string[];
	/** Of those that have arrived: the first so many of the names. */
	ids: readonly string[];
	/** Those of them that the agent has although another could not be read. */
	readable: readonly string[];
	/** The first, also if it is only announced. */
	newId?: string;
	/** The last step that is done for all of them; undefined if none is. */
	reached?: Step;
	/** The step whose answer was lost. */
	unknown?: Step;
	/** Whether they are to be added to one. */
	hasAgent: boolean;
	/** The old versions that the agent may have, and those that are not dealt with. */
	old: { held: string[]; left: string[] };
	/** Entries without content that CometChat may show. */
	entries: { count: number; mayBeMore: boolean; words: string };
	statuses: StatusById;
}

/** What a person is told of documents that went no further. */
export interface Report {
	effect: Failed['effect'];
	/** The step of which nobody knows whether it was done. */
	unknown?: Step;
	/** What is done and what is not, in sentences. */
	consequence: string;
	/** Undefined: run it again; empty: there is nothing to go on with. */
	goOn?: string;
}

/** The sentences for a kind of document. */
export type Wording = (progress: Progress) => Pick<Report, 'consequence' | 'goOn'>;

export function reportOf(progress: Progress, wording: Wording): Report {
	const { unknown } = progress;
	return { effect: effectOn(progress), ...(unknown && { unknown }), ...wording(progress) };
}

function effectOn({ entries, ids, reached, unknown }: Progress): Failed['effect'] {
	if (reached !== undefined || ids.length > 0) return 'partly applied';
	return unknown !== undefined || entries.mayBeMore ? 'unknown' : 'not applied';
}
