import { itemNumbers, sentences } from '../values/quoting';
import type { CreatedDocument, ItemResult } from './itemResult';
import { nameWithId } from './itemResult';

/** What a try of n8n's 'Retry On Fail' did for an item. */
export type DoneInTry = Pick<ItemResult, 'created' | 'actsEachTime'>;

/**
 * What earlier tries of n8n's 'Retry On Fail' did and this try did not find, in words: n8n calls the node with all
 * items again, also with those that had succeeded.
 *
 * @param earlier By try and item.
 * @returns Empty if nothing was done twice or left behind.
 */
export function describeTries(earlier: DoneInTry[][], itemResults: ItemResult[]): string {
	const created: Array<CreatedDocument & { item: number }> = [];
	const items = new Set<number>();
	for (const [index, result] of itemResults.entries()) {
		// An item that succeeded without creating anything has found what an earlier try created.
		if (result.kind !== 'failed' && !hasActed(result)) continue;
		for (const one of earlier.flatMap((results) => results[index] ?? [])) {
			if (!hasActed(one)) continue;
			items.add(index);
			for (const document of one.created ?? []) created.push({ ...document, item: index + 1 });
		}
	}
	if (items.size === 0) return '';
	const named = created.slice(0, MOST_NAMED).map((one) => nameWithId(one, `item ${one.item}`));
	if (created.length > MOST_NAMED) named.push(`and ${created.length - MOST_NAMED} more`);
	const [noun, were] = items.size === 1 ? ['item', 'was'] : ['items', 'were'];
	const numbers = itemNumbers([...items].sort((one, other) => one - other));
	return sentences(
		"Turn off 'Retry On Fail' in this node's Settings: this node sends failed requests again itself, where that is safe.",
		`n8n ran all items ${earlier.length + 1} times, although ${noun} ${numbers} ${were} processed before.`,
		named.length > 0 && `Earlier tries created: ${named.join(', ')}. Delete what you don't need.`,
	);
}

/** A message is no place for thousands of names. */
const MOST_NAMED = 20;

function hasActed({ created = [], actsEachTime = false }: DoneInTry): boolean {
	return created.length > 0 || actsEachTime;
}
