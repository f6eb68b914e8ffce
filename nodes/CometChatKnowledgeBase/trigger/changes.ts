import type { KnowledgeBaseRecord } from '../service/records';
import type { StatusById } from '../service/statuses';
import { FAILED, isReady, NOT_LISTED } from '../service/statuses';
import type { ShownText } from '../values/shown';
import type { Checkpoint, Unfinished } from './checkpoint';
import {
	emptyCheckpoint,
	isAbandoned,
	knownUntilMs,
	MOST_UNFINISHED,
	nextCheckpoint,
} from './checkpoint';
import type { Listed } from './creation';
import { oldestMs } from './creation';
import type { EventName, ToldEvent } from './fields';

/** Something that has happened to a document. */
export interface TriggerChange {
	event: ToldEvent;
	record: KnowledgeBaseRecord;
	/** Why it is not watched, in words. */
	reason?: ShownText;
}

/** What has happened since the poll before. */
export interface Changes {
	/** The oldest document first, of what was watched and of what is new. */
	changes: TriggerChange[];
	next: Checkpoint;
}

const INDEXING = 'indexing';

/** What is known without an event: all that is there at the first poll. */
export function firstCheckpoint(account: string, listed: Listed, nowMs: number): Checkpoint {
	const unfinished = listed.records.filter(isUnfinished).map((record) => watched(record, nowMs));
	return nextCheckpoint(emptyCheckpoint(account, listed), listed, unfinished).next;
}

/** Whether CometChat says of a document that it has not finished. */
export function isUnfinished({ status }: KnowledgeBaseRecord): boolean {
	return status === INDEXING;
}

/** Whether all that a page does not show is known: what was created before it, and those of one time with its last. */
export function reachesKnown(
	before: Checkpoint,
	page: KnowledgeBaseRecord[],
	asOfMs: number,
): boolean {
	const { recent } = before;
	const floorMs = knownUntilMs(before, asOfMs);
	const lastMs = oldestMs(page);
	if (lastMs === undefined || lastMs > floorMs) return false;
	const twins = new Set(recent.filter((one) => one.createdMs === floorMs).map(({ id }) => id));
	return lastMs < floorMs || twins.size === 0 || page.some(({ uniqueId }) => twins.has(uniqueId));
}

/**
 * Those not known to have finished, whose status the list does not tell: it may be too long ago. First
 * comes what an earlier poll did not get to.
 */
export function toAskFor(
	{ unfinished, askFrom }: Checkpoint,
	listed: KnowledgeBaseRecord[],
): string[] {
	const told = new Set(
		listed
			.filter((record) => isUnfinished(record) || endEvent(record.status) !== undefined)
			.map(({ uniqueId }) => uniqueId),
	);
	return [...unfinished.slice(askFrom), ...unfinished.slice(0, askFrom)]
		.map(({ record }) => record.uniqueId)
		.filter((id) => !told.has(id));
}

/**
 * What has happened between a checkpoint and now. A document that is listed for the first time has been
 * added, whatever its status is; and if that is a good or a bad end, it has come to that, too.
 *
 * @param listed At least all that were created after the checkpoint's `floorMs`.
 * @param statuses Of those in `toAskFor`. One that is left out is not known, and asked for by the next poll.
 */
export function changesSince(
	before: Checkpoint,
	listed: Listed,
	statuses: StatusById,
	nowMs: number,
): Changes {
	const watch = watchedSince(before, listed, statuses, nowMs);
	const arrival = arrivedSince(before, listed, nowMs);
	const { next, tooMany } = nextCheckpoint(before, listed, [...watch.still, ...arrival.still]);
	// One that was known before has been told of then, and is taken on once there is room.
	const unwatched = tooMany
		.filter(({ record }) => arrival.newIds.has(record.uniqueId))
		.map((one) => notWatched(one, TOO_MANY));
	return {
		changes: [...watch.changes, ...arrival.changes, ...unwatched],
		next: { ...next, askFrom: firstNotToldAt(next, toAskFor(before, listed.records), statuses) },
	};
}

