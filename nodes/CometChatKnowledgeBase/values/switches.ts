import { UserError } from './userError';

/** Reads a switch, which may not be set. An expression may give anything. */
export function readSwitch(value: unknown, label: string, byDefault = false): boolean {
	if (typeof value === 'boolean') return value;
	if (value === undefined || value === '') return byDefault;
	throw new UserError(
		`'${label}' is neither true nor false`,
		'Switch it on or off, or let its expression give true or false.',
	);
}
