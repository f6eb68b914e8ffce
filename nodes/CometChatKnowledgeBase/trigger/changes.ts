import type { KnowledgeBaseRecord } from '../service/records';
import type { StatusById } from '../service/statuses';
import { FAILED, isReady, NOT_LISTED } from '../service/statuses';
import type { Checkpoint, Unfinished } from './checkpoint';
import { emptyCheckpoint, isAbandoned, nextCheckpoint } from './checkpoint';
import type { EventName } from './fields';

/** Something that has happened to a document. */
export interface Change {
	event: EventName;
	record: KnowledgeBaseRecord;
}

/** What has happened since the poll before. */
export interface Changes {
	/** The oldest document first, of what was watched and of what is new. */
	changes: Change[];
	next: Checkpoint;
	/** How many documents are no longer watched although they have not finished. */
	givenUp: number;
}

const INDEXING = 'indexing';

/**
 * When each of these was created. The list is newest first, so that one without a time is no older than
 * the one behind it, and has its time: a new one is found like that, and one that is known is never taken
 * for newer than it was. At the end of the list nobody knows: it counts as long ago. Undefined if none of
 * them has a time.
 */
export function creationTimes(listed: KnowledgeBaseRecord[]): number[] | undefined {
	if (listed.length > 0 && oldestMs(listed) === undefined) return undefined;
	let behindMs = 0;
	const times: number[] = [];
	for (const record of [...listed].reverse()) {
		behindMs = createdMs(record) ?? behindMs;
		times.push(behindMs);
	}
	return times.reverse();
}

/** When the last of these was created that says so. */
export function oldestMs(listed: KnowledgeBaseRecord[]): number | undefined {
	return listed
		.map(createdMs)
		.filter((ms) => ms !== undefined)
		.at(-1);
}

function createdMs({ createdAt }: KnowledgeBaseRecord): number | undefined {
	return typeof createdAt === 'number' && Number.isFinite(createdAt) ? createdAt : undefined;
}

/** What is known without an event: all that is there at the first poll. */
export function firstCheckpoint(
	account: string,
	listed: KnowledgeBaseRecord[],
	times: number[],
	nowMs: number,
): Checkpoint {
	const empty = emptyCheckpoint(account, listed.length === 0, nowMs);
	const unfinished = listed
		.filter(({ status }) => status === INDEXING)
		.map((record) => watched(record, nowMs));
	return nextCheckpoint(empty, knownOf(listed, times), unfinished, nowMs).next;
}

/** Those not known to have finished, whose status the list does not tell: it may be too long ago. */
export function toAskFor({ unfinished }: Checkpoint, listed: KnowledgeBaseRecord[]): string[] {
	const told = new Set(
		listed
			.filter(({ status }) => status === INDEXING || endOf(status) !== undefined)
			.map(({ uniqueId }) => uniqueId),
	);
	return unfinished.map(({ record }) => record.uniqueId).filter((id) => !told.has(id));
}

/**
 * What has happened between a checkpoint and now. A document that is listed for the first time has been
 * added, whatever its status is; and if that is a good or a bad end, it has come to that, too.
 *
 * @param listed Newest first: at least all that were created after the checkpoint's `floorMs`.
 * @param times When each of them was created.
 * @param statuses Of those in `toAskFor`.
 */
export function changesSince(
	before: Checkpoint,
	listed: KnowledgeBaseRecord[],
	times: number[],
	statuses: StatusById,
	nowMs: number,
): Changes {
	const changes: Change[] = [];
	const known = new Set(before.recent.map(({ id }) => id));
	const isListed = new Map(listed.map((record) => [record.uniqueId, record]));
	const still: Unfinished[] = [];
	let givenUp = 0;
	for (const one of before.unfinished) {
		const { uniqueId } = one.record;
		const record = isListed.get(uniqueId);
		const status = statuses.get(uniqueId) ?? record?.status;
		const event = endOf(status);
		if (event !== undefined) changes.push({ event, record: { ...(record ?? one.record), status } });
		// What the service no longer knows was deleted.
		else if (status === NOT_LISTED && record === undefined) continue;
		// Shown as indexing today, it is not forgotten.
		else if (record === undefined && isAbandoned(one, nowMs)) givenUp += 1;
		else still.push(one);
	}
	const watchedIds = new Set(before.unfinished.map(({ record }) => record.uniqueId));
	const fromOldest = listed.map((record, at) => ({ record, createdMs: times[at] ?? 0 })).reverse();
	for (const { record, createdMs: ms } of fromOldest) {
		const { uniqueId, status } = record;
		if (watchedIds.has(uniqueId)) continue;
		const isNew = ms > before.floorMs && !known.has(uniqueId);
		if (isNew) changes.push({ event: 'documentAdded', record });
		const event = endOf(status);
		if (isNew && event !== undefined) changes.push({ event, record });
		// A word that nobody has documented may be one on the way; of what is known it may be an end.
		if (isNew ? event === undefined : status === INDEXING) still.push(watched(record, nowMs));
	}
	const { next, tooMany } = nextCheckpoint(before, knownOf(listed, times), still, nowMs);
	return { changes, next, givenUp: givenUp + tooMany.length };
}

/** What a status means for somebody who waits; undefined if it is no end. */
export function endOf(status: string | undefined): EventName | undefined {
	if (status === FAILED) return 'indexingFailed';
	return isReady(status) ? 'indexingFinished' : undefined;
}

function knownOf(listed: KnowledgeBaseRecord[], times: number[]) {
	return listed.map(({ uniqueId }, at) => ({ id: uniqueId, createdMs: times[at] ?? 0 }));
}

function watched(record: KnowledgeBaseRecord, sinceMs: number): Unfinished {
	const { uniqueId, sourceName, type } = record;
	const createdAt = createdMs(record);
	return {
		record: {
			uniqueId,
			...(sourceName === undefined ? {} : { sourceName }),
			...(type === undefined ? {} : { type }),
			...(createdAt === undefined ? {} : { createdAt }),
		},
		sinceMs,
	};
}
