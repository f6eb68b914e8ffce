import type { ServiceOptions } from '../service/service';

/** What the service does of its own accord where its documentation is silent; left out: as usual. */
export interface Habits {
	/** How long an upload address is good. */
	expiresMs?: number;
	/** Whether an entry is there from the announcement on, or only from its bytes on. */
	recorded?: 'fromInitiate' | 'fromBytes';
	/** Bytes for a file whose bytes are there. */
	secondUse?: 'refuse' | 'accept';
	indexingMs?: number;
	/** How many files are indexed at once. */
	atOnce?: number;
	ends?: 'indexed' | 'inSync';
	/** Each so-manieth file can't be read. */
	failEvery?: number;
	unindexedFiles?: 'accept' | 'refuse';
	unknownInPoll?: 'omit' | 'refuse';
	/** What the agents' lists of documents hold; 'stale' is a second behind. */
	agentLists?: 'uniqueIds' | 'empty' | 'otherIds' | 'stale';
}

/** Options that the stand-in has been given once, and looks at again and again. */
export type Changeable = ServiceOptions &
	Required<Pick<ServiceOptions, 'uploads' | 'indexing' | 'rateLimit'>>;

/** Takes on other habits; those that are left out are as usual again. */
export function takeOn(options: Changeable, habits: Habits): void {
	const { expiresMs, recorded, secondUse, indexingMs, atOnce, ends, failEvery } = habits;
	const { unindexedFiles, unknownInPoll, agentLists } = habits;
	Object.assign(options.uploads, { expiresMs, recorded, secondUse });
	Object.assign(options.indexing, { ms: indexingMs, atOnce, ends, failEvery });
	Object.assign(options, { unindexedFiles, unknownInPoll, agentLists });
}
