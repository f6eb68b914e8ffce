/** JSON of CometChat without the API key. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** True for a plain object or any other non-null object that is no list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
