import type { FieldGroup } from './field';
import { readSwitch } from '../values/switches';
import { UserError } from '../values/userError';

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
	read: ({ value }) => {
		if (readSwitch(value('returnAll'), 'Return All')) return Infinity;
		const most = value('limit');
		if (typeof most === 'number' && Number.isInteger(most) && most >= 1) return most;
		const hint = 'Correct it, or switch on Return All.';
		throw new UserError("'Limit' is not a whole number from 1", hint);
	},
};

/** What somebody should know whose list ends at the limit, in a clause. */
export function cutWords(limit: number, isSure: boolean): string {
	const those = limit === 1 ? 'the first is' : `the first ${limit} are`;
	return `Only ${those} here, and there ${isSure ? 'are' : 'may be'} more: raise 'Limit', or switch on 'Return All'`;
}
