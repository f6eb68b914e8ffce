import { digits, oneOf, optional, type Shape } from './shapes';

export const MINUTE_MS = 60_000;

/** What a stand-in starts with is a minute apart, and this is when the newest came. */
export function startMs(index: number): number {
	return Date.UTC(2026, 0, 31, 12) - index * MINUTE_MS;
}

/** The entries to start with, or so many made up by their numbers: `001`, `002` … */
export function seeds<Seed>(start: Seed[] | number, makeUp: (number: string) => Seed): Seed[] {
	if (typeof start !== 'number') return start;
	return Array.from({ length: start }, (_, index) => makeUp(String(index + 1).padStart(3, '0')));
}

/** What lists of pages take. `affix=prepend`, the way back, is not needed here. */
export const PAGED = { limit: optional(digits(1, 100)), affix: optional(oneOf('append')) };

const CURSOR: Shape<string> = (value): value is string => /^\d+\.\d+$/.test(String(value));

export const BY_CURSOR = { ...PAGED, cursor: optional(CURSOR) };

/** Where an entry stands in a list that is sorted newest first. */
export interface Place {
	createdAt: number;
	/** Tells entries of one millisecond apart: the later one has the higher number. */
	sequence: number;
}

/** Below 0 if the one comes first, being newer. */
export function newestFirst(one: Place, other: Place): number {
	return other.createdAt - one.createdAt || other.sequence - one.sequence;
}

/** Written `1732492800000.12345`, as in the documentation's example: the parts are chosen here. */
export function cursorOf({ createdAt, sequence }: Place): string {
	return `${createdAt}.${sequence}`;
}

/** Of a list that is sorted newest first, what is behind the place that a cursor names. */
export function behindCursor<Entry extends Place>(found: Entry[], cursor?: string): Entry[] {
	if (cursor === undefined) return found;
	const [createdAt = 0, sequence = 0] = cursor.split('.').map(Number);
	return found.filter((entry) => newestFirst({ createdAt, sequence }, entry) < 0);
}

/** @param placeOf How the list names where another page starts, which is not on that page. */
export function cutPage<Entry>(found: Entry[], limit = '10', placeOf: (entry: Entry) => object) {
	const data = found.slice(0, Number(limit));
	const last = data.at(-1);
	const isMore = last !== undefined && data.length < found.length;
	const next = isMore ? { affix: 'append', ...placeOf(last) } : undefined;
	return { data, meta: { current: { count: data.length }, next } };
}
