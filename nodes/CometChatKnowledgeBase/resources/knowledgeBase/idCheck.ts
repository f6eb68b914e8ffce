import { lookFor, nameIn, surelyOf } from '../../inventory/inventory';
import { ItemContext } from '../../execution/itemContext';
import type { RunContext } from '../../execution/operation';
import type { Inventory } from '../../inventory/inventory';
import { caught, isItemFailure } from '../../results/apiError';
import type { Change } from '../../service/agents';
import { askStatuses, NOT_LISTED } from '../../service/documents';
import { listed, quoted } from '../../values/quoting';
import { findSourceType, SOURCE_TYPES } from '../../values/sourceTypes';
import { UserError } from '../../values/userError';

/** Ours: CometChat's lists may be late, and its pages name no time. */
const ASKED_AGAIN_AFTER_MS = 5000;

/** For somebody who has given something else than an ID of CometChat: a clause. */
export const FIND_IDS =
	'Document: Get Many lists names and IDs, and Document: Upload gives the ID of what it uploads';

/** What CometChat says of the IDs of a run before anything is sent. */
export interface CheckedIds {
	/** Whether CometChat has shown it, or told its status. */
	isKnown(id: string): boolean;
	/** Why a change is not to be sent; undefined if nothing speaks against it. */
	whyNot(change: Change): UserError | undefined;
}

/**
 * Looks the IDs up: in the first page of the list, which has what came last; then by their status, a hundred at
 * once, which proves that one is there and tells no type; and then in the list as far as needed for names and
 * types. What CometChat does not say speaks against nothing.
 */
export async function checkIds(
	run: RunContext,
	inventory: Inventory,
	changes: Change[],
): Promise<CheckedIds> {
	const steps = new ItemContext(run);
	const idsOf = (some: Change[]) => [...new Set(some.flatMap(({ uniqueIds }) => uniqueIds))];
	const isListed = (id: string) => inventory.record(id) !== undefined;
	if (changes.length === 0) return { isKnown: () => false, whyNot: () => undefined };
	const list = await caught(inventory.list.until(steps, () => true));
	// Whoever can't have the list would not have the rest either: each item then says why.
	if (isItemFailure(list)) return { isKnown: () => false, whyNot: () => undefined };
	const asked = await unknownOf(
		steps,
		inventory,
		idsOf(changes).filter((id) => !isListed(id)),
	);
	if (asked.known.size > 0) await lookFor(steps, inventory, [...asked.known]);
	// What is to be taken away may well be gone; of what is to be added, the list may only be late.
	const added = new Set(idsOf(changes.filter(({ operation }) => operation === 'add')));
	const missing = [...asked.unknown].filter((id) => added.has(id));
	if (missing.length > 0) await run.clock.delay(ASKED_AGAIN_AFTER_MS);
	const { unknown } = await unknownOf(steps, inventory, missing);
	return {
		isKnown: (id) => isListed(id) || asked.known.has(id),
		whyNot: (change) => notThere(change, unknown) ?? ofAnotherType(change, inventory),
	};
}

/** Those that CometChat knows, and those of which it proves that it does not. */
async function unknownOf(steps: ItemContext, inventory: Inventory, ids: string[]) {
	const known = new Set<string>();
	const unknown = new Set<string>();
	const there = inventory.list.records.any?.uniqueId;
	const statuses = await caught(askStatuses(steps, ids, { there }));
	if (isItemFailure(statuses)) return { known, unknown };
	for (const [id, status] of statuses) (status === NOT_LISTED ? unknown : known).add(id);
	return { known, unknown };
}

function notThere({ uniqueIds }: Change, unknown: ReadonlySet<string>) {
	const missing = uniqueIds.filter((id) => unknown.has(id)).map((id) => quoted(id));
	if (missing.length === 0) return undefined;
	return new UserError(
		`CometChat does not know the file ${missing.length === 1 ? 'ID' : 'IDs'} ${listed(missing)}`,
		`It was asked twice. Check 'File IDs': the document was deleted, or it is the ID of something else. ${FIND_IDS}.`,
	);
}

/** What is there under another type would be accepted, and never answered from. */
function ofAnotherType({ uniqueIds, sourceType }: Change, inventory: Inventory) {
	if (findSourceType(sourceType) === undefined) return undefined;
	const others = uniqueIds.flatMap((id) => {
		const type = surelyOf(inventory, id);
		return type === undefined || type === sourceType ? [] : [{ id: id, type }];
	});
	const [first] = others;
	if (first === undefined) return undefined;
	const label = labelOf(first.type);
	const those = others.filter(({ type }) => type === first.type);
	const names = listed(those.map(({ id }) => quoted(nameIn(inventory, id))));
	return new UserError(
		`${names} ${those.length === 1 ? 'is' : 'are'} of the type ${label}, and 'Source Type' is ${labelOf(sourceType)}`,
		`Set 'Source Type' to ${label}. If the items differ, drag in the field sourceType that Document: Get Many gives.`,
	);
}

function labelOf(sourceType: string): string {
	return SOURCE_TYPES.find(({ value }) => value === sourceType)?.name ?? sourceType;
}
