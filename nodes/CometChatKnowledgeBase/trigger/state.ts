import type { Document } from '../service/documents';
import { isRecord } from '../values/userError';
import type { Listed } from './creation';

export const DAY_MS = 24 * 3600_000;

/** What a poll leaves for the next one: plain JSON, and small, however many documents there are. */
export interface State {
	/** The base URL whose documents these are. */
	account: string;
	/** Since when: all that were created until then are known without being named. */
	sinceMs: number;
	/** What was seen of those that were created later. */
	seen: Seen[];
	/** What is watched. The next poll asks for the first of them first. */
	watched: Watched[];
}

/** A document that is known, and when it was created. */
export type Seen = [id: string, createdMs: number];

/** A document that CometChat has not finished indexing, with what is to be said of it once it has. */
export interface Watched {
	record: Pick<Document, 'uniqueId' | 'sourceName' | 'type'> & { createdAt?: number };
	/** When a poll first saw it like that. */
	sinceMs: number;
}

/**
 * What an earlier poll has left; undefined if that is no state, or one of another account. It is taken
 * whole or not at all: half of one would repeat or lose events.
 *
 * @param json What n8n has kept. What it shows has gone through the redaction before it was noted.
 */
export function readState(json: string | undefined, account: string): State | undefined {
	const value: unknown = json === undefined ? undefined : JSON.parse(json);
	return isState(value) && value.account === account ? value : undefined;
}

/**
 * Before the first poll all is known that it finds. A list that is empty by mistake must not make all of
 * it new.
 */
export function firstState(account: string, listed: Listed[], nowMs: number): State {
	const sinceMs = listed.length === 0 ? nowMs - DAY_MS : 0;
	return { account, sinceMs, seen: listed.map(seenOf), watched: [] };
}

export function seenOf({ record, createdMs }: Listed): Seen {
	return [record.uniqueId, createdMs];
}

function isState(value: unknown): value is State {
	if (!isRecord(value) || !Array.isArray(value.seen) || !Array.isArray(value.watched)) return false;
	const { account, sinceMs, seen, watched } = value;
	return areTexts(account) && areNumbers(sinceMs) && seen.every(isSeen) && watched.every(isWatched);
}

function isSeen(value: unknown): value is Seen {
	return Array.isArray(value) && areTexts(value[0]) && areNumbers(value[1]);
}

function isWatched(value: unknown): value is Watched {
	if (!isRecord(value) || !isRecord(value.record)) return false;
	const { uniqueId, sourceName = '', type = '', createdAt = 0 } = value.record;
	return areTexts(uniqueId, sourceName, type) && areNumbers(createdAt, value.sinceMs);
}

function areTexts(...values: unknown[]): boolean {
	return values.every((value) => typeof value === 'string');
}

function areNumbers(...values: unknown[]): boolean {
	return values.every((value) => typeof value === 'number');
}
