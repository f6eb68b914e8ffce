import { isRecord } from './complaint';

/**
 * The names in an expression that does no more than name a field of the item, such as
 * `={{ $json.upload.ids }}`, which is what dragging a field into a parameter writes. Undefined for any
 * other: n8n evaluates that.
 *
 * n8n 2 evaluates each expression of each item in a sandbox, which took a third of the time of a large
 * run; a field is read in no time. `npm run bench` shows what that is worth.
 */
export function plainPath(expression: string): string[] | undefined {
	const found = /^=\{\{\s*\$json((?:\.[A-Za-z]\w*)+)\s*\}\}$/.exec(expression);
	const names = found?.[1]?.split('.').slice(1);
	// Names that n8n's own evaluation refuses, or that every object has: for n8n to judge.
	return names?.some((name) => name in Object.prototype || REFUSED.test(name)) ? undefined : names;
}

const REFUSED =
	/^(?:prototype|mainModule|binding|load|prepareStackTrace|extend|eval|caller|callee|arguments)$/;

/**
 * The text, number, switch or list that stands there; undefined if anything on the way is not the
 * plain data that JSON has, or is not there: for n8n to evaluate, and to complain about.
 */
export function plainValue(json: unknown, path: string[]): unknown {
	let value = json;
	for (const name of path) {
		if (!isPlainRecord(value) || !Object.hasOwn(value, name)) return undefined;
		value = value[name];
	}
	return isPlain(value) ? value : undefined;
}

function isPlain(value: unknown): boolean {
	if (Array.isArray(value)) return value.every(isPlain);
	if (isPlainRecord(value)) return Object.values(value).every(isPlain);
	return ['string', 'number', 'boolean'].includes(typeof value);
}

function isPlainRecord(value: unknown): value is Record<string, unknown> {
	return isRecord(value) && Object.getPrototypeOf(value) === Object.prototype;
}
