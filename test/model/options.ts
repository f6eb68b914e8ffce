import fc from 'fast-check';

/** At times left out. */
export const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });

/** In one of so many. (`fc.option` counts the other way round: how many have it for one without.) */
export const oneIn = <T>(many: number, values: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
	fc.oneof(
		{ weight: many - 1, arbitrary: fc.constant(undefined) },
		{ weight: 1, arbitrary: values },
	);

/** Of the node's 'Options', those that every operation has; what is undefined is not set. */
export interface Pacing {
	parallelRequests?: number;
	maxAttempts?: number;
	maxWaitSeconds?: number;
	timeoutSeconds?: number;
	maxRequestsPerMinute?: number;
}

export const pacing = {
	parallelRequests: maybe(fc.integer({ min: 1, max: 5 })),
	maxAttempts: maybe(fc.integer({ min: 1, max: 4 })),
	maxWaitSeconds: maybe(fc.constantFrom(0, 1, 5, 30, 120, 600)),
	timeoutSeconds: maybe(fc.constantFrom(1, 3, 60)),
	maxRequestsPerMinute: fc.option(fc.constantFrom(1, 7, 60, 500, 20_000), {
		nil: undefined,
		freq: 2,
	}),
};

/** As they stand in a workflow, which has only those that are set. */
export function asSet<T extends object>(options: T): Partial<T> {
	const copy: Partial<T> = { ...options };
	for (const key of Object.keys(copy)) {
		if (Reflect.get(copy, key) === undefined) Reflect.deleteProperty(copy, key);
	}
	return copy;
}
