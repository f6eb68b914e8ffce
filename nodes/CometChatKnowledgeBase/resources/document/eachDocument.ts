import type { ItemRun, Performer } from '../../execution/items';
import type { RunContext } from '../../execution/operation';
import { ItemContext } from '../../execution/itemContext';
import { Inventory } from '../../ingestion/inventory';
import { insteadOfId } from '../../input/fileIds';
import type { Effect } from '../../requests/attemptResult';
import { describeFiles, effectOnItem, filesByEffect, withAdvice } from '../../results/filesOfItem';
import type { ItemFailure } from '../../results/apiError';
import { ApiError, caught, isItemFailure } from '../../results/apiError';
import type { Fields, ItemResult } from '../../results/itemResult';
import { describedBy, lookFor, nameIn, underItsType } from '../../ingestion/lookUp';

/** The documents of an item. */
export interface DocumentsOfItem {
	uniqueIds: string[];
}

/** What is done to a document, and how it is told. */
export interface DocumentAction {
	/** What becomes of it, in a word: 'deleted'. */
	done: string;
	/** What needs somebody who does something although nothing has failed, in a clause. */
	warning?: string;
	/** @returns What is to be said of it beside its name and ID, or why it is not done, unless that is thrown. */
	perform(steps: ItemContext, sourceType: string, uniqueId: string): Promise<Fields | ItemFailure>;
	/** What is said where a failure counts as done, because there was nothing left to do. Left out: none does. */
	doneAlready?(failure: ItemFailure): Fields | undefined;
	/** The same failure, with more to say. */
	explained?(failure: ItemFailure): ItemFailure;
}

/** What became of a document, under which type, and the requests that it took. */
interface Performed {
	answer: Fields | ItemFailure;
	sourceType: string;
	steps: ItemContext;
}

/**
 * One request for each document: the service documents none for several. Once for all items that name it: a
 * second request would meet what the first has done. Each is an item of the output.
 */
export function eachDocument(
	actionIn: (run: ItemRun, inventory: Inventory) => DocumentAction,
): (run: ItemRun) => Performer<DocumentsOfItem> {
	return (run) => {
		const inventory = new Inventory(run);
		const action = actionIn(run, inventory);
		const performed = new Map<string, Promise<Performed>>();
		const performOne = async (uniqueId: string): Promise<Performed> => {
			const steps = new ItemContext(run);
			const answered = await underItsType(
				inventory,
				uniqueId,
				async (sourceType) => await caught(action.perform(steps, sourceType, uniqueId)),
			);
			return { ...answered, steps };
		};
		const performOnce = async (uniqueId: string) => {
			const one = performed.get(uniqueId) ?? performOne(uniqueId);
			performed.set(uniqueId, one);
			return await one;
		};
		return {
			perform: async ({ task: { uniqueIds } }) =>
				await performAll({ run, inventory, action, performOnce }, uniqueIds),
		};
	};
}

interface EachDocument {
	run: RunContext;
	inventory: Inventory;
	action: DocumentAction;
	performOnce(uniqueId: string): Promise<Performed>;
}

/** A document that is done, or why it is not. */
interface Part {
	uniqueId: string;
	effect: Effect;
	row: Fields;
	failure?: ItemFailure;
}

async function performAll(each: EachDocument, uniqueIds: string[]): Promise<ItemResult> {
	const { run, inventory, action } = each;
	const steps = new ItemContext(run);
	if (action.warning !== undefined) steps.warn(action.warning);
	await lookFor(steps, inventory, uniqueIds);
	const parts: Part[] = [];
	for (const uniqueId of uniqueIds) {
		const isOver = run.stopsOnFailure && parts.some(({ failure }) => failure !== undefined);
		parts.push(
			isOver
				? { uniqueId, effect: 'not applied', row: {} }
				: await performPart(each, steps, uniqueId),
		);
	}
	const failure = parts.find((part) => part.failure !== undefined)?.failure;
	return failure === undefined
		? steps.done(parts.map(({ row }) => row))
		: failedPartly(each, steps, parts, failure);
}

async function performPart(
	{ action, inventory, performOnce }: EachDocument,
	steps: ItemContext,
	uniqueId: string,
): Promise<Part> {
	const { answer, sourceType, steps: taken } = await performOnce(uniqueId);
	steps.include(taken);
	const { name } = describedBy(inventory, uniqueId);
	const told = isItemFailure(answer) ? action.doneAlready?.(answer) : answer;
	const row = { name, action: action.done, success: true, uniqueId, sourceType: sourceType };
	if (told !== undefined) return { uniqueId, effect: 'applied', row: { ...row, ...told } };
	const failure = isItemFailure(answer) ? answer : undefined;
	return { uniqueId, effect: failure ? failureEffect(failure) : 'applied', row, failure };
}

function failedPartly(
	{ action, inventory }: EachDocument,
	steps: ItemContext,
	parts: Part[],
	failure: ItemFailure,
): ItemResult {
	const outcome = filesByEffect(
		parts.map(({ uniqueId, effect }) => ({ uniqueIds: [uniqueId], effect })),
	);
	const { explained = (it) => it } = action;
	const nameOf = (id: string): string => nameIn(inventory, id);
	const consequence = describeFiles(outcome, parts.length, action.done, nameOf);
	const advice = insteadOfId([...outcome.notApplied, ...outcome.unknown], []);
	const advised =
		failure instanceof ApiError ? new ApiError(withAdvice(failure.result, advice)) : failure;
	const uniqueIds = parts.map(({ uniqueId }) => uniqueId);
	const requested = { uniqueIds, ...(uniqueIds.length > 1 ? { outcome } : {}) };
	return steps.failed(explained(advised), requested, {
		effect: effectOnItem(outcome),
		consequence,
	});
}

function failureEffect(failure: ItemFailure): Effect {
	if (failure instanceof ApiError) return failure.result.effect;
	return failure.more.effect ?? 'not applied';
}
