export const APP_ID = 'stand-in-app';

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
