/** A promise that the product does not keep yet. */
export interface KnownBreak {
	operation: string;
	/** The beginning of the invariant's title. */
	promise: string;
	/** The seed of a story that breaks it. */
	seed: number;
	what: string;
}

/** The faults that are not corrected yet. A corrected fault must leave the list, which hides other breaks like it. */
export const KNOWN_BREAKS: KnownBreak[] = [];
