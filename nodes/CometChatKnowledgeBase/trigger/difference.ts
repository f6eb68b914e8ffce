import type { Shape } from '../api/shape';
import { list, number, optional, shape, text } from '../api/shape';
import type { Document, StatusById } from '../api/documents';
import { FAILED, isReady, NOT_LISTED } from '../api/documents';
import { UserError } from '../text/failure';
import { timeMs } from '../text/times';
import type { EventName } from './fields';

/*
 * What happens to a document between two polls:
 *
 * | It is                       | CometChat says            | Event                   | Watched from now on       |
 * | --------------------------- | ------------------------- | ----------------------- | ------------------------- |
 * | new                         | failed, or ready          | documentAdded, that end | no                        |
 * | new                         | anything else             | documentAdded           | yes, if there is room     |
 * | known                       | indexing                  | none                    | yes, if there is room     |
 * | watched                     | failed, or ready          | that end                | no                        |
 * | watched for 2 hours         | any other status          | stuck, once             | yes                       |
 * | watched, not listed         | notFound, in two polls    | none: it was deleted    | no                        |
 * | watched 7 days, not listed  | anything else, or nothing | none                    | no                        |
 *
 * New is what was created after `sinceMs` and is not in `seen`.
 */

const MOST_WATCHED = 1000;

/** In three requests. What is left is asked for first by the next poll. */
const MOST_ASKED = 300;

const DAY_MS = 24 * 3600_000;

/** Ours: a large website is indexed in an hour. */
const STUCK_MS = 2 * 3600_000;

/** What is not done after that time is taken for abandoned. */
const LONGEST_WATCHED_MS = 7 * DAY_MS;

/**
 * How far a poll looks back behind the newest: one may be listed late, or have been created in the same
 * millisecond as another. Ours; nothing is documented.
 */
const LATE_MS = 15 * 60_000;

/** A document of the list, and when it was created. */
export interface Listed {
	record: Document;
	createdMs: number;
}

/** The part of the list that a poll has read, newest first. */
export interface Reading {
	listed: Listed[];
	/** Where the list continues; undefined if it was read down to the known documents. */
	from?: string;
}

/** The state that a poll saves for the next one, as plain JSON. */
export interface State {
	/** The base URL whose documents these are. */
	account: string;
	/** Since when: all that were created until then are known without being named. */
	sinceMs: number;
	/** The documents that were created later and are known. */
	seen: Seen[];
	/** Where the next poll continues the list, if the last poll had no time to read it down to `sinceMs`. */
	from?: string;
	/** What is watched. The next poll asks for the first of them first. */
	watched: Watched[];
	/** When a poll last had events. Without it, the state after events may equal an earlier one. */
	emittedMs?: number;
}

/** A document that is known, and when it was created. */
type Seen = [id: string, createdMs: number];

/** A document that CometChat has not finished indexing, with what is to be said of it once it has. */
interface Watched {
	record: Pick<Document, 'uniqueId' | 'sourceName' | 'type'> & { createdAt?: number };
	/** When a poll first saw it like that. */
	sinceMs: number;
	/** Whether there was an event that it is stuck. */
	isStuck?: boolean;
	/** Whether the last answer left it out. */
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

/**
 * What an earlier poll has left; undefined if that is no state, or one of another account. It is taken
 * whole or not at all: half of one would repeat or lose events.
 *
 * @param json What n8n has persisted. What it shows has gone through the redaction before it was noted.
 */
export function readState(json: string | undefined, account: string): State | undefined {
	const found = json === undefined ? undefined : readWhole(JSON.parse(json));
	return found?.account === account ? found : undefined;
}

/**
 * Before the first poll, all documents are known. If the list has more than were read, those count as known, too. A list
 * that is empty by mistake must not make all documents new.
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

/** Something that has happened to a document. */
export interface TriggerEvent {
	event: EventName;
	record: Document;
}

/** The documents with the times of their creation. @throws UserError if one has none: nobody knows whether it is new. */
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

/** Those watched whose status the list does not show, as many as one poll asks for. */
export function toAskFor({ watched }: State, listed: Listed[]): string[] {
	const known = new Set<string>();
	for (const { record } of listed) {
		if (record.status === INDEXING || endEvent(record.status)) known.add(record.uniqueId);
	}
	const ids = watched.map(({ record }) => record.uniqueId).filter((id) => !known.has(id));
	return ids.slice(0, MOST_ASKED);
}

/** @param statuses Of those in `toAskFor`. One that is left out is not known, and the next poll asks for it first. */
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
		// A word that nobody has documented may be one on the way; of what is known it may be an end.
		const isToWatch = isNew ? end === undefined : status === INDEXING;
		if (isToWatch && watched.length < MOST_WATCHED) watched.push(watchedFrom(record, nowMs));
	}
	const seenNow = seenSince(before, { listed, from }, nowMs);
	return { events, state: { ...before, ...seenNow, from, watched } };
}

/** What has become of those that are watched. */
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
		// One answer that leaves a document out may be incomplete.
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

/** Whether a document that is not indexed should have been by now. Without an answer, nobody knows. */
export function isStuckSince(sinceMs: number, status: string | undefined, nowMs: number): boolean {
	const isOpen = status !== undefined && status !== NOT_LISTED && endEvent(status) === undefined;
	return isOpen && nowMs - sinceMs >= STUCK_MS;
}

/** What is known from now on: those that the list no longer shows, too, since it may show them again. */
function seenSince(before: State, { listed, from }: Reading, nowMs: number) {
	const all = [...new Map([...before.seen, ...listed.map(seenOf)])];
	// Behind one of a time to come all others would count as known.
	const past = all.flatMap(([, createdMs]) => (createdMs <= nowMs ? [createdMs] : []));
	const newestMs = past.reduce((newest, one) => Math.max(newest, one), 0);
	// As long as a part of the list is unread, any document behind that place may be new.
	const sinceMs =
		from === undefined ? Math.max(before.sinceMs, newestMs - LATE_MS) : before.sinceMs;
	return { sinceMs, seen: all.filter(([, createdMs]) => createdMs > sinceMs) };
}

/** What a status means for somebody who waits; undefined if it is no end. */
export function endEvent(status: string | undefined): EventName | undefined {
	if (status === FAILED) return 'indexingFailed';
	return isReady(status) ? 'indexingFinished' : undefined;
}

const INDEXING = 'indexing';

function watchedFrom({ uniqueId, sourceName, type, createdAt }: Document, sinceMs: number) {
	const at = typeof createdAt === 'number' ? createdAt : undefined;
	return { record: { uniqueId, sourceName, type, createdAt: at }, sinceMs };
}
