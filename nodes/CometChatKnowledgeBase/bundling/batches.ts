import type { Change } from '../service/attachments';

/** One request, and whose files are in it. */
export interface Batch {
	change: Change;
	/** None where nobody asks for them. */
	entries: BatchEntry[];
}

/** What one item has in a request. */
export interface BatchEntry {
	/** Which of the run's input items. */
	index: number;
	uniqueIds: string[];
}

/** What an item asks for; `index` is its place among the input items. */
export interface ItemChange {
	index: number;
	change: Change;
}

/** A batch that is being filled. */
interface OpenBatch extends Batch {
	ids: Set<string>;
}

/**
 * CometChat documents no limit for the list. A hundred IDs make a body of about 4 KB: below the 10 KB
 * that it names for POST bodies elsewhere, and with nearly all of the time for a request saved.
 */
export const IDS_PER_REQUEST = 100;

/** A request for each item, in input order. */
export function apart(items: ItemChange[]): Batch[] {
	return items.map(({ index, change }) => {
		return { change, entries: [{ index, uniqueIds: change.uniqueIds }] };
	});
}

/**
 * The requests of a run, in the order in which they are to be sent: one for as many items of the same
 * agent and source type as have room in it. An item is split, in order, only if it alone has more files
 * than one request takes.
 *
 * @param items In input order.
 */
export function bundled(items: ItemChange[], size = IDS_PER_REQUEST): Batch[] {
	const batches: Batch[] = [];
	const open = new Map<string, OpenBatch>();
	for (const { index, change } of items) {
		for (const uniqueIds of pieces(change.uniqueIds, size)) {
			const entry = { index, uniqueIds };
			// The open batch of an agent is its last: joining an earlier one would be out of order.
			const key = orderKeyOf(change);
			const last = open.get(key);
			if (last && goesInto(last, change, uniqueIds, size)) {
				join(last, entry);
			} else {
				const batch = opened(change, entry);
				open.set(key, batch);
				batches.push(batch);
			}
		}
	}
	return batches;
}

/**
 * Requests that share a key go one after another: changes of one agent at the same time could overwrite each
 * other. CometChat forces UIDs to lower case elsewhere; two spellings may therefore be one agent.
 */
export function orderKeyOf({ uid }: Change): string {
	return uid.toLowerCase();
}

function pieces(ids: string[], size: number): string[][] {
	if (ids.length <= size) return [ids];
	const count = Math.ceil(ids.length / size);
	return Array.from({ length: count }, (_, at) => ids.slice(at * size, (at + 1) * size));
}

function goesInto(batch: OpenBatch, { uid, sourceType }: Change, ids: string[], size: number) {
	if (batch.change.uid !== uid || batch.change.sourceType !== sourceType) return false;
	const more = ids.filter((id) => !batch.ids.has(id)).length;
	return batch.ids.size + more <= size;
}

function opened(change: Change, entry: BatchEntry): OpenBatch {
	const { uniqueIds } = entry;
	// A list of its own: it will hold the files of other items, too.
	return {
		change: { ...change, uniqueIds: [...uniqueIds] },
		entries: [entry],
		ids: new Set(uniqueIds),
	};
}

function join({ change, entries, ids }: OpenBatch, entry: BatchEntry): void {
	for (const id of entry.uniqueIds) {
		if (!ids.has(id)) change.uniqueIds.push(id);
		ids.add(id);
	}
	entries.push(entry);
}

/** The same request in two, to find out which of its files is refused; needs two files at least. */
export function halves({ change, entries }: Batch): [Batch, Batch] {
	const middle = Math.ceil(change.uniqueIds.length / 2);
	const half = (from: number, to?: number): Batch => {
		const uniqueIds = change.uniqueIds.slice(from, to);
		const within = new Set(uniqueIds);
		return {
			change: { ...change, uniqueIds },
			entries: entries.flatMap(({ index, uniqueIds: ids }) => {
				const own = ids.filter((id) => within.has(id));
				return own.length === 0 ? [] : [{ index, uniqueIds: own }];
			}),
		};
	};
	return [half(0, middle), half(middle)];
}

/** The items whose files are in a request, each once, in input order. */
export function itemsOf({ entries }: Batch): number[] {
	return [...new Set(entries.map(({ index }) => index))];
}
