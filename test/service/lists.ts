import { digits, oneOf, optional, type Shape } from './shapes';

export const MINUTE_MS = 60_000;

/** Returns the time of an entry at the start, each a minute older than the previous entry. */
export function startMs(index: number): number {
	return Date.UTC(2026, 0, 31, 12) - index * MINUTE_MS;
}

/** Returns the entries at the start, or a number of entries with the names `001`, `002` … */
export function seeds<Seed>(start: Seed[] | number, makeUp: (number: string) => Seed): Seed[] {
	if (typeof start !== 'number') return start;
	return Array.from({ length: start }, (_, index) => makeUp(String(index + 1).padStart(3, '0')));
}

/** The parameters of lists with pages. `affix=prepend` is not needed. */
export const PAGED = { limit: optional(digits(1, 100)), affix: optional(oneOf('append')) };

const CURSOR: Shape<string> = (value): value is string => /^\d+\.\d+$/.test(String(value));

export const BY_CURSOR = { ...PAGED, cursor: optional(CURSOR) };

/** The place of an entry in a list, newest first. */
export interface Place {
	createdAt: number;
	/** Distinguishes entries of the same millisecond: the later entry has the higher number. */
	sequence: number;
}

/** Compares entries: below 0 if the first is newer. */
export function newestFirst(one: Place, other: Place): number {
	return other.createdAt - one.createdAt || other.sequence - one.sequence;
}

/** Returns a cursor such as `1732492800000.12345`, as in the documentation's example. Its parts are our choice. */
export function cursorOf({ createdAt, sequence }: Place): string {
	return `${createdAt}.${sequence}`;
}

export function behindCursor<Entry extends Place>(found: Entry[], cursor?: string): Entry[] {
	if (cursor === undefined) return found;
	const [createdAt = 0, sequence = 0] = cursor.split('.').map(Number);
	return found.filter((entry) => newestFirst({ createdAt, sequence }, entry) < 0);
}

/** Cuts a page. @param placeOf Returns the start of the next page, after its entry. */
export function cutPage<Entry>(found: Entry[], limit = '10', placeOf: (entry: Entry) => object) {
	const data = found.slice(0, Number(limit));
	const last = data.at(-1);
	const isMore = last !== undefined && data.length < found.length;
	const next = isMore ? { affix: 'append', ...placeOf(last) } : undefined;
	return { data, meta: { current: { count: data.length }, next } };
}
