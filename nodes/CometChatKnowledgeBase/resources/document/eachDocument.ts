import { ItemContext } from '../../execution/itemContext';
import type { RunContext } from '../../execution/operation';
import { Inventory, describedBy, lookFor, nameIn, underItsType } from '../../ingestion/inventory';
import type { Effect } from '../../values/userError';
import type { ItemFailure } from '../../results/apiError';
import { caught, isItemFailure } from '../../results/apiError';
import { describeFiles, effectOnItem, filesByEffect } from '../../results/filesOfItem';
import type { Fields } from '../../results/itemResult';

/** What is done to a document, and how it is told. */
export interface DocumentAction {
	/** What becomes of it, in a word: 'deleted'. */
	done: string;
	/** @returns What is to be said of it beside its name and ID. */
	perform(item: ItemContext, sourceType: string, uniqueId: string): Promise<Fields | ItemFailure>;
	/** What is said where a failure counts as done, because there was nothing left to do. Left out: none does. */
	doneAlready?(failure: ItemFailure): Fields | undefined;
	/** The same failure, with more to say. */
	explained?(failure: ItemFailure): ItemFailure;
}

/** What became of a document, under which type, and the requests that it took. */
interface Performed {
	answer: Fields | ItemFailure;
	sourceType: string;
	requests: ItemContext;
}

/** A document that is done, or why it is not. */
interface Part {
	uniqueId: string;
	effect: Effect;
	row: Fields;
	failure?: ItemFailure;
}

/**
 * One request for each document: the service documents none for several. Once for all items that name it: a
 * second request would meet what the first has done. Made once for each run.
 */
export class EachDocument {
	readonly inventory: Inventory;

	private readonly performed = new Map<string, Promise<Performed>>();

	constructor(private readonly run: RunContext) {
		this.inventory = new Inventory(run);
	}

	/** @returns An item for each document. */
	async perform(item: ItemContext, uniqueIds: string[], action: DocumentAction): Promise<Fields[]> {
		await lookFor(item, this.inventory, uniqueIds);
		const parts: Part[] = [];
		for (const uniqueId of uniqueIds) {
			const isOver = this.run.stopsOnFailure && parts.some(({ failure }) => failure !== undefined);
			parts.push(
				isOver
					? { uniqueId, effect: 'not applied', row: {} }
					: await this.performPart(item, uniqueId, action),
			);
		}
		const failure = parts.find((part) => part.failure !== undefined)?.failure;
		if (failure === undefined) return parts.map(({ row }) => row);
		const outcome = filesByEffect(
			parts.map(({ uniqueId, effect }) => ({ uniqueIds: [uniqueId], effect })),
		);
		if (parts.length > 1) item.shown = { outcome };
		const nameOf = (id: string): string => nameIn(this.inventory, id);
		item.state = {
			effect: effectOnItem(outcome),
			detail: describeFiles(outcome, parts.length, action.done, nameOf),
		};
		throw action.explained?.(failure) ?? failure;
	}

	private async performPart(
		item: ItemContext,
		uniqueId: string,
		action: DocumentAction,
	): Promise<Part> {
		const one = this.performed.get(uniqueId) ?? this.performOnce(uniqueId, action);
		this.performed.set(uniqueId, one);
		const { answer, sourceType, requests } = await one;
		item.count(requests.log);
		const { name } = describedBy(this.inventory, uniqueId);
		const row = { name, action: action.done, success: true, uniqueId, sourceType };
		const told = isItemFailure(answer) ? action.doneAlready?.(answer) : answer;
		if (told !== undefined) return { uniqueId, effect: 'applied', row: { ...row, ...told } };
		const failure = isItemFailure(answer) ? answer : undefined;
		const effect = failure ? (failure.more.effect ?? 'not applied') : 'applied';
		return { uniqueId, effect, row, failure };
	}

	private async performOnce(uniqueId: string, action: DocumentAction): Promise<Performed> {
		const requests = new ItemContext(this.run);
		const answered = await underItsType(
			this.inventory,
			uniqueId,
			async (sourceType) => await caught(action.perform(requests, sourceType, uniqueId)),
		);
		return { ...answered, requests };
	}
}
