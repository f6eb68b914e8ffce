import type { INodeExecutionData } from 'n8n-workflow';

import type { Run } from '../node/engine';
import type { Item, Scenario } from './scenario';

/** What the node says of an item's files. */
export type Standing =
	| 'applied'
	| 'partly applied'
	| 'not applied'
	| 'unknown'
	| 'not sent'
	| 'unusable'
	| 'skipped';

/** What the node says of one item. */
export interface Reported {
	standing: Standing;
	/** How often it was sent, where the node says it. */
	attempts?: number;
	/** Which of its IDs, where the node says it. */
	files?: { applied: string[]; notApplied: string[]; unknown: string[] };
	/** The HTTP status, where the node names one. */
	status?: number;
}

/** How the account of a run that stopped names what became of an item. */
const LABELS = new Map<string, Standing>([
	['applied', 'applied'],
	['applied in part', 'partly applied'],
	['sent but not applied', 'not applied'],
	['sent, and not known whether applied', 'unknown'],
	['skipped', 'skipped'],
	['unusable', 'unusable'],
	['not sent', 'not sent'],
]);

/**
 * What the node says of every item, in input order.
 *
 * @returns The words for what is missing or doubled, if any is.
 */
export function readReport(run: Run, scenario: Scenario): Reported[] | string {
	// A run that the user stopped has items, and an error that says no more than that.
	if (run.error && run.status !== 'canceled') return readError(run.error, scenario);
	const all = [...run.output, ...run.errorOutput];
	const found: Reported[] = [];
	for (const [index, item] of scenario.items.entries()) {
		const own = all.filter(({ pairedItem }) => isOf(pairedItem, index));
		const [given] = own;
		if (own.length !== 1 || given === undefined) {
			return `item ${index} has ${own.length} output items`;
		}
		const isError = run.errorOutput.includes(given);
		const reported = readItem(given, item, scenario, index, isError);
		if (typeof reported === 'string') return `item ${index}: ${reported}`;
		found.push(reported);
	}
	for (const [name, output] of [
		['output', run.output],
		['error output', run.errorOutput],
	] as const) {
		const order = output.map(({ pairedItem }) => placeOf(pairedItem));
		if (order.some((at, place) => at < (order[place - 1] ?? 0))) {
			return `the ${name} is not in input order: ${order.join()}`;
		}
	}
	if (all.length !== found.length) return `${all.length} output items for ${found.length} items`;
	return found;
}

function placeOf(pairedItem: INodeExecutionData['pairedItem']): number {
	return isRecord(pairedItem) && typeof pairedItem.item === 'number' ? pairedItem.item : -1;
}

function isOf(pairedItem: INodeExecutionData['pairedItem'], index: number): boolean {
	return placeOf(pairedItem) === index;
}

function readItem(
	given: INodeExecutionData,
	item: Item,
	{ operation, onError }: Scenario,
	index: number,
	isOnErrorOutput: boolean,
): Reported | string {
	const { json } = given;
	const asked = { operation, uid: item.agent, sourceType: item.sourceType };
	if (!('error' in json)) {
		if (isOnErrorOutput) return 'it is on the error output without an error';
		if (json.skipped === true) {
			const { reason, ...rest } = json;
			const wanted = { success: false, ...asked, uniqueIds: [], skipped: true };
			return typeof reason === 'string' && same(rest, wanted)
				? { standing: 'skipped' }
				: `it is skipped with ${JSON.stringify(json)}`;
		}
		const uniqueIds = item.meaning.kind === 'ids' ? item.meaning.ids : [];
		return same(json, { success: true, ...asked, uniqueIds })
			? { standing: 'applied' }
			: `its output is ${JSON.stringify(json)}`;
	}

	const { error, ...rest } = json;
	const input = isOnErrorOutput
		? {
				agent: item.agent,
				sourceType: item.sourceType,
				...(item.files === undefined ? {} : { files: item.files }),
			}
		: {};
	if (onError === 'continueErrorOutput' && !isOnErrorOutput) return 'its error is on the output';
	if (!same(rest, input)) return `beside its error stands ${JSON.stringify(rest)}`;
	if (!isRecord(error)) return 'its error is no object';
	const { effect, attempts, files, message, description, status } = error;
	if (error.item !== index) return 'its error names another item';
	if (typeof message !== 'string' || !message.endsWith(`[item ${index}]`)) {
		return `its message is ${String(message)}`;
	}
	if (typeof description !== 'string' || description === '') return 'it has no description';
	if (typeof attempts !== 'number') return 'it has no attempts';
	if (status !== undefined && typeof status !== 'number') return 'its status is no number';
	const lists = readFiles(files);
	if (lists === 'wrong') return `its files are ${JSON.stringify(files)}`;
	const standing = standingOf(effect, attempts, item);
	return standing === undefined
		? `its effect is ${String(effect)} after ${attempts} attempts`
		: { standing, attempts, files: lists, status };
}

