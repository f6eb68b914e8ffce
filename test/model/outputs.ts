import type { INodeExecutionData } from 'n8n-workflow';

import type { Run } from '../node/engine';

/** One output item, and where it came out. */
export interface Output {
	json: INodeExecutionData['json'];
	isOnErrorOutput: boolean;
}

/**
 * What came out for each input item, in input order.
 *
 * @returns The words for what is wrong with links or order, if anything is.
 */
export function outputsByItem({ output, errorOutput }: Run, items: number): Output[][] | string {
	const found = Array.from({ length: items }, (): Output[] => []);
	for (const [name, list] of [
		['output', output],
		['error output', errorOutput],
	] as const) {
		const order = list.map(({ pairedItem }) => placeOf(pairedItem));
		if (order.some((at, place) => at < (order[place - 1] ?? 0))) {
			return `the ${name} is not in input order: ${order.join()}`;
		}
		for (const { json, pairedItem } of list) {
			const own = found[placeOf(pairedItem)];
			if (own === undefined) return `an item of the ${name} belongs to no input item`;
			own.push({ json, isOnErrorOutput: list === errorOutput });
		}
	}
	return found;
}

function placeOf(pairedItem: INodeExecutionData['pairedItem']): number {
	return isRecord(pairedItem) && typeof pairedItem.item === 'number' ? pairedItem.item : -1;
}

/** What every error in place of an output item holds; the words for what it lacks. */
export function readError(
	error: unknown,
	index: number,
): { error: Record<string, unknown>; attempts: number; status?: number } | string {
	if (!isRecord(error)) return 'its error is no object';
	const { attempts, message, description, status } = error;
	if (error.item !== index) return 'its error names another item';
	if (typeof message !== 'string' || !message.endsWith(`[item ${index}]`)) {
		return `its message is ${String(message)}`;
	}
	if (typeof description !== 'string' || description === '') return 'it has no description';
	if (typeof attempts !== 'number') return 'it has no attempts';
	if (status !== undefined && typeof status !== 'number') return 'its status is no number';
	return { error, attempts, status };
}

/** The IDs of an item by what became of them. */
export interface Lists {
	applied: string[];
	notApplied: string[];
	unknown: string[];
}

/** The `files` of an error. */
export function readLists(files: unknown): Lists | undefined | 'wrong' {
	if (files === undefined) return undefined;
	if (!isRecord(files)) return 'wrong';
	const { applied, notApplied, unknown } = files;
	if (!isTexts(applied) || !isTexts(notApplied) || !isTexts(unknown)) return 'wrong';
	return { applied, notApplied, unknown };
}

/** Whether both say the same, in whatever order their fields stand. */
export function same(left: unknown, right: unknown): boolean {
	return JSON.stringify(sorted(left)) === JSON.stringify(sorted(right));
}

function sorted(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(sorted);
	if (!isRecord(value)) return value;
	return Object.fromEntries(
		Object.keys(value)
			.sort()
			.map((key) => [key, sorted(value[key])]),
	);
}

export function isTexts(value: unknown): value is string[] {
	return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
