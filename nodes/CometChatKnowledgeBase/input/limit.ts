import { readSwitch } from '../values/switches';
import { UserError } from '../values/userError';

export interface Range {
	label: string;
	min: number;
	max: number;
	default: number;
}

/**
 * How many entries of a list are wanted at most: Infinity for all.
 *
 * @param returnAll With `limit`, the values of `limitFields`.
 */
export function readLimit(returnAll: unknown, limit: unknown): number {
	const all = readSwitch(returnAll, 'Return All');
	if (all) return Infinity;
	if (typeof limit === 'number' && Number.isInteger(limit) && limit >= 1) return limit;
	throw new UserError(
		"'Limit' is not a whole number from 1",
		'Correct it, or switch on Return All.',
	);
}

/** What somebody should know whose list ends at the limit, in a clause. */
export function cutWords(limit: number, isSure: boolean): string {
	const those = limit === 1 ? 'the first is' : `the first ${limit} are`;
	return `Only ${those} here, and there ${isSure ? 'are' : 'may be'} more: raise 'Limit', or switch on 'Return All'`;
}

/** What `limitFields` and `simplifyField` come to. */
export interface Listing {
	/** How many entries are wanted at most: Infinity for all. */
	limit: number;
	/** Whether an output item has what a person looks for only. */
	simple: boolean;
}

/** Reads `limitFields` and `simplifyField`. */
export function listingReader(
	parameter: (name: string) => (index: number) => unknown,
): (index: number) => Listing {
	const returnAll = parameter('returnAll');
	const limitOf = parameter('limit');
	const simpleOf = parameter('simple');
	return (index) => {
		const simple = readSwitch(simpleOf(index), 'Simplify');
		const limit = readLimit(returnAll(index), limitOf(index));
		return { limit, simple };
	};
}

/** Reads a field with a number; its default if it is empty. */
export function readWholeNumber(value: unknown, range: Range): number {
	if (value === undefined || value === '') return range.default;
	const isNumber = typeof value === 'number' && Number.isInteger(value);
	if (isNumber && value >= range.min && value <= range.max) return value;
	throw new UserError(
		`'${range.label}' is not a whole number from ${range.min} to ${range.max}`,
		`Correct it; the default is ${range.default}.`,
	);
}
