/** A promise that the product does not keep yet. */
export interface KnownBreak {
	operation: string;
	/** The beginning of the invariant's title. */
	promise: string;
	/** The seed of a story that breaks it. */
	seed: number;
	what: string;
}

/**
 * The faults that the random weeks have found, and that are not corrected yet. Until then, other breaks of the same
 * operation and promise are not noticed. A corrected fault must leave the list.
 */
export const KNOWN_BREAKS: KnownBreak[] = [];
