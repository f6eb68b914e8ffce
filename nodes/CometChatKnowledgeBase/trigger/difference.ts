import type { Document } from '../service/documents';
import type { StatusById } from '../service/statuses';
import { FAILED, isReady, NOT_LISTED } from '../service/statuses';
import type { Listed } from './creation';
import type { EventName, ToldEvent } from './fields';
import type { State, Watched } from './state';
import { seenOf } from './state';

/*
 * What happens to a document between two polls:
 *
 * | It is                   | CometChat says            | Event                         | Watched from now on       |
 * | ----------------------- | ------------------------- | ----------------------------- | ------------------------- |
 * | new                     | failed, or ready          | documentAdded, and that end   | no                        |
 * | new                     | anything else             | documentAdded                 | yes                       |
 * | new, with 1,000 watched | anything else             | documentAdded, notWatched     | when it is seen with room |
 * | known                   | indexing                  | none                          | yes, if there is room     |
 * | watched                 | failed, or ready          | that end                      | no                        |
 * | watched, and listed     | anything else             | none                          | yes                       |
 * | watched, not listed     | notFound                  | none: it was deleted          | no                        |
 * | watched, not listed     | anything else, or nothing | none; after 7 days notWatched | for 7 days                |
 *
 * New is what was created after `sinceMs` and is not in `seen`.
 */

/** More at once are not watched: asking for them takes a request for each 100. */
const MOST_WATCHED = 1000;

/** What is not done after that time is taken for abandoned. */
const LONGEST_WATCHED_MS = 7 * 24 * 3600_000;

/** So many of the newest are known by their IDs at most. */
const MOST_SEEN = 500;

/**
 * How far a poll looks back behind the newest: one may be listed late, or have been created in the same
 * millisecond as another. Ours; nothing is documented.
 */
const LATE_MS = 15 * 60_000;

/** Something that has happened to a document. */
export interface TriggerEvent {
	event: ToldEvent;
	record: Document;
	/** Why it is not watched, in words. */
	reason?: string;
}

/** What has happened since the poll before. */
export interface Difference {
	events: TriggerEvent[];
	state: State;
}

/** Those watched whose status the list does not tell: it may be too long ago. */
export function toAskFor({ watched }: State, listed: Listed[]): string[] {
	const told = listed.filter(({ record: { status } }) => status === INDEXING || endEvent(status));
	const toldIds = new Set<string>(told.map(({ record }) => record.uniqueId));
	return watched.map(({ record }) => record.uniqueId).filter((id) => !toldIds.has(id));
}

/**
 * @param listed Newest first, and at least all that were created since.
 * @param statuses Of those in `toAskFor`. One that is left out is not known, and the next poll asks for it first.
 * @param nowMs By CometChat's clock, or ours where that does not show.
 */
export function difference(
	before: State,
	listed: Listed[],
	statuses: StatusById,
	nowMs: number,
): Difference {
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
		else if (isToWatch && isNew) events.push({ event: 'notWatched', record, reason: TOO_MANY });
	}
	return { events, state: { ...before, ...seenSince(before, listed, nowMs), watched } };
}

/** What has become of those that are watched. */
function ofWatched(
	before: State,
	listed: Listed[],
	statuses: StatusById,
	nowMs: number,
): { events: TriggerEvent[]; watched: Watched[] } {
	const listedById = new Map(listed.map(({ record }) => [record.uniqueId, record]));
	const events: TriggerEvent[] = [];
	const watched: Watched[] = [];
	for (const one of before.watched) {
		const { uniqueId } = one.record;
		const record = listedById.get(uniqueId);
		const status = statuses.get(uniqueId) ?? record?.status;
		const event = endEvent(status);
		const isAbandoned = nowMs - one.sinceMs > LONGEST_WATCHED_MS;
		if (event !== undefined) events.push({ event, record: { ...(record ?? one.record), status } });
		else if (record !== undefined) watched.push(one);
		else if (status === NOT_LISTED) continue;
		else if (isAbandoned) events.push(abandoned(one));
		else watched.push(one);
	}
	const isAnswered = ({ record }: Watched) => Number(statuses.has(record.uniqueId));
	watched.sort((one, other) => isAnswered(one) - isAnswered(other));
	return { events, watched };
}

/** What is known from now on: those that the list no longer shows, too, since it may show them again. */
function seenSince(
	before: State,
	listed: Listed[],
	nowMs: number,
): Pick<State, 'sinceMs' | 'seen'> {
	const all = new Map([...before.seen, ...listed.map(seenOf)]);
	const seen = [...all].sort(([, one], [, other]) => other - one);
	// Behind one of a time to come all others would count as known.
	const newestMs = seen.find(([, createdMs]) => createdMs <= nowMs)?.[1] ?? 0;
	const sinceMs = Math.max(before.sinceMs, newestMs - LATE_MS, seen[MOST_SEEN]?.[1] ?? 0);
	return { sinceMs, seen: seen.filter(([, createdMs]) => createdMs > sinceMs) };
}

/** What a status means for somebody who waits; undefined if it is no end. */
export function endEvent(status: string | undefined): EventName | undefined {
	if (status === FAILED) return 'indexingFailed';
	return isReady(status) ? 'indexingFinished' : undefined;
}

const INDEXING = 'indexing';

function watchedFrom(record: Document, sinceMs: number): Watched {
	const { uniqueId, sourceName, type, createdAt } = record;
	const at = typeof createdAt === 'number' ? { createdAt } : {};
	return { record: { uniqueId, sourceName, type, ...at }, sinceMs };
}

const TOO_MANY = 'More than 1,000 documents are being indexed.';
const TOO_LONG = 'It has not finished within seven days.';

function abandoned({ record }: Watched): TriggerEvent {
	return { event: 'notWatched', record: { ...record, status: INDEXING }, reason: TOO_LONG };
}
