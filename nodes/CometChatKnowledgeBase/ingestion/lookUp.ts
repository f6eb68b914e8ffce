import type { ItemContext } from '../execution/itemContext';
import type { Inventory } from './inventory';
import type { Records } from './records';
import type { ItemFailure } from '../results/apiError';
import { caught, isItemFailure } from '../results/apiError';
import { isUnknownFile } from '../service/deletion';
import { findSourceType, SOURCE_TYPES, sourceTypeOf } from '../values/sourceTypes';

/** Ours: twenty pages. An older document is worked with all the same, without its name. */
const MOST_LOOKED_THROUGH = 2000;

/** Looks for documents in the account's list, no further than they are. That it can't be read is no failure. */
export async function lookFor(
	steps: ItemContext,
	inventory: Inventory,
	ids: string[],
): Promise<void> {
	const missing = new Set(ids);
	const isEnough = (read: Records) => {
		for (const id of missing) if (read.withId(id)) missing.delete(id);
		return missing.size === 0 || read.count >= MOST_LOOKED_THROUGH;
	};
	await caught(inventory.recordsFor(steps, isEnough));
}

/** What the list says of a document, as output fields. */
export function describedBy(inventory: Inventory, uniqueId: string) {
	const { sourceName: name, type } = inventory.record(uniqueId) ?? {};
	return { name, sourceType: type === undefined ? undefined : sourceTypeOf(type) };
}

/** Its name, or else its ID. */
export function nameIn(inventory: Inventory, uniqueId: string): string {
	return inventory.record(uniqueId)?.sourceName ?? uniqueId;
}

/** The type that the list gives a document, if it is one of those that CometChat documents. */
export function surelyOf(inventory: Inventory, uniqueId: string): string | undefined {
	return findSourceType(inventory.record(uniqueId)?.type);
}

/** What came of a request, and under which source type. */
export interface Answered<Value> {
	answer: Value | ItemFailure;
	sourceType: string;
}

/**
 * Sends a request whose address says what a document is: first as what the list says, and as each other type
 * where CometChat does not know the ID under that one.
 */
export async function underItsType<Value>(
	inventory: Inventory,
	uniqueId: string,
	request: (sourceType: string) => Promise<Value | ItemFailure>,
): Promise<Answered<Value>> {
	const { sourceType: listed = 'uploads' } = describedBy(inventory, uniqueId);
	const first = { answer: await request(listed), sourceType: listed };
	if (!isUnknown(first.answer)) return first;
	for (const { value: sourceType } of SOURCE_TYPES) {
		if (sourceType === listed) continue;
		const answer = await request(sourceType);
		if (!isUnknown(answer)) return { answer, sourceType };
	}
	return first;
}

function isUnknown(answer: unknown): boolean {
	return isItemFailure(answer) && isUnknownFile(answer);
}
