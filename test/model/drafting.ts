import fc from 'fast-check';

export const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });

/** Draws a value in one of `many` cases. (`fc.option` counts the cases with a value for one without.) */
export const oneIn = <T>(many: number, values: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
	fc.oneof(
		{ weight: many - 1, arbitrary: fc.constant(undefined) },
		{ weight: 1, arbitrary: values },
	);
