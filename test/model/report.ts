import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Run } from '../node/engine';
import type { Item, Operation, Played, Wanted } from './operation';

/** What the node says of an item. */
export type Outcome =
	| 'applied'
	| 'partly applied'
	| 'not applied'
	| 'unknown'
	| 'not sent'
	| 'unusable'
	| 'skipped'
	/** A run of one item stopped, and its message has no word for it. */
	| 'failed';

/** How the account of a run that stopped names what became of an item. */
const LABELS = new Map<string, Outcome>([
	['applied', 'applied'],
	['applied in part', 'partly applied'],
	['sent but not applied', 'not applied'],
	['sent, and not known whether applied', 'unknown'],
	['skipped', 'skipped'],
	['unusable', 'unusable'],
	['not sent', 'not sent'],
]);

/** What the node says of one item. */
export interface Reported {
	outcome: Outcome;
	/** Of an item that is done or skipped. */
	outputs: IDataObject[];
	/** Of one that is not, where the run goes on. */
	error?: Record<string, unknown>;
	/** How often it was sent, where the node says it. */
	attempts?: number;
	/** The HTTP status, where the node names one. */
	status?: number;
	/** What is said of it in words. */
	description?: string;
}

/**
 * What the node says of every item, in input order.
 *
 * @returns The words for what is missing or doubled, if any is.
 */
export function readReport(operation: Operation, { run, scenario }: Played): Reported[] | string {
	const { items, onError } = scenario;
	// A run that the user stopped has items, and an error that says no more than that.
	if (run.error && run.status !== 'canceled') {
		if (onError !== 'stopWorkflow') return `the run ended in an error: ${run.error.message}`;
		return readStop(operation, run.error, items);
	}
	const outputs = outputsByItem(run, items.length);
	if (typeof outputs === 'string') return outputs;
	const found: Reported[] = [];
	for (const [index, item] of items.entries()) {
		const reported = readItem(outputs[index] ?? [], item, index, operation, onError);
		if (typeof reported === 'string') return `item ${index}: ${reported}`;
		found.push(reported);
	}
	return found;
}

function readItem(
	outputs: Output[],
	{ json: input, wanted }: Item<Wanted>,
	index: number,
	{ isList = false }: Operation,
	onError: string,
): Reported | string {
	const [given, ...more] = outputs;
	const hasError = outputs.some(({ json }) => isRecord(json.error));
	if (!hasError) {
		if (outputs.some(({ isOnErrorOutput }) => isOnErrorOutput)) {
			return 'it is on the error output without an error';
		}
		// A list that nothing is in has no output item.
		if (!isList && outputs.length !== 1) return `it has ${outputs.length} output items`;
		const outcome = given?.json.skipped === true ? 'skipped' : 'applied';
		return { outcome, outputs: outputs.map(({ json }) => present(json)) };
	}
	if (given === undefined || more.length > 0) return `it has ${outputs.length} output items`;
	const { json, isOnErrorOutput } = given;
	if (onError === 'continueErrorOutput' && !isOnErrorOutput) return 'its error is on the output';
	const { error, ...rest } = json;
	const asked = { ...Object(Object(error).details), success: false };
	const isTrue = isOnErrorOutput ? same(rest, input) : same({ ...asked, ...present(rest) }, asked);
	if (!isTrue) return `beside its error stands ${JSON.stringify(rest)}`;
	const read = readError(error, index);
	if (typeof read === 'string') return read;
	const { attempts, status, description } = read;
	const outcome = outcomeOf(read.error.effect, attempts, typeof wanted === 'object');
	return outcome === undefined
		? `its effect is ${String(read.error.effect)} after ${attempts} attempts`
		: { outcome, outputs: [], error: read.error, attempts, status, description };
}

/** What an item says: it has null for what only others of the run have. */
export function present<Value>(json: Record<string, Value>): Record<string, Value> {
	return Object.fromEntries(Object.entries(json).filter(([, value]) => value !== null));
}

function readStop(
	{ wording = [] }: Operation,
	error: NonNullable<Run['error']>,
	items: Array<Item<Wanted>>,
): Reported[] | string {
	const { message, description = '' } = error;
	const [item, another] = items;
	if (another !== undefined) {
		const account = readAccount(error, items.length);
		if (typeof account === 'string') return account;
		const named = Number(/\[item (\d+)\]/.exec(message)?.[1]);
		return account.map((outcome, index) => ({
			outcome,
			outputs: [],
			...(index === named ? { description: description ?? '' } : {}),
		}));
	}
	const unsent = typeof item?.wanted === 'object' ? 'not sent' : 'unusable';
	const words: typeof wording = [[/Nothing was sent for this item/, unsent], ...wording];
	const [, outcome = 'failed'] = words.find(([said]) => said.test(description ?? '')) ?? [];
	return [{ outcome, outputs: [], description: description ?? '' }];
}

