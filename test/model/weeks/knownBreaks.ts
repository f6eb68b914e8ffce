/** A promise that the product does not keep yet. */
export interface KnownBreak {
	operation: string;
	/** How the title of the invariant begins. */
	promise: string;
	/** A story that breaks it. */
	seed: number;
	/** What goes wrong. */
	what: string;
}

/**
 * What the random weeks have found, and nobody has mended yet. Of the same operation and promise nothing else is
 * noticed meanwhile. One that no longer breaks has to leave.
 */
export const KNOWN_BREAKS: KnownBreak[] = [];
