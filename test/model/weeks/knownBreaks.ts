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

const GROWS = 'the number of documents does not grow';
const CHANGES = 'the same run again changes nothing';
const STAYS_BROKEN = 'once nothing goes wrong any more';
const IS_NOT_SO = 'what is said to be done is so';

const [UPLOAD, REPLACE] = ['document.upload', 'knowledgeBase.replace'];
const [CREATE, UPSERT] = ['text.create', 'text.upsert'];

/**
 * What the random weeks have found, and nobody has mended yet. Of the same operation and promise nothing else is
 * noticed meanwhile. One that no longer breaks has to leave.
 */
export const KNOWN_BREAKS: KnownBreak[] = [
	known(UPLOAD, GROWS, 79, 'a file that is read too slowly is uploaded anew each time'),
	known(UPLOAD, CHANGES, 20261203, 'the same'),
	known(UPLOAD, IS_NOT_SO, 11, 'Replace: an agent that the list leaves out gets one more'),
	known(REPLACE, GROWS, 82, 'a file that is read too slowly is uploaded anew each time'),
	known(REPLACE, CHANGES, 82, 'the same'),
	known(REPLACE, IS_NOT_SO, 84, 'an agent that the list leaves out gets one more'),
	known(REPLACE, STAYS_BROKEN, 108, 'two executions at once, and all later ones fail'),
	known(CREATE, IS_NOT_SO, 11, 'Replace: an agent that the list leaves out gets one more'),
	known(UPSERT, STAYS_BROKEN, 20261194, 'two executions at once, and all later ones fail'),
];

function known(operation: string, promise: string, seed: number, what: string): KnownBreak {
	return { operation, promise, seed, what };
}
