import type { FieldGroup } from './field';
import { readSwitch } from '../values/switches';
import { UserError } from '../values/userError';

export interface Range {
	label: string;
	min: number;
	max: number;
	default: number;
}

/** How many entries of a list are wanted at most: Infinity for all. */
export const limit: FieldGroup<number> = {
	properties: [
		{
			displayName: 'Return All',
			name: 'returnAll',
			type: 'boolean',
			default: false,
			description: 'Whether to return all results or only up to a given limit',
		},
		{
			displayName: 'Limit',
			name: 'limit',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 50,
			displayOptions: { show: { returnAll: [false] } },
			description: 'Max number of results to return',
		},
	],
	read: ({ value }) => readLimit(value('returnAll'), value('limit')),
};

export const limitFields = limit.properties;

export function readLimit(returnAll: unknown, most: unknown): number {
	if (readSwitch(returnAll, 'Return All')) return Infinity;
	if (typeof most === 'number' && Number.isInteger(most) && most >= 1) return most;
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
