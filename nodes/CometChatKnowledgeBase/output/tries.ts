import { itemNumbers, joinLimited, sentences } from '../text/quoting';
import type { ItemResult } from './itemResult';
import { nameWithId } from './itemResult';

/** What a try of n8n's 'Retry On Fail' did for an item. */
export type DoneInTry = Pick<ItemResult, 'created' | 'actsEachTime'>;

/** More would bury the message. */
const MOST_CREATED = 20;

/**
 * Says what earlier tries of n8n's 'Retry On Fail' did and this try did not find: n8n calls the node with all items
 * again, also with those that had succeeded.
 *
 * @param earlier By try and item.
 * @returns Empty if nothing was done twice or left behind.
 */
export function describeTries(earlier: DoneInTry[][], itemResults: ItemResult[]): string {
	const repeated: number[] = [];
	const created: string[] = [];
	for (const [index, result] of itemResults.entries()) {
		// An item that succeeded without creating anything has found what an earlier try created.
		if (result.kind !== 'failed' && !hasActed(result)) continue;
		const acts = earlier.flatMap((results) => results[index] ?? []).filter(hasActed);
		if (acts.length > 0) repeated.push(index);
		const documents = acts.flatMap((one) => one.created ?? []);
		created.push(...documents.map((one) => nameWithId(one, `item ${index + 1}`)));
	}
	if (repeated.length === 0) return '';
	const which = `${repeated.length === 1 ? 'item' : 'items'} ${itemNumbers(repeated)}`;
	return sentences(
		"Turn off 'Retry On Fail' in this node's Settings: this node itself sends failed requests again, where that is safe.",
		`n8n ran all items ${earlier.length + 1} times. Processed before: ${which}.`,
		created.length > 0 &&
			`Earlier tries created: ${joinLimited(created, ', ', MOST_CREATED)}. Delete the documents that you don't need.`,
	);
}

function hasActed({ created = [], actsEachTime = false }: DoneInTry): boolean {
	return created.length > 0 || actsEachTime;
}
