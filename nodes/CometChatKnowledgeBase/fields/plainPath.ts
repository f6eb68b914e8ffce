import { isSafeObjectProperty } from 'n8n-workflow';

import { isRecord } from '../text/json';

/** A step in the path to a field: a name, or an index in a list. */
export type PathStep = string | number;

/** A step in the form that n8n's editor writes for a dragged field: `.name`, `[0]`, `['a name']`. */
const STEP = /\.([A-Za-z_$][\w$]*)|\[(0|[1-9]\d{0,8})\]|\['([^'\\\r\n\u2028\u2029]*)'\]/g;

const PLAIN = new RegExp(`^=\\{\\{\\s*\\$json((?:${STEP.source})+)\\s*\\}\\}$`);

/** More names with a meaning in n8n's evaluation, in addition to `isSafeObjectProperty` and each object's names. */
const OF_EVALUATION = /^(?:_|\$$|extend|globalThis)/;

/**
 * Returns the steps of an expression that only names a field of the item, such as `={{ $json['File IDs'][0] }}`;
 * undefined for other expressions. In n8n 2, evaluating each in a sandbox took a third of a large execution.
 */
export function plainPath(expression: string): PathStep[] | undefined {
	const [, way = ''] = PLAIN.exec(expression) ?? [];
	// Texts that n8n looks for before it parses the code, also within quotes.
	if (way === '' || /\{\{|\}\}|\.\s*constructor/.test(way)) return undefined;
	const steps = Array.from(way.matchAll(STEP), ([, name, position, quoted = '']): PathStep => {
		return position === undefined ? (name ?? quoted) : Number(position);
	});
	const isRefused = (step: PathStep) =>
		step in Object.prototype || OF_EVALUATION.test(`${step}`) || !isSafeObjectProperty(`${step}`);
	return steps.some(isRefused) ? undefined : steps;
}

/**
 * Returns the text, number, switch or list at a path; undefined if it is missing, or if something is no plain JSON
 * data. Then n8n evaluates the expression and reports the error.
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