function standingOf(effect: unknown, attempts: number, item: Item): Standing | undefined {
	if (attempts === 0) {
		if (effect !== 'not applied') return undefined;
		return item.meaning.kind === 'ids' ? 'not sent' : 'unusable';
	}
	if (effect === 'not applied' || effect === 'unknown' || effect === 'partly applied')
		return effect;
	return undefined;
}

function readFiles(files: unknown): Reported['files'] | 'wrong' {
	if (files === undefined) return undefined;
	if (!isRecord(files)) return 'wrong';
	const { applied, notApplied, unknown } = files;
	if (!isTexts(applied) || !isTexts(notApplied) || !isTexts(unknown)) return 'wrong';
	return { applied, notApplied, unknown };
}

function readError(
	error: NonNullable<Run['error']>,
	{ items, onError }: Scenario,
): Reported[] | string {
	if (onError !== 'stopWorkflow') return `the run ended in an error: ${error.message}`;
	const description = error.description ?? '';
	const [item] = items;
	if (items.length === 1 && item) return readSingle(description, item);

	const account = /By item, counted from 0: (.*)\. To go on,/.exec(description)?.[1];
	if (account === undefined) return `the error has no account: ${error.message} ${description}`;
	const standings = new Map<number, Standing>();
	for (const part of account.split('; ')) {
		const [label = '', ranges = ''] = part.split(': ');
		const standing = LABELS.get(label);
		if (standing === undefined) return `the account has the unknown part '${part}'`;
		for (const index of readRanges(ranges)) {
			if (standings.has(index)) return `the account names item ${index} twice: ${account}`;
			standings.set(index, standing);
		}
	}
	const found: Reported[] = [];
	for (const index of items.keys()) {
		const standing = standings.get(index);
		if (standing === undefined) return `the account leaves out item ${index}: ${account}`;
		found.push({ standing });
	}
	const counts = /\((\d+) of (\d+) items applied, (\d+) failed, (\d+) not sent\)$/.exec(
		error.message,
	);
	const count = (...wanted: Standing[]) =>
		found.filter(({ standing }) => wanted.includes(standing)).length;
	const failed = count('partly applied', 'not applied', 'unknown', 'unusable');
	const wanted = [count('applied'), items.length, failed, count('not sent')].join();
	const named = Number(/\[item (\d+)\]/.exec(error.message)?.[1]);
	const cause = found[named]?.standing;
	if (cause === undefined || cause === 'applied' || cause === 'skipped') {
		return `the message is about item ${named}, which did not fail: ${account}`;
	}
	return counts?.slice(1).join() === wanted
		? found
		: `the message counts otherwise than the account: ${error.message} ${account}`;
}

function readSingle(description: string, { meaning }: Item): Reported[] | string {
	const standings: Array<[RegExp, Standing]> = [
		[/Nothing was sent for this item/, meaning.kind === 'ids' ? 'not sent' : 'unusable'],
		[/Of its \d+ files/, 'partly applied'],
		[/It is not known whether the files were/, 'unknown'],
		[/The files were not/, 'not applied'],
	];
	const standing = standings.find(([pattern]) => pattern.test(description))?.[1];
	return standing === undefined
		? `the error does not say what became of the item: ${description}`
		: [{ standing }];
}

function readRanges(text: string): number[] {
	return text.split(', ').flatMap((range) => {
		const [from = NaN, to = from] = range.split('–').map(Number);
		return Array.from({ length: to - from + 1 }, (_, at) => from + at);
	});
}

function same(left: unknown, right: unknown): boolean {
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

function isTexts(value: unknown): value is string[] {
	return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
