import type { CreatedRecord, Fields } from '../results/itemResult';
import type { Progress } from '../results/progress';
import type { StatusById } from '../service/statuses';
import type { OldVersion } from './replacement';

/** What an item brings, and where. */
export interface Target {
	/** As CometChat calls the kind. */
	sourceType: string;
	/** How a person calls the documents, in the order of the item. */
	names: readonly string[];
	/** The agent; left out for none. */
	uid?: string;
	/** Whether it is changed where it is. */
	isChange?: boolean;
	/** How a new run goes on with what is there; left out: it would bring it a second time. */
	hint?: string;
}

/** How far the documents of an item have come. */
export interface IngestionLog {
	/** Those that are in CometChat: the first so many of the names. */
	documents: CreatedRecord[];
	/** What has become of the indexing of each, as far as it was asked for. */
	statuses: StatusById;
	/** The IDs of those that the agent has. */
	attached: string[];
	/** Entries without content that could not be taken away. */
	leftovers: CreatedRecord[];
	/** Whether there may be one of which CometChat has not told. */
	mayHaveLeftover: boolean;
	/** The request whose answer was lost. */
	unknown?: Progress['unknown'];
}

/** Documents on their way, to be told of. */
export interface Delivered {
	readonly log: IngestionLog;
	readonly old: readonly OldVersion[];
	readonly target: Target;
	/** What they are and where they go, as output fields. */
	readonly place: Fields;
}
