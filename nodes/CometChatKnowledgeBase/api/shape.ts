import { isUnredacted } from '../http/redaction';
import { isAddressPart } from '../fields/ids';
import type { Fields } from '../output/itemResult';
import type { Json } from '../text/json';
import { isRecord } from '../text/json';

/** Reads a value of an answer; undefined if it is not what CometChat documents. */
export type Shape<T> = (value: Json | undefined) => T | undefined;

/** What may be missing, or of another kind: it is undefined then, and the rest counts all the same. */
interface Optional<T> {
	optional: Shape<T>;
}

type Parts<T> = { [Name in keyof T]: Shape<T[Name]> | Optional<T[Name]> };

/** Never empty. */
export const text: Shape<string> = (value) =>
	typeof value === 'string' && value !== '' ? value : undefined;

/** An ID from which the API key was removed names nothing, or another document. */
export const id: Shape<string> = (value) => {
	const found = text(value);
	return found !== undefined && isUnredacted(found) ? found : undefined;
};

/** An ID that can be asked for: one part of an address. */
export const addressId: Shape<string> = (value) => {
	const found = id(value);
	return found !== undefined && isAddressPart(found) ? found : undefined;
};

/** It may be empty. */
export const anyText: Shape<string> = (value) => (typeof value === 'string' ? value : undefined);

/** Empty where there is none. */
export const textOrNone: Shape<string> = (value) => {
	if (value === undefined || value === null) return '';
	return typeof value === 'string' ? value : undefined;
};

export const number: Shape<number> = (value) => (typeof value === 'number' ? value : undefined);

export const anything: Shape<Json> = (value) => value;

export function optional<T>(of: Shape<T>): Optional<T | undefined> {
	return { optional: of };
}

/** Undefined if one entry is of another kind: the list is then not what it is taken for. */
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

/** An object with these fields; others do not count. */
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

/** Success is reported as true, and as nothing else. */
export const success: Shape<true> = (body) =>
	isRecord(body) && body.success === true ? true : undefined;

/** An object with these fields, and all others that it has. */
export function whole<T>(of: Shape<T>): Shape<Fields & T> {
	return (value) => {
		const found = of(value);
		return found && isRecord(value) ? { ...value, ...found } : undefined;
	};
}
