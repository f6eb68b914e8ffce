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

const IS_NOT_SO = 'what is said to be done is so';

const UPLOAD = 'document.upload';

/**
 * What the random weeks have found, and nobody has mended yet. Of the same operation and promise nothing else is
 * noticed meanwhile. One that no longer breaks has to leave.
 */
export const KNOWN_BREAKS: KnownBreak[] = [
	known(UPLOAD, IS_NOT_SO, 11, 'Replace: an agent that the list leaves out gets one more'),
];

function known(operation: string, promise: string, seed: number, what: string): KnownBreak {
	return { operation, promise, seed, what };
}
