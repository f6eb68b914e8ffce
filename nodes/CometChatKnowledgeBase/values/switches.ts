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

/** Reads a choice; the first one if the node is set up without it. */
export function readChoice<Choice extends string>(
	value: unknown,
	label: string,
	choices: readonly [Choice, ...Choice[]],
): Choice {
	const found = value === '' ? choices[0] : choices.find((choice) => choice === value);
	if (found === undefined) {
		throw new UserError(`'${label}' is not one of its choices`, 'Pick one from the list.');
	}
	return found;
}
