import { readFileSync } from 'node:fs';

export type Fields = Record<string, unknown>;

export function readJson(file: string): unknown {
	return JSON.parse(readFileSync(file, 'utf8'));
}

/** Returns the fields of an object; none for other values. */
export function fieldsOf(value: unknown): Fields {
	return isFields(value) ? value : {};
}

function isFields(value: unknown): value is Fields {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value at a path of field names; undefined if the path ends early. */
export function at(value: unknown, ...path: string[]): unknown {
	return path.reduce<unknown>((found, name) => fieldsOf(found)[name], value);
}

export function listAt(value: unknown, ...path: string[]): unknown[] {
	const found = at(value, ...path);
	return Array.isArray(found) ? found : [];
}

export function textAt(value: unknown, ...path: string[]): string {
	const found = at(value, ...path);
	return typeof found === 'string' ? found : '';
}

export function requiredText(value: unknown, ...path: string[]): string {
	const found = at(value, ...path);
	if (typeof found === 'string' && found !== '') return found;
	const excerpt = JSON.stringify(value)?.slice(0, 500);
	throw new Error(`There is no text at "${path.join('.')}" in ${excerpt}`);
}
