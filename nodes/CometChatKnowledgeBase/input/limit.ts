import { readSwitch } from '../values/switches';
import { ValidationIssue } from '../values/validationIssue';
import type { Range } from './options';

/**
 * How many entries of a list are wanted at most: Infinity for all.
 *
 * @param returnAll With `limit`, the values of `limitFields`.
 */
export function readLimit(returnAll: unknown, limit: unknown): number | ValidationIssue {
	const all = readSwitch(returnAll, 'Return All');
	if (all instanceof ValidationIssue) return all;
	if (all) return Infinity;
	if (typeof limit === 'number' && Number.isInteger(limit) && limit >= 1) return limit;
	return new ValidationIssue(
		"'Limit' is not a whole number from 1",
		'Correct it, or switch on Return All.',
	);
}

/** Reads a field with a number; its default if it is empty. */
export function readWholeNumber(value: unknown, range: Range): number | ValidationIssue {
	if (value === undefined || value === '') return range.default;
	const isNumber = typeof value === 'number' && Number.isInteger(value);
	if (isNumber && value >= range.min && value <= range.max) return value;
	return new ValidationIssue(
		`'${range.label}' is not a whole number from ${range.min} to ${range.max}`,
		`Correct it; the default is ${range.default}.`,
	);
}
