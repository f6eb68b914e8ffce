/** A promise that the product does not keep yet. */
export interface KnownBreak {
	operation: string;
	/** Of the invariant. */
	title: string;
	/** A story that breaks it. */
	seed: number;
	/** What goes wrong, in a line. */
	what: string;
}

/** What the random weeks have found, and nobody has mended yet. One that no longer breaks has to leave. */
export const KNOWN_BREAKS: KnownBreak[] = [];
