import type { KnowledgeBaseRecord } from '../service/records';
import { isRecord } from '../values/validationIssue';

/** A document that is known, and when it was created. */
export type Known = { id: string; createdMs: number };

/** A document that CometChat has not finished indexing, with what is to be said of it once it has. */
export type Unfinished = {
	record: Pick<KnowledgeBaseRecord, 'uniqueId' | 'sourceName' | 'type'> & { createdAt?: number };
	/** When it was first seen like that, by our clock. */
	sinceMs: number;
};

/**
 * What a poll leaves for the next one. It stays small, however many documents there are: those that were
 * created until `floorMs` are known without being named.
 */
export type Checkpoint = {
	version: 1;
	/** The base URL whose documents these are. */
	account: string;
	floorMs: number;
	/** Those known that were created after `floorMs`. */
	recent: Known[];
	unfinished: Unfinished[];
};

/**
 * How far a poll looks back behind the newest document that is known: it may be listed late, or have
 * been created in the same millisecond as another. Ours; nothing is documented.
 */
const OVERLAP_MS = 15 * 60_000;

/** More in that time, and it is shortened to what the newest of them cover. */
const MOST_RECENT = 500;

/** More are not taken on until others have finished. */
const MOST_UNFINISHED = 1000;

/** What is not done after that time is taken for abandoned. */
const LONGEST_UNFINISHED_MS = 7 * 24 * 3600_000;

/** Of an account without a document: a list that is empty by mistake must not make all of it new. */
const EMPTY_FLOOR_MS = 24 * 3600_000;

/** Before anything is known. */
export function emptyCheckpoint(account: string, isEmpty: boolean, nowMs: number): Checkpoint {
	const floorMs = isEmpty ? nowMs - EMPTY_FLOOR_MS : 0;
	return { version: 1, account, floorMs, recent: [], unfinished: [] };
}

/**
 * What an earlier poll has left; undefined if it is no checkpoint, or one of another version or account.
 * It is taken whole or not at all: half of one would repeat or lose events.
 */
export function readCheckpoint(value: unknown, account: string): Checkpoint | undefined {
	return isCheckpoint(value) && value.account === account ? value : undefined;
}

/**
 * The checkpoint after a poll.
 *
 * @param known All documents that the poll was shown.
 * @param unfinished The oldest first.
 */
export function nextCheckpoint(
	before: Checkpoint,
	known: Known[],
	unfinished: Unfinished[],
	nowMs: number,
): { next: Checkpoint; tooMany: Unfinished[] } {
	// Those that the list no longer shows stay: it may show them again.
	const byId = new Map([...before.recent, ...known].map((one) => [one.id, one]));
	const newestFirst = [...byId.values()].sort((one, other) => other.createdMs - one.createdMs);
	// A time to come is that of a wrong clock: with it, all that comes until then would count as known.
	const newestMs = Math.min(newestFirst[0]?.createdMs ?? 0, nowMs);
	const floorMs = Math.max(
		before.floorMs,
		newestMs - OVERLAP_MS,
		newestFirst[MOST_RECENT]?.createdMs ?? 0,
	);
	const recent = newestFirst.filter(({ createdMs }) => createdMs > floorMs);
	const { version, account } = before;
	return {
		next: {
			version,
			account,
			floorMs,
			recent,
			unfinished: unfinished.slice(0, MOST_UNFINISHED),
		},
		tooMany: unfinished.slice(MOST_UNFINISHED),
	};
}

export function isAbandoned({ sinceMs }: Unfinished, nowMs: number): boolean {
	return nowMs - sinceMs > LONGEST_UNFINISHED_MS;
}

function isCheckpoint(value: unknown): value is Checkpoint {
	if (!isRecord(value)) return false;
	const { version, account, floorMs, recent, unfinished } = value;
	return (
		version === 1 &&
		typeof account === 'string' &&
		Number.isFinite(floorMs) &&
		isListOf(recent, isKnown) &&
		isListOf(unfinished, isUnfinished)
	);
}

function isListOf(value: unknown, isOne: (entry: unknown) => boolean): boolean {
	return Array.isArray(value) && value.every(isOne);
}

function isKnown(value: unknown): boolean {
	return isRecord(value) && isId(value.id) && Number.isFinite(value.createdMs);
}

function isUnfinished(value: unknown): boolean {
	if (!isRecord(value) || !isRecord(value.record) || !Number.isFinite(value.sinceMs)) return false;
	const { uniqueId, sourceName, type, createdAt } = value.record;
	return (
		isId(uniqueId) &&
		[sourceName, type].every((text) => text === undefined || typeof text === 'string') &&
		(createdAt === undefined || Number.isFinite(createdAt))
	);
}

function isId(value: unknown): boolean {
	return typeof value === 'string' && value !== '';
}
