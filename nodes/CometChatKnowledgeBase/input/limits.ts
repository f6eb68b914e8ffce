import type { INodeProperties } from 'n8n-workflow';

import { readSwitch } from '../values/switches';
import { ValidationIssue } from '../values/validationIssue';

/** How much of a list is wanted; `limitReader` reads them. */
export const limitFields: INodeProperties[] = [
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
];

/** @returns For each item how many entries it wants at most; Infinity for all. */
export function limitReader(
	parameter: (name: string) => (index: number) => unknown,
): (index: number) => number | ValidationIssue {
	const returnAllOf = parameter('returnAll');
	const limitOf = parameter('limit');
	return (index) => {
		const all = readSwitch(returnAllOf(index), 'Return All');
		if (all instanceof ValidationIssue) return all;
		const limit = all ? Infinity : limitOf(index);
		if (typeof limit === 'number' && (all || Number.isInteger(limit)) && limit >= 1) return limit;
		return new ValidationIssue(
			"'Limit' is not a whole number from 1",
			'Correct it, or switch on Return All.',
		);
	};
}
