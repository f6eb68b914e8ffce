import { isRecord } from '../values/userError';
import { readAddressId } from './ids';

/** Reads 'Agent'. */
export function readUid(value: unknown): string {
	return readLocator(value, "'Agent'", 'Pick the agent from the list, or give its ID.');
}

/** Reads the picker of a text. */
export function readTextLocator(value: unknown): string {
	return readLocator(value, "'Text'", 'Pick the text from the list, or give its ID.');
}

/** A resource locator, or the ID itself where an expression replaced the locator. */
export function readLocator(value: unknown, label: string, hint: string): string {
	return readAddressId(isRecord(value) ? value.value : value, { label, hint });
}

/** It is a part of the address. */
export function readSourceType(value: unknown): string {
	const hint = 'Pick one of the types, or give the name that CometChat uses for it.';
	return readAddressId(value, { label: "'Source Type'", hint });
}

export function readPathValue(value: unknown, label: string, hint: string): string {
	return readAddressId(value, { label, hint });
}
