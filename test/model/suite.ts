/** A promise about each execution, and the check for its contradiction. */
export interface Promised<Given> {
	title: string;
	/** The executions of the promise; left out: all. */
	holdsFor?(given: Given): boolean;
	/** @returns The contradiction; undefined without one. */
	contradiction(given: Given): string | undefined;
}

/** @returns The first broken promise. */
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
