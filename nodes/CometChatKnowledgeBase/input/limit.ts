import { readSwitch } from '../values/switches';
import { ValidationIssue } from '../values/validationIssue';

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
