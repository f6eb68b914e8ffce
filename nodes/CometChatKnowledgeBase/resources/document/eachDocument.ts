import { ItemContext } from '../../execution/itemContext';
import type { RunContext } from '../../execution/operation';
import { Inventory, describedBy, lookFor, nameIn } from '../../inventory/inventory';
import type { Fields } from '../../results/itemResult';
import { describeEach } from '../../results/progress';
import type { Document } from '../../service/documents';
import type { Failure } from '../../values/failure';
import { caught, isFailure } from '../../values/failure';

/** @returns What the row of a document says beside its name and ID. @throws Failure */
type Perform = (requests: ItemContext, document: Document) => Promise<Fields>;

/** What became of a document, and the requests that it took. */
interface Performed {
	answer: Fields | Failure;
	requests: ItemContext;
}

/**
 * One request for each document: the service documents none for several. Once for all items that name it: a
 * second request would meet what the first has done. Made once for each run.
 */
export class EachDocument {
	readonly inventory: Inventory;

	private readonly performed = new Map<string, Promise<Performed>>();

	/** @param done What becomes of each, in a word: 'deleted'. */
	constructor(
		private readonly run: RunContext,
		private readonly done: string,
	) {
		this.inventory = new Inventory(run);
	}

	/** @returns An item for each document. */
	async perform(item: ItemContext, uniqueIds: string[], perform: Perform): Promise<Fields[]> {
		const { inventory, run, done } = this;
		item.count(await lookFor(inventory, uniqueIds));
		const rows: Fields[] = [];
		const failures = new Map<string, Failure>();
		for (const uniqueId of uniqueIds) {
			if (failures.size > 0 && run.stopsOnFailure) break;
			const performed = this.performed.get(uniqueId) ?? this.performOnce(uniqueId, perform);
			this.performed.set(uniqueId, performed);
			const { answer, requests } = await performed;
			item.count(requests.log);
			const { name, sourceType = 'uploads' } = describedBy(inventory, uniqueId);
			const row = { name, action: done, success: true, uniqueId, sourceType };
			if (isFailure(answer)) failures.set(uniqueId, answer);
			else rows.push({ ...row, ...answer });
		}
		const [failure] = failures.values();
		if (failure === undefined) return rows;
		const applied = new Set(rows.map((row) => row.uniqueId));
		const effectOf = (uniqueId: string) =>
			applied.has(uniqueId) ? 'applied' : (failures.get(uniqueId)?.more.effect ?? 'not applied');
		const effects = new Map(uniqueIds.map((uniqueId) => [uniqueId, effectOf(uniqueId)]));
		const nameOf = (uniqueId: string) => nameIn(inventory, uniqueId);
		const { outcome, ...state } = describeEach(effects, done, nameOf);
		item.shown = { outcome };
		item.state = state;
		throw failure;
	}

	private async performOnce(uniqueId: string, perform: Perform): Promise<Performed> {
		const requests = new ItemContext(this.run);
		const document = this.inventory.record(uniqueId) ?? { uniqueId };
		return { answer: await caught(perform(requests, document)), requests };
	}
}
