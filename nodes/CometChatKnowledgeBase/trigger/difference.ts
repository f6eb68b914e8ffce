import type { Shape } from '../api/shape';
import { list, number, optional, shape, text } from '../api/shape';
import type { Document, StatusById } from '../api/documents';
import { FAILED, isReady, NOT_LISTED } from '../api/documents';
import { UserError } from '../text/failure';
import { timeMs } from '../text/times';
import type { EventName } from './fields';

/*
 * The events of a document between two polls:
 *
 * | Document                    | Status in CometChat       | Event                    | Watched afterwards       |
 * | --------------------------- | ------------------------- | ------------------------ | ------------------------ |
 * | new                         | failed, or ready          | documentAdded, end event | no                       |
 * | new                         | any other status          | documentAdded            | yes, if there is room    |
 * | known                       | indexing                  | none                     | yes, if there is room    |
 * | watched                     | failed, or ready          | end event                | no                       |
 * | watched for 2 hours         | any other status          | stuck, once              | yes                      |
 * | watched, not listed         | notFound, in two polls    | none: it was deleted     | no                       |
 * | watched 7 days, not listed  | any other, or none        | none                     | no                       |
 *
 * A document is new if it was created after `sinceMs` and is not in `seen`.
 */

const MOST_WATCHED = 1000;

/** Three requests. The next poll begins with the documents that this poll could not ask for. */
const MOST_ASKED = 300;

const DAY_MS = 24 * 3600_000;

/** Our choice: a large website is indexed in an hour. */
const STUCK_MS = 2 * 3600_000;

/** The time after which a missing document without a known end is no longer watched. */
const LONGEST_WATCHED_MS = 7 * DAY_MS;

/**
 * How far a poll looks back from the newest document: a document may be listed late, or have been created in the same
 * millisecond. Our choice; nothing is documented.
 */
const LATE_MS = 15 * 60_000;

/** A listed document, and the time of its creation. */
export interface Listed {
	record: Document;
	createdMs: number;
}

/** The part of the list that a poll has read, newest first. */
export interface Reading {
	listed: Listed[];
	/** The place where the list continues; undefined if it was read down to the known documents. */
	from?: string;
}

/** The state that a poll saves for the next poll, as plain JSON. */
export interface State {
	/** The base URL of the documents' account. */
	account: string;
	/** All documents that were created until this time are known. */
	sinceMs: number;
	/** The known documents that were created later. */
	seen: Seen[];
	/** The place where the next poll continues the list, if the last poll did not reach `sinceMs`. */
	from?: string;
	/** The watched documents, in the order in which the next poll asks for them. */
	watched: Watched[];
	/** The time of the last poll with events. Without it, the state after events could equal an earlier state. */
	emittedMs?: number;
}

/** A known document, and the time of its creation. */
type Seen = [id: string, createdMs: number];

/** A document that CometChat has not finished indexing, with the fields of its next event. */
interface Watched {
	record: Pick<Document, 'uniqueId' | 'sourceName' | 'type'> & { createdAt?: number };
	/** The time of the poll that first saw the document like this. */
	sinceMs: number;
	/** Whether the event 'stuck' was sent. */
	isStuck?: boolean;
	/** Whether the last response left the document out. */
	isMissing?: boolean;
}

const seen: Shape<Seen> = (value) => {
	const [id, createdMs] = Array.isArray(value) ? value : [];
	return typeof id === 'string' && typeof createdMs === 'number' ? [id, createdMs] : undefined;
};

const flag: Shape<boolean> = (value) => (typeof value === 'boolean' ? value : undefined);

const record: Shape<Watched['record']> = shape({
	...{ uniqueId: text, sourceName: optional(text), type: optional(text) },
	createdAt: optional(number),
});

const readWhole: Shape<State> = shape({
	...{ account: text, sinceMs: number, seen: list(seen), from: optional(text) },
	watched: list(
		shape({ record, sinceMs: number, isStuck: optional(flag), isMissing: optional(flag) }),
	),
	emittedMs: optional(number),
});

/** Reads the state that n8n saved for this account, as a whole or not at all: a part would repeat or lose events. */
export function readState(json: string | undefined, account: string): State | undefined {
	const found = json === undefined ? undefined : readWhole(JSON.parse(json));
	return found?.account === account ? found : undefined;
}

/**
 * The state before the first poll, in which all documents are known, including unread ones. An empty list may be a
 * fault, so it must not make all documents new.
 */
export function firstState(account: string, { listed, from }: Reading, nowMs: number): State {
	const oldestMs = Math.min(...listed.map(({ createdMs }) => createdMs));
	const knownMs = from === undefined ? 0 : oldestMs;
	const sinceMs = listed.length === 0 ? nowMs - DAY_MS : knownMs;
	return { account, sinceMs, seen: listed.map(seenOf), watched: [] };
}

function seenOf({ record: { uniqueId }, createdMs }: Listed): Seen {
	return [uniqueId, createdMs];
}

/** An event of a document. */
export interface TriggerEvent {
	event: EventName;
	record: Document;
}

/** Adds the times of creation. @throws UserError if a document has none, because it is unknown whether it is new. */
export function withCreationTime(records: Document[]): Listed[] {
	return records.map((record) => {
		const createdMs = timeMs(record.createdAt);
		if (createdMs === undefined) throw WITHOUT_TIMES;
		return { record, createdMs };
	});
}

