import { isUnredacted } from '../http/redaction';
import { isAddressPart } from '../fields/ids';
import type { Fields } from '../output/itemResult';
import type { Json } from '../text/json';
import { isRecord } from '../text/json';

/** Reads a value of a response; undefined if it is not the documented value. */
export type Shape<T> = (value: Json | undefined) => T | undefined;

/** A field that may be missing or of another type: it is undefined then, and the other fields are read all the same. */
interface Optional<T> {
	optional: Shape<T>;
}

type Parts<T> = { [Name in keyof T]: Shape<T[Name]> | Optional<T[Name]> };

/** Reads a text that is not empty. */
export const text: Shape<string> = (value) =>
	typeof value === 'string' && value !== '' ? value : undefined;

/** Reads an ID. An ID from which the API key was removed could name another document. */
export const id: Shape<string> = (value) => {
	const found = text(value);
	return found !== undefined && isUnredacted(found) ? found : undefined;
};

/** Reads an ID that is valid as a part of a URL. */
export const addressId: Shape<string> = (value) => {
	const found = id(value);
	return found !== undefined && isAddressPart(found) ? found : undefined;
};

/** Reads a text that may be empty. */
export const anyText: Shape<string> = (value) => (typeof value === 'string' ? value : undefined);

/** Reads a text; a missing text is empty. */
export const textOrNone: Shape<string> = (value) => {
	if (value === undefined || value === null) return '';
	return typeof value === 'string' ? value : undefined;
};

export const number: Shape<number> = (value) => (typeof value === 'number' ? value : undefined);

export const anything: Shape<Json> = (value) => value;

export function optional<T>(of: Shape<T>): Optional<T | undefined> {
	return { optional: of };
}

/** Reads a list. With an entry of another type, it is undefined: it is another list than expected. */
export function list<T>(of: Shape<T>): Shape<T[]> {
	return (value) => {
		if (!Array.isArray(value)) return undefined;
		const found: T[] = [];
		for (const entry of value) {
			const one = of(entry);
			if (one === undefined) return undefined;
			found.push(one);
		}
		return found;
	};
}

/** Reads an object with these fields, and ignores other fields. */
export function shape<T>(parts: Parts<T>): Shape<T>;
export function shape(parts: Parts<Record<string, unknown>>): Shape<Record<string, unknown>> {
	return (value) => {
		if (!isRecord(value)) return undefined;
		const found: Record<string, unknown> = {};
		for (const [name, part] of Object.entries(parts)) {
			const isOptional = typeof part === 'object';
			found[name] = isOptional ? part.optional(value[name]) : part(value[name]);
			if (found[name] === undefined && !isOptional) return undefined;
		}
		return found;
	};
}

/** Reads a success, which CometChat only reports as `true`. */
export const success: Shape<true> = (body) =>
	isRecord(body) && body.success === true ? true : undefined;

/** Reads an object with all its fields. */
export function whole<T>(of: Shape<T>): Shape<Fields & T> {
	return (value) => {
		const found = of(value);
		return found && isRecord(value) ? { ...value, ...found } : undefined;
	};
}
