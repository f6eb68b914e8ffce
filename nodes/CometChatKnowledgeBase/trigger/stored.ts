import { given } from '../values/shown';
import { isRecord } from '../values/validationIssue';
import type { Checkpoint, Known, Unfinished } from './checkpoint';

/**
 * Names and types that are kept, in characters as JSON writes them. CometChat's titles have up to 500
 * characters each, and n8n loads what is stored with the workflow; the list tells those that are not kept.
 */
const MOST_SAID = 250_000;

type StoredKnown = [id: string, createdMs: number];
type StoredDocument =
	| [id: string, createdAt: number | null]
	| [id: string, createdAt: number | null, type: string | null, sourceName: string | null];

/** Those that one poll was the first to see. */
type StoredGroup = { sinceMs: number; documents: StoredDocument[] };

/** A checkpoint as n8n keeps it, in JSON. */
export type StoredCheckpoint = {
	version: 2;
	account: string;
	floorMs: number;
	recent: StoredKnown[];
	unfinished: StoredGroup[];
	askFrom: number;
};

export function toStored(checkpoint: Checkpoint): StoredCheckpoint {
	const { account, floorMs, recent, unfinished, askFrom } = checkpoint;
	let left = MOST_SAID;
	const groups: StoredGroup[] = [];
	for (const { record, sinceMs } of unfinished) {
		const { uniqueId, createdAt = null, type = null, sourceName = null } = record;
		let group = groups.at(-1);
		if (group?.sinceMs !== sinceMs) {
			group = { sinceMs, documents: [] };
			groups.push(group);
		}
		const said = JSON.stringify([type, sourceName]).length;
		const isKept = said <= left;
		if (isKept) left -= said;
		const short = [uniqueId, createdAt] satisfies StoredDocument;
		group.documents.push(isKept ? [...short, type, sourceName] : short);
	}
	const known = recent.map(({ id, createdMs }): StoredKnown => [id, createdMs]);
	return { version: 2, account, floorMs, recent: known, unfinished: groups, askFrom };
}

/**
 * What an earlier poll has left, of this version of the package or the one before; undefined if it is no
 * checkpoint, or one of another account. It is taken whole or not at all: half of one would repeat or
 * lose events.
 */
export function fromStored(value: unknown, account: string): Checkpoint | undefined {
	if (!isRecord(value) || value.account !== account) return undefined;
	const { version, floorMs, askFrom = 0 } = value;
	const isFirst = version === 1;
	const recent = storedList(value.recent, isFirst ? knownOfFirst : knownOf);
	const unfinished = isFirst
		? storedList(value.unfinished, unfinishedOfFirst)
		: storedList(value.unfinished, groupOf)?.flat();
	const isOfPackage = isFirst || version === 2;
	if (!isOfPackage || recent === undefined || unfinished === undefined) return undefined;
	return isNumber(floorMs) && isNumber(askFrom)
		? { account, floorMs, recent, unfinished, askFrom }
		: undefined;
}

/** Undefined if any entry is none. */
function storedList<Entry>(
	value: unknown,
	read: (entry: unknown) => Entry | undefined,
): Entry[] | undefined {
	if (!Array.isArray(value)) return undefined;
	const entries: Entry[] = [];
	for (const given of value) {
		const entry = read(given);
		if (entry === undefined) return undefined;
		entries.push(entry);
	}
	return entries;
}

function knownOf(value: unknown): Known | undefined {
	if (!Array.isArray(value)) return undefined;
	const [id, createdMs]: unknown[] = value;
	return isId(id) && isNumber(createdMs) ? { id, createdMs } : undefined;
}

function groupOf(value: unknown): Unfinished[] | undefined {
	if (!isRecord(value) || !isNumber(value.sinceMs)) return undefined;
	const { sinceMs } = value;
	return storedList(value.documents, (one) => documentOf(one, sinceMs));
}

function documentOf(value: unknown, sinceMs: number): Unfinished | undefined {
	if (!Array.isArray(value)) return undefined;
	const [uniqueId, createdAt, type, sourceName]: unknown[] = value;
	return unfinishedFrom({ uniqueId, createdAt, type, sourceName }, sinceMs);
}

/** The versions before 0.2.0 wrote `{ id, createdMs }`. */
function knownOfFirst(value: unknown): Known | undefined {
	return isRecord(value) ? knownOf([value.id, value.createdMs]) : undefined;
}

function unfinishedOfFirst(value: unknown): Unfinished | undefined {
	if (!isRecord(value) || !isRecord(value.record)) return undefined;
	return unfinishedFrom(value.record, value.sinceMs);
}

/** @param record What is not known of it is null, or left out. */
function unfinishedFrom(record: Record<string, unknown>, sinceMs: unknown): Unfinished | undefined {
	const { uniqueId, createdAt, type, sourceName } = record;
	if (!isId(uniqueId) || !isNumber(sinceMs)) return undefined;
	if (!isAbsent(createdAt) && !isNumber(createdAt)) return undefined;
	if (!isAbsent(type) && typeof type !== 'string') return undefined;
	if (!isAbsent(sourceName) && typeof sourceName !== 'string') return undefined;
	return {
		record: {
			// It has gone through the redaction before it was noted.
			uniqueId: given(uniqueId),
			...(isAbsent(sourceName) ? {} : { sourceName: given(sourceName) }),
			...(isAbsent(type) ? {} : { type: given(type) }),
			...(isAbsent(createdAt) ? {} : { createdAt }),
		},
		sinceMs,
	};
}

function isAbsent(value: unknown): value is null | undefined {
	return value === undefined || value === null;
}

function isNumber(value: unknown): value is number {
	return typeof value === 'number' && Number.isFinite(value);
}

function isId(value: unknown): value is string {
	return typeof value === 'string' && value !== '';
}