/** One output item, and where it came out. */
interface Output {
	json: INodeExecutionData['json'];
	isOnErrorOutput: boolean;
}

/**
 * What came out for each input item, in input order.
 *
 * @returns The words for what is wrong with links or order, if anything is.
 */
function outputsByItem({ output, errorOutput }: Run, items: number): Output[][] | string {
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
function readError(error: unknown, index: number) {
	if (!isRecord(error)) return 'its error is no object';
	const { message, description, details } = error;
	if (!isRecord(details)) return 'its error has no details';
	const { attempts, item, status } = details;
	if (item !== index) return 'its error names another item';
	if (typeof message !== 'string' || !message.endsWith(`[item ${index}]`)) {
		return `its message is ${String(message)}`;
	}
	if (typeof description !== 'string' || description === '') return 'it has no description';
	if (typeof attempts !== 'number') return 'it has no attempts';
	if (status !== undefined && typeof status !== 'number') return 'its status is no number';
	const all: Record<string, unknown> = { ...details, message, description };
	return { error: all, attempts, status, description };
}

/** The IDs of an item by what became of them. */
export interface Lists {
	applied: string[];
	notApplied: string[];
	unknown: string[];
}

/** What is said of each of an item's IDs; undefined where nothing is. */
export function listsOf({ outcome, error }: Reported, ids: string[]): Lists | undefined {
	const none: Lists = { applied: [], notApplied: [], unknown: [] };
	const { files } = error ?? {};
	if (files !== undefined) return isLists(files) ? files : none;
	switch (outcome) {
		case 'applied':
			return { ...none, applied: ids };
		case 'not applied':
		case 'not sent':
			return { ...none, notApplied: ids };
		case 'unknown':
			// Without lists, all or some.
			return { ...none, unknown: ids };
		default:
			return undefined;
	}
}

function isLists(value: unknown): value is Lists {
	if (!isRecord(value)) return false;
	return [value.applied, value.notApplied, value.unknown].every(isTexts);
}

/** What an error in place of an output item says. @param isUsable Whether the item could be sent. */
function outcomeOf(effect: unknown, attempts: number, isUsable: boolean): Outcome | undefined {
	if (attempts === 0) {
		if (effect !== 'not applied') return undefined;
		return isUsable ? 'not sent' : 'unusable';
	}
	if (effect === 'not applied' || effect === 'unknown' || effect === 'partly applied')
		return effect;
	return undefined;
}

/**
 * What the error of a run that stopped says of each of several items, in input order.
 *
 * @returns The words for what is missing or doubled, if any is.
 */
function readAccount(error: NonNullable<Run['error']>, items: number): Outcome[] | string {
	const description = error.description ?? '';
	// Names may hold whatever the account is read by.
	const numbers = description.replace(/"[^"]*" \((\d+)\)/g, '$1');
	const account = /By item, counted from 0: ([^.]*)\./.exec(numbers)?.[1];
	if (account === undefined) return `the error has no account: ${error.message} ${description}`;
	const outcomes = new Map<number, Outcome>();
	for (const part of account.split('; ')) {
		const [label = '', ranges = ''] = part.split(': ');
		const outcome = LABELS.get(label);
		if (outcome === undefined) return `the account has the unknown part '${part}'`;
		for (const index of readRanges(ranges)) {
			if (outcomes.has(index)) return `the account names item ${index} twice: ${account}`;
			outcomes.set(index, outcome);
		}
	}
	const found: Outcome[] = [];
	for (let index = 0; index < items; index++) {
		const outcome = outcomes.get(index);
		if (outcome === undefined) return `the account leaves out item ${index}: ${account}`;
		found.push(outcome);
	}
	const counts = /\((\d+) of (\d+) items applied, (\d+) failed, (\d+) not sent\)$/.exec(
		error.message,
	);
	const count = (...wanted: Outcome[]) =>
		found.filter((outcome) => wanted.includes(outcome)).length;
	const failed = count('partly applied', 'not applied', 'unknown', 'unusable');
	const wanted = [count('applied'), items, failed, count('not sent')].join();
	const named = Number(/\[item (\d+)\]/.exec(error.message)?.[1]);
	const cause = found[named];
	if (cause === undefined || cause === 'applied' || cause === 'skipped') {
		return `the message is about item ${named}, which did not fail: ${account}`;
	}
	return counts?.slice(1).join() === wanted
		? found
		: `the message counts otherwise than the account: ${error.message} ${account}`;
}

function readRanges(text: string): number[] {
	return text.split(', ').flatMap((range) => {
		const [from = NaN, to = from] = range.split('–').map(Number);
		return Array.from({ length: to - from + 1 }, (_, at) => from + at);
	});
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
