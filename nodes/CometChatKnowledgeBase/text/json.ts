/** JSON from CometChat without the API key. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** Whether a value is an object: not null, and no list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
