import type { IDataObject } from 'n8n-workflow';

import type { Output } from '../outputs';
import { outputsByItem, readError, same } from '../outputs';
import type { Standing } from '../standing';
import { readAccount, standingOf } from '../standing';
import type { Played } from './play';
import type { Item } from './scenario';

/** What the node says of one item. */
export interface Reported {
	/** 'failed' where a run of one item stopped, whose message has no word for it. */
	standing: Standing | 'failed';
	/** Of an item that is done. */
	outputs: IDataObject[];
	/** Of one that is not, where the run goes on. */
	error?: Record<string, unknown>;
	attempts?: number;
	status?: number;
	/** What is said of it in words. */
	description?: string;
}

/**
 * What the node says of every item, in input order.
 *
 * @returns The words for what is missing or doubled, if any is.
 */
export function readReport({ run, scenario }: Played): Reported[] | string {
	const { items, onError } = scenario;
	// A run that the user stopped has items, and an error that says no more than that.
	if (run.error && run.status !== 'canceled') {
		if (onError !== 'stopWorkflow') return `the run ended in an error: ${run.error.message}`;
		const description = run.error.description ?? '';
		const named = Number(/\[item (\d+)\]/.exec(run.error.message)?.[1]);
		if (items.length === 1) return [readSingle(description, items)];
		const account = readAccount(run.error, items.length);
		if (typeof account === 'string') return account;
		return account.map((standing, index) => ({
			standing,
			outputs: [],
			...(index === named ? { description } : {}),
		}));
	}
	const outputs = outputsByItem(run, items.length);
	if (typeof outputs === 'string') return outputs;
	const found: Reported[] = [];
	for (const [index, item] of items.entries()) {
		const reported = readItem(outputs[index] ?? [], item, index, onError);
		if (typeof reported === 'string') return `item ${index}: ${reported}`;
		found.push(reported);
	}
	return found;
}

function readItem(
	outputs: Output[],
	{ json: input, wanted }: Item,
	index: number,
	onError: string,
): Reported | string {
	const [given, ...more] = outputs;
	const hasError = outputs.some(({ json }) => 'error' in json);
	const isList = wanted.kind === 'getMany' || wanted.kind === 'getStatus';
	if (!hasError) {
		if (outputs.some(({ isOnErrorOutput }) => isOnErrorOutput)) {
			return 'it is on the error output without an error';
		}
		// A list that nothing is in has no output item.
		if (!isList && outputs.length !== 1) return `it has ${outputs.length} output items`;
		const isSkipped = given?.json.skipped === true;
		const standing = isSkipped ? 'skipped' : 'applied';
		return { standing, outputs: outputs.map(({ json }) => json) };
	}
	if (given === undefined || more.length > 0) return `it has ${outputs.length} output items`;
	const { json, isOnErrorOutput } = given;
	if (onError === 'continueErrorOutput' && !isOnErrorOutput) return 'its error is on the output';
	const { error, ...rest } = json;
	if (!same(rest, isOnErrorOutput ? input : {})) {
		return `beside its error stands ${JSON.stringify(rest)}`;
	}
	const read = readError(error, index);
	if (typeof read === 'string') return read;
	const { attempts, status } = read;
	const isUsable = wanted.kind !== 'unusable' && wanted.kind !== 'empty';
	const standing = standingOf(read.error.effect, attempts, isUsable);
	if (standing === undefined) {
		return `its effect is ${String(read.error.effect)} after ${attempts} attempts`;
	}
	const description = String(read.error.description);
	return { standing, outputs: [], error: read.error, attempts, status, description };
}

function readSingle(description: string, [item]: Item[]): Reported {
	const isUsable = item?.wanted.kind !== 'unusable' && item?.wanted.kind !== 'empty';
	const isUnsent = description.includes('Nothing was sent for this item');
	const unsent = isUsable ? 'not sent' : 'unusable';
	return { standing: isUnsent ? unsent : 'failed', outputs: [], description };
}
