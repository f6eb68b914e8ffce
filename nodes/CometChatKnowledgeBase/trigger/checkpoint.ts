import type { KnowledgeBaseRecord } from '../service/records';
import type { Listed } from './creation';

/** A document that is known, and when it was created. */
export type Known = { id: string; createdMs: number };

/** A document that CometChat has not finished indexing, with what is to be said of it once it has. */
export type Unfinished = {
	/** With neither name nor type if there was no room for them (`stored`). */
	record: Pick<KnowledgeBaseRecord, 'uniqueId' | 'sourceName' | 'type'> & { createdAt?: number };
	/** When it was first seen like that, by our clock. */
	sinceMs: number;
};

/**
 * What a poll leaves for the next one. It stays small, however many documents there are: those that were
 * created until `floorMs` are known without being named.
 */
export interface Checkpoint {
	/** The base URL whose documents these are. */
	account: string;
	floorMs: number;
	/** Those known that were created after `floorMs`, and some of those that were then. */
	recent: Known[];
	unfinished: Unfinished[];
	/** Which of `unfinished` the next poll asks for first: an earlier one did not get to it. */
	askFrom: number;
}

/**
 * How far a poll looks back behind the newest documents that are known: one may be listed late, or have
 * been created in the same millisecond as another. Ours; nothing is documented.
 */
const OVERLAP_MS = 15 * 60_000;

/**
 * So many of the newest may have a time to come without being noticed, by a clock that is ahead as well:
 * the look back begins behind them.
 */
const MOST_ODD = 4;

/** More in that time, and it is shortened to what the newest of them cover. */
const MOST_RECENT = 500;

/** So many with a time to come are known by their names, beside the others. */
const MOST_TO_COME = 2000;

/** More are not taken on until others have finished: asking for them takes a request for each 100. */
export const MOST_UNFINISHED = 10_000;

/** What is not done after that time is taken for abandoned. */
const LONGEST_UNFINISHED_MS = 7 * 24 * 3600_000;

const DAY_MS = 24 * 3600_000;

/**
 * Before anything is known, but for what the first poll has not come to. A list that is empty by mistake
 * must not make all of it new.
 */
export function emptyCheckpoint(
	account: string,
	{ times, asOfMs, isWhole }: Omit<Listed, 'records'>,
): Checkpoint {
	const behindMs = isWhole ? 0 : (times.at(-1) ?? 0);
	const floorMs = times.length === 0 ? asOfMs - DAY_MS : behindMs;
	return { account, floorMs, recent: [], unfinished: [], askFrom: 0 };
}

/**
 * The checkpoint after a poll, but for where it begins to ask.
 *
 * @param listed At least all that were created after `knownUntilMs`.
 * @param unfinished Those to take on last come last.
 */
export function nextCheckpoint(
	before: Checkpoint,
	{ records, times, asOfMs }: Omit<Listed, 'isWhole'>,
	unfinished: Unfinished[],
): { next: Checkpoint; tooMany: Unfinished[] } {
	const known = records.map(({ uniqueId }, at) => ({ id: uniqueId, createdMs: times[at] ?? 0 }));
	const listedIds = new Set<string>(known.map(({ id }) => id));
	// Those that the list no longer shows stay: it may show them again.
	const all = [...known, ...before.recent.filter(({ id }) => !listedIds.has(id))];
	// Twins stay in the order of the list (`newcomers`).
	const newestFirst = all.sort((one, other) => other.createdMs - one.createdMs);
	const past = newestFirst.filter(({ createdMs }) => createdMs <= asOfMs);
	const toCome = newestFirst.slice(0, newestFirst.length - past.length);
	const floorMs = Math.max(
		knownUntilMs(before, asOfMs),
		lookBackMs(past, toCome.length > 0, asOfMs),
		past[MOST_RECENT]?.createdMs ?? 0,
		toCome[MOST_TO_COME]?.createdMs ?? 0,
	);
	const recent = [...toCome.slice(0, MOST_TO_COME), ...past.slice(0, MOST_RECENT)].filter(
		({ createdMs }) => createdMs >= floorMs,
	);
	const next = {
		account: before.account,
		floorMs,
		recent,
		unfinished: unfinished.slice(0, MOST_UNFINISHED),
		askFrom: 0,
	};
	return { next, tooMany: unfinished.slice(MOST_UNFINISHED) };
}

/**
 * Until when all are known, and no later than now: what comes could not be told from them. (One that was
 * to come and is known all the same is among those that are listed down to here, and is known by its name
 * from now on.)
 */
export function knownUntilMs({ floorMs }: Checkpoint, asOfMs: number): number {
	return Math.min(floorMs, asOfMs);
}

/** Until when all are known, by those that are not of a time to come. */
function lookBackMs(past: Known[], isAnyToCome: boolean, asOfMs: number): number {
	const from = past[MOST_ODD] ?? past.at(-1);
	if (from !== undefined) return from.createdMs - OVERLAP_MS;
	return isAnyToCome ? asOfMs - OVERLAP_MS : 0;
}

/**
 * Whether documents of a time to come are more than are known by their names, and not by a wrong clock:
 * what comes after them could not be told from what there was.
 */
export function areTooManyToCome({ times, asOfMs }: Pick<Listed, 'times' | 'asOfMs'>): boolean {
	return times.filter((ms) => ms > asOfMs + DAY_MS).length > MOST_TO_COME;
}

export function isAbandoned({ sinceMs }: Unfinished, nowMs: number): boolean {
	return nowMs - sinceMs > LONGEST_UNFINISHED_MS;
}
