import fc from 'fast-check';

/** At times left out. */
export const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });

/** In one of so many. (`fc.option` counts the other way round: how many have it for one without.) */
export const oneIn = <T>(many: number, values: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
	fc.oneof(
		{ weight: many - 1, arbitrary: fc.constant(undefined) },
		{ weight: 1, arbitrary: values },
	);
