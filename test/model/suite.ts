/** A sentence about every run, and what contradicts it in one. */
export interface Promised<Given> {
	title: string;
	/** Holds for these runs only; left out: for all. */
	holdsFor?(given: Given): boolean;
	/** @returns What is wrong; undefined if nothing is. */
	contradiction(given: Given): string | undefined;
}

/** @returns The first of the promises that does not hold. */
export function firstBroken<Given>(
	promises: Array<Promised<Given>>,
	given: Given,
): { title: string; what: string } | undefined {
	for (const { title, holdsFor, contradiction } of promises) {
		const what = holdsFor?.(given) === false ? undefined : contradiction(given);
		if (what !== undefined) return { title, what };
	}
	return undefined;
}

/** The first contradiction there is. */
export function firstOf<T>(
	all: readonly T[],
	contradiction: (one: T, index: number) => string | undefined,
): string | undefined {
	for (const [index, one] of all.entries()) {
		const what = contradiction(one, index);
		if (what !== undefined) return what;
	}
	return undefined;
}