const WITHOUT_TIMES = new UserError(
	"CometChat doesn't report when documents were created",
	'Wait for the next poll. If this keeps happening, contact CometChat support.',
	{
		detail: 'Without these times, the trigger cannot find new documents.',
		cause: 'temporarily-unavailable',
	},
);

/** The watched documents whose status the list doesn't show, as many as one poll asks for. */
export function toAskFor({ watched }: State, listed: Listed[]): string[] {
	const known = new Set<string>();
	for (const { record } of listed) {
		if (record.status === INDEXING || endEvent(record.status)) known.add(record.uniqueId);
	}
	const ids = watched.map(({ record }) => record.uniqueId).filter((id) => !known.has(id));
	return ids.slice(0, MOST_ASKED);
}

/** Finds the new events. @param statuses The statuses of `toAskFor`. The next poll asks first for a missing status. */
export function difference(
	before: State,
	{ listed, from }: Reading,
	statuses: StatusById,
	nowMs: number,
): { events: TriggerEvent[]; state: State } {
	const { events, watched } = ofWatched(before, listed, statuses, nowMs);
	const watchedBefore = new Set<string>(before.watched.map(({ record }) => record.uniqueId));
	const seenBefore = new Map(before.seen);
	for (const { record, createdMs } of [...listed].reverse()) {
		const { uniqueId, status } = record;
		if (watchedBefore.has(uniqueId)) continue;
		const isNew = createdMs > before.sinceMs && !seenBefore.has(uniqueId);
		const end = endEvent(status);
		if (isNew) events.push({ event: 'documentAdded', record });
		if (isNew && end !== undefined) events.push({ event: end, record });
		// An undocumented status of a new document may come before an end; for a known document, it may be an end.
		const isToWatch = isNew ? end === undefined : status === INDEXING;
		if (isToWatch && watched.length < MOST_WATCHED) watched.push(watchedFrom(record, nowMs));
	}
	const seenNow = seenSince(before, { listed, from }, nowMs);
	return { events, state: { ...before, ...seenNow, from, watched } };
}

/** Finds the events of the watched documents, and the documents to watch from now on. */
function ofWatched(before: State, listed: Listed[], statuses: StatusById, nowMs: number) {
	const listedById = new Map(listed.map(({ record }) => [record.uniqueId, record]));
	const events: TriggerEvent[] = [];
	const answered: Watched[] = [];
	const others: Watched[] = [];
	for (const one of before.watched) {
		const { uniqueId } = one.record;
		const record = listedById.get(uniqueId);
		const status = statuses.get(uniqueId) ?? record?.status;
		const found = { ...(record ?? one.record), status };
		const end = endEvent(status);
		if (end !== undefined) events.push({ event: end, record: found });
		const isMissing = record === undefined && status === NOT_LISTED;
		// A single response without the document may be incomplete.
		const isDeleted = isMissing && one.isMissing === true;
		const isAbandoned = record === undefined && nowMs - one.sinceMs > LONGEST_WATCHED_MS;
		if (end !== undefined || isDeleted || isAbandoned) continue;
		const isStuck = one.isStuck ?? isStuckSince(one.sinceMs, status, nowMs);
		if (isStuck && !one.isStuck) events.push({ event: 'stuck', record: found });
		const next = { ...one, isStuck: isStuck || undefined, isMissing: isMissing || undefined };
		(statuses.has(uniqueId) ? answered : others).push(next);
	}
	return { events, watched: [...others, ...answered] };
}

/** Whether a document should be indexed by now, but isn't. Without a status, this is unknown. */
export function isStuckSince(sinceMs: number, status: string | undefined, nowMs: number): boolean {
	const isOpen = status !== undefined && status !== NOT_LISTED && endEvent(status) === undefined;
	return isOpen && nowMs - sinceMs >= STUCK_MS;
}

/** The documents known from now on, including unlisted ones, because the list may show them again. */
function seenSince(before: State, { listed, from }: Reading, nowMs: number) {
	const all = [...new Map([...before.seen, ...listed.map(seenOf)])];
	// A time in the future would make all other documents known.
	const past = all.flatMap(([, createdMs]) => (createdMs <= nowMs ? [createdMs] : []));
	const newestMs = past.reduce((newest, one) => Math.max(newest, one), 0);
	// While a part of the list is unread, any document in that part may be new.
	const sinceMs =
		from === undefined ? Math.max(before.sinceMs, newestMs - LATE_MS) : before.sinceMs;
	return { sinceMs, seen: all.filter(([, createdMs]) => createdMs > sinceMs) };
}

/** Returns the end event of a status; undefined if indexing has not ended. */
export function endEvent(status: string | undefined): EventName | undefined {
	if (status === FAILED) return 'indexingFailed';
	return isReady(status) ? 'indexingFinished' : undefined;
}

const INDEXING = 'indexing';

function watchedFrom({ uniqueId, sourceName, type, createdAt }: Document, sinceMs: number) {
	const at = typeof createdAt === 'number' ? createdAt : undefined;
	return { record: { uniqueId, sourceName, type, createdAt: at }, sinceMs };
}
