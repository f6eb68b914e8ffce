import type { KnowledgeBaseRecord } from '../service/records';
import { inMs } from '../values/times';

/** No document is older: CometChat has its knowledge base since 2025. What lies before is no time of one. */
const EARLIEST_MS = Date.UTC(2020, 0);

/** What was listed, newest first. */
export interface Listed {
	records: KnowledgeBaseRecord[];
	/** When each of them was created (`creationTimes`). */
	times: number[];
	/** When it was read, by CometChat's clock, or ours where that does not show: a later time is one to come. */
	asOfMs: number;
	/** Whether there are none behind these. */
	isWhole: boolean;
}

/**
 * When each of these was created. The list is newest first, so that one without a time is no older than
 * the one behind it, and has its time: a new one is found like that, and one that is known is never taken
 * for newer than it was. At the end of the list nobody knows: it counts as long ago. Undefined if none of
 * them has a time.
 */
export function creationTimes(records: KnowledgeBaseRecord[]): number[] | undefined {
	if (records.length > 0 && oldestMs(records) === undefined) return undefined;
	let behindMs = 0;
	const times: number[] = [];
	for (const record of [...records].reverse()) {
		behindMs = creationMs(record) ?? behindMs;
		times.push(behindMs);
	}
	return times.reverse();
}

/** When the last of these was created that says so. */
export function oldestMs(records: KnowledgeBaseRecord[]): number | undefined {
	return records
		.map(creationMs)
		.filter((ms) => ms !== undefined)
		.at(-1);
}

/**
 * Undefined for what can be no time of a document. One that is counted in seconds would be of 1970, and
 * known for ever before it came.
 */
export function creationMs({ createdAt }: KnowledgeBaseRecord): number | undefined {
	if (typeof createdAt !== 'number' || !Number.isFinite(createdAt)) return undefined;
	const ms = inMs(createdAt);
	return ms < EARLIEST_MS ? undefined : ms;
}
