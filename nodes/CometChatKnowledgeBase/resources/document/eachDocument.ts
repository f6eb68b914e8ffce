import { ItemContext } from '../../execution/itemContext';
import type { RunContext } from '../../execution/operation';
import { Inventory, describedBy, lookFor, nameIn, underItsType } from '../../ingestion/inventory';
import type { Effect } from '../../values/userError';
import type { ItemFailure } from '../../results/apiError';
import { caught, isItemFailure } from '../../results/apiError';
import { describeFiles, effectOnItem, filesByEffect } from '../../results/filesOfItem';
import type { Fields } from '../../results/itemResult';
import { sentences } from '../../results/itemResult';
import type { Document } from '../../service/documents';

/** What is done to a document. Each gives what its row says beside the name and ID. */
export interface DocumentAction {
	/** What becomes of it, in a word: 'deleted'. */
	done: string;
	/** Comes first. @returns Undefined if it is to be done; otherwise it is not. @throws What is against it. */
	before?(item: ItemContext, document: Document): Promise<Fields | undefined>;
	perform(item: ItemContext, sourceType: string, uniqueId: string): Promise<Fields>;
	/** Of a request that failed because there was nothing left to do. Left out: none does. */
	doneAlready?(failure: ItemFailure): Fields | undefined;
	/** How to go on after such a failure, as a sentence. */
	hint?(failure: ItemFailure): string | undefined;
}

/** What became of a document, under which type, and the requests that it took. */
interface Performed {
	answer: Fields | ItemFailure;
	sourceType: string;
	requests: ItemContext;
	/** Whether it was to be done. */
	wasSent: boolean;
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
		let failure: ItemFailure | undefined;
		for (const uniqueId of uniqueIds) {
			const part: Part =
				failure && this.run.stopsOnFailure
					? { uniqueId, effect: 'not applied', row: {} }
					: await this.performPart(item, uniqueId, action);
			failure ??= part.failure;
			parts.push(part);
		}
		if (failure === undefined) return parts.map(({ row }) => row);
		const outcome = filesByEffect(
			parts.map(({ uniqueId, effect }) => ({ uniqueIds: [uniqueId], effect })),
		);
		if (parts.length > 1) item.shown = { outcome };
		const nameOf = (id: string): string => nameIn(this.inventory, id);
		const detail = describeFiles(outcome, parts.length, action.done, nameOf);
		item.state = {
			effect: effectOnItem(outcome),
			detail: sentences(detail, action.hint?.(failure) ?? false),
		};
		throw failure;
	}

	private async performPart(
		item: ItemContext,
		uniqueId: string,
		action: DocumentAction,
	): Promise<Part> {
		const one = this.performed.get(uniqueId) ?? this.performOnce(uniqueId, action);
		this.performed.set(uniqueId, one);
		const { answer, sourceType, requests, wasSent } = await one;
		item.count(requests.log);
		const { name } = describedBy(this.inventory, uniqueId);
		const row = { name, action: action.done, success: true, uniqueId, sourceType };
		if (!isItemFailure(answer)) return { uniqueId, effect: 'applied', row: { ...row, ...answer } };
		const already = wasSent ? action.doneAlready?.(answer) : undefined;
		if (already) return { uniqueId, effect: 'applied', row: { ...row, ...already } };
		return { uniqueId, effect: answer.more.effect ?? 'not applied', row, failure: answer };
	}

	private async performOnce(uniqueId: string, action: DocumentAction): Promise<Performed> {
		const requests = new ItemContext(this.run);
		const document = this.inventory.record(uniqueId) ?? { uniqueId };
		const before = await caught(Promise.resolve(action.before?.(requests, document)));
		if (before !== undefined) {
			const { sourceType = 'uploads' } = describedBy(this.inventory, uniqueId);
			return { answer: before, sourceType, requests, wasSent: false };
		}
		const answered = await underItsType(
			this.inventory,
			uniqueId,
			async (sourceType) => await caught(action.perform(requests, sourceType, uniqueId)),
		);
		return { ...answered, requests, wasSent: true };
	}
}
