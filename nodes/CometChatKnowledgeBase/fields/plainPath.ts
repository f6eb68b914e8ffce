import { isSafeObjectProperty } from 'n8n-workflow';

import { isRecord } from '../text/json';

/** A step on the way to a field: a name, or a place in a list, counted from 0. */
export type PathStep = string | number;

/** One step as n8n's editor writes it when a field is dragged into a parameter: `.name`, `[0]`, `['a name']`. */
const STEP = /\.([A-Za-z_$][\w$]*)|\[(0|[1-9]\d{0,8})\]|\['([^'\\\r\n\u2028\u2029]*)'\]/g;

const PLAIN = new RegExp(`^=\\{\\{\\s*\\$json((?:${STEP.source})+)\\s*\\}\\}$`);

/** Names that mean something to n8n's own evaluation, beside those of `isSafeObjectProperty` and of every object. */
const OF_EVALUATION = /^(?:_|\$$|extend|globalThis)/;

/**
 * The steps of an expression that does no more than name a field of the item, such as
 * `={{ $json.upload.ids }}` or `={{ $json['File IDs'][0] }}`. Undefined for any other: n8n evaluates that.
 *
 * n8n 2 evaluates each expression of each item in a sandbox, which took a third of the time of a large
 * run; a field is read in no time. `npm run bench` shows what that is worth. Nothing but that time hangs
 * on it: `READ_FIELDS_DIRECTLY` in `parameters.ts`, the one place that uses this, turns it off.
 */
export function plainPath(expression: string): PathStep[] | undefined {
	const [, way = ''] = PLAIN.exec(expression) ?? [];
	// What n8n looks for in the text before it reads it as code, within quotes, too.
	if (way === '' || /\{\{|\}\}|\.\s*constructor/.test(way)) return undefined;
	const steps = Array.from(way.matchAll(STEP), ([, name, position, quoted = '']): PathStep => {
		return position === undefined ? (name ?? quoted) : Number(position);
	});
	const isRefused = (step: PathStep) =>
		step in Object.prototype || OF_EVALUATION.test(`${step}`) || !isSafeObjectProperty(`${step}`);
	return steps.some(isRefused) ? undefined : steps;
}

/**
 * The text, number, switch or list that stands there; undefined if anything on the way is not the
 * plain data that JSON has, or is not there: for n8n to evaluate, and to complain about.
 */
export function plainValue(json: unknown, steps: PathStep[]): unknown {
	let value = json;
	for (const step of steps) {
		if (typeof step === 'number' && Array.isArray(value)) value = value.at(step);
		else if (isPlainRecord(value) && Object.hasOwn(value, step)) value = value[step];
		else return undefined;
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
