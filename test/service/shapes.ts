export type Shape<T> = (value: unknown) => value is T;

export type Shapes<T> = { [Name in keyof T]: Shape<T[Name]> };

/** The type of a value with these shapes. */
export type Given<S> = { [Name in keyof S]: S[Name] extends Shape<infer T> ? T : never };

/** A text, whose length is counted in whole characters. */
export function text(min = 0, max = Infinity): Shape<string> {
	return (value): value is string =>
		typeof value === 'string' &&
		value.length >= min &&
		(value.length <= max || [...value].length <= max);
}

export function number(min: number, max = Infinity): Shape<number> {
	return (value): value is number => typeof value === 'number' && value >= min && value <= max;
}

export function digits(min = 0, max = Infinity): Shape<string> {
	return (value): value is string =>
		typeof value === 'string' && /^\d+$/.test(value) && number(min, max)(Number(value));
}

export const flag: Shape<boolean> = (value) => typeof value === 'boolean';

export const record: Shape<Record<string, unknown>> = (value): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

export function oneOf(...choices: string[]): Shape<string> {
	return (value): value is string => typeof value === 'string' && choices.includes(value);
}

export function list<T>(of: Shape<T>, min = 0): Shape<T[]> {
	return (value): value is T[] => Array.isArray(value) && value.length >= min && value.every(of);
}

export function optional<T>(of: Shape<T>): Shape<T | undefined> {
	return (value): value is T | undefined => value === undefined || of(value);
}

/** An object of these fields, and no others. */
export function fields<T extends object>(shapes: Shapes<T>): Shape<T> {
	const checks = new Map<string, unknown>(Object.entries(shapes));
	return (value): value is T =>
		record(value) &&
		[...checks.keys(), ...Object.keys(value)].every((name) => {
			const fits = checks.get(name);
			return typeof fits === 'function' && fits(value[name]);
		});
}