/** What has become of those that are watched. */
function watchedSince(
	before: Checkpoint,
	{ records }: Listed,
	statuses: StatusById,
	nowMs: number,
): { changes: TriggerChange[]; still: Unfinished[] } {
	const listedById = new Map(records.map((record) => [record.uniqueId, record]));
	const changes: TriggerChange[] = [];
	const still: Unfinished[] = [];
	for (const one of before.unfinished) {
		const { uniqueId } = one.record;
		const record = listedById.get(uniqueId);
		const status = statuses.get(uniqueId) ?? record?.status;
		const event = endEvent(status);
		if (event !== undefined) changes.push({ event, record: { ...(record ?? one.record), status } });
		// What the service no longer knows was deleted.
		else if (status === NOT_LISTED && record === undefined) continue;
		// Shown as indexing today, it is not forgotten.
		else if (record === undefined && isAbandoned(one, nowMs)) {
			changes.push(notWatched(one, TOO_LONG));
		} else still.push(one);
	}
	return { changes, still };
}

/** What has come, and what is to be watched from now on. */
function arrivedSince(
	before: Checkpoint,
	{ records, times }: Listed,
	nowMs: number,
): { changes: TriggerChange[]; still: Unfinished[]; newIds: ReadonlySet<string> } {
	const changes: TriggerChange[] = [];
	const still: Unfinished[] = [];
	const newIds = new Set<string>();
	const watchedIds = new Set(before.unfinished.map(({ record }) => record.uniqueId));
	const isNewAt = newcomers(before, { records, times });
	const fromOldest = records.map((record, at) => ({ record, isNew: isNewAt(at) })).reverse();
	for (const { record, isNew } of fromOldest) {
		const { uniqueId, status } = record;
		if (watchedIds.has(uniqueId)) continue;
		if (isNew) newIds.add(uniqueId);
		if (isNew) changes.push({ event: 'documentAdded', record });
		const event = endEvent(status);
		if (isNew && event !== undefined) changes.push({ event, record });
		// A word that nobody has documented may be one on the way; of what is known it may be an end.
		if (isNew ? event === undefined : isUnfinished(record)) still.push(watched(record, nowMs));
	}
	return { changes, still, newIds };
}

/**
 * Tells of a place in the list whether the one there is new. Of those that were all created at the
 * checkpoint's time only the first are known by their names: one that stands before one of these is new.
 */
function newcomers(
	{ floorMs, recent }: Checkpoint,
	{ records, times }: Pick<Listed, 'records' | 'times'>,
): (at: number) => boolean {
	const known = new Set(recent.map(({ id }) => id));
	const isKnown = (at: number) => known.has(records[at]?.uniqueId ?? '');
	const lastTwin = times.reduce((last, ms, at) => (ms === floorMs && isKnown(at) ? at : last), -1);
	return (at) => {
		const ms = times[at] ?? 0;
		return !isKnown(at) && (ms > floorMs || (ms === floorMs && at < lastTwin));
	};
}

/** Where the next poll begins to ask: at the first that this one had no answer for. */
function firstNotToldAt({ unfinished }: Checkpoint, asked: string[], statuses: StatusById): number {
	const id = asked.find((one) => !statuses.has(one));
	const at = unfinished.findIndex(({ record }) => record.uniqueId === id);
	return Math.max(0, at);
}

/** What a status means for somebody who waits; undefined if it is no end. */
export function endEvent(status: string | undefined): EventName | undefined {
	if (status === FAILED) return 'indexingFailed';
	return isReady(status) ? 'indexingFinished' : undefined;
}

function watched(record: KnowledgeBaseRecord, sinceMs: number): Unfinished {
	const { uniqueId, sourceName, type, createdAt } = record;
	return {
		record: {
			uniqueId,
			...(sourceName === undefined ? {} : { sourceName }),
			...(type === undefined ? {} : { type }),
			// Shown as it is, also where it is no time that counts.
			...(typeof createdAt === 'number' && Number.isFinite(createdAt) ? { createdAt } : {}),
		},
		sinceMs,
	};
}

const TOO_MANY = `More than ${MOST_UNFINISHED / 1000},000 documents are being indexed.` as const;
const TOO_LONG = 'It has not finished within seven days.';

function notWatched({ record }: Unfinished, reason: ShownText): TriggerChange {
	return { event: 'notWatched', record: { ...record, status: INDEXING }, reason };
}
