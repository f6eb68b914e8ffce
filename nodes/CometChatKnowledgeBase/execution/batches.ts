import type { Change } from '../service/attachments';
import type { Settings } from '../input/options';

/** One request, and whose files are in it. */
export interface Batch {
	change: Change;
	/** Never empty. */
	shares: Share[];
}

/** What one item has in a request. */
export interface Share {
	/** Which of the run's input items. */
	index: number;
	uniqueIds: string[];
}

/** What an item asks for; `index` is its place among the input items. */
export interface Asked {
	index: number;
	change: Change;
}

/** A batch that is being filled. */
interface OpenBatch extends Batch {
	ids: Set<string>;
}

/**
 * The requests of a run, in the order in which they are to be sent: one for each item, or, combined,
 * one for as many items of the same agent and source type as have room in it. An item is split, in
 * order, only if it alone has more files than one request takes.
 *
 * @param items In input order.
 */
export function toBatches(items: Iterable<Asked>, settings: Settings): Batch[] {
	const { combineItems, maxFileIdsPerRequest } = settings;
	const batches: Batch[] = [];
	const open = new Map<string, OpenBatch>();
	for (const { index, change } of items) {
		for (const uniqueIds of pieces(change.uniqueIds, maxFileIdsPerRequest)) {
			const share = { index, uniqueIds };
			if (!combineItems) {
				const isWhole = uniqueIds === change.uniqueIds;
				batches.push({ change: isWhole ? change : { ...change, uniqueIds }, shares: [share] });
				continue;
			}
			// The batch that is open for a lane is its last: joining an earlier one would be out of order.
			const lane = laneOf(change, settings) ?? `${change.sourceType}/${change.uid}`;
			const last = open.get(lane);
			if (last && goesInto(last, change, uniqueIds, maxFileIdsPerRequest)) {
				join(last, share);
			} else {
				const batch = opened(change, share);
				open.set(lane, batch);
				batches.push(batch);
			}
		}
	}
	return batches;
}

/**
 * Requests of one lane go one after another. CometChat forces UIDs to lower case elsewhere; two
 * spellings may therefore be one agent.
 */
export function laneOf({ uid }: Change, { keepOrder }: Settings): string | undefined {
	return keepOrder ? uid.toLowerCase() : undefined;
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

function opened(change: Change, share: Share): OpenBatch {
	const { uniqueIds } = share;
	// A list of its own: it will hold the files of other items, too.
	return {
		change: { ...change, uniqueIds: [...uniqueIds] },
		shares: [share],
		ids: new Set(uniqueIds),
	};
}

function join({ change, shares, ids }: OpenBatch, share: Share): void {
	for (const id of share.uniqueIds) {
		if (!ids.has(id)) change.uniqueIds.push(id);
		ids.add(id);
	}
	shares.push(share);
}

/** The same request in two, to find out which of its files is refused; needs two files at least. */
export function halves({ change, shares }: Batch): [Batch, Batch] {
	const middle = Math.ceil(change.uniqueIds.length / 2);
	const half = (from: number, to?: number): Batch => {
		const uniqueIds = change.uniqueIds.slice(from, to);
		const within = new Set(uniqueIds);
		return {
			change: { ...change, uniqueIds },
			shares: shares.flatMap(({ index, uniqueIds: ids }) => {
				const own = ids.filter((id) => within.has(id));
				return own.length === 0 ? [] : [{ index, uniqueIds: own }];
			}),
		};
	};
	return [half(0, middle), half(middle)];
}

/** The items whose files are in a request, each once, in input order. */
export function itemsOf({ shares }: Batch): number[] {
	return [...new Set(shares.map(({ index }) => index))];
}
