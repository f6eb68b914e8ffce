import type { Fields, ItemResult } from '../output/itemResult';
import { UserError } from '../text/failure';
import { groupBy } from '../text/groups';
import { normalizeName } from '../text/names';
import { itemNumbers, quoted } from '../text/quoting';

/** A value of an item for something that other items may use, too. Name and agent are the key. */
export interface Claim {
	/** The index of the input item. */
	index: number;
	/** The name, for example of a file or a setting. */
	name: string;
	/** The agent; undefined if the name is used for the whole account. */
	uid?: string;
	/** Undefined if two claims always conflict. */
	value?: unknown;
}

/**
 * Finds conflicting items of an execution: one item would undo or ignore the value of another item.
 *
 * | Two claims of a name for one agent | Conflict |
 * | ---------------------------------- | -------- |
 * | the same value                     | no       |
 * | different values, or none          | yes      |
 *
 * @param words The words after the items in the title, such as `have the same title: "Hours"`.
 * @param advice The next step, in sentences.
 * @returns The errors by item.
 */
export function conflicts(
	claims: Iterable<Claim>,
	words: (name: string) => string,
	advice: string,
): Map<number, UserError> {
	const errors = new Map<number, UserError>();
	for (const group of byKey(claims)) {
		const [{ name, uid, value } = { name: '' }] = group;
		const isSame = value !== undefined && group.every((one) => one.value === value);
		if (group.length < 2 || isSame) continue;
		const indexes = [...new Set(group.map(({ index }) => index))];
		const agent = uid === undefined ? '' : ' for the same agent';
		const title =
			indexes.length === 1
				? `The item has two files named ${quoted(name)}`
				: `Items ${itemNumbers(indexes)} ${words(name)}${agent}`;
		for (const index of indexes) errors.set(index, new UserError(title, advice));
	}
	return errors;
}

function byKey(claims: Iterable<Claim>) {
	const keyOf = ({ uid, name }: Claim) => JSON.stringify([uid, normalizeName(name)]);
	return groupBy(claims, (claim) => [keyOf(claim)]).values();
}

/** The results of items that want the same as an earlier item, by item. Nothing is done for them. */
export function repeats(
	items: ReadonlyArray<{ index: number; requested: Fields }>,
	claims: Iterable<Claim>,
): Map<number, ItemResult> {
	const requested = new Map(items.map((item) => [item.index, item.requested]));
	const results = new Map<number, ItemResult>();
	for (const [first, ...others] of byKey(claims)) {
		const reason = `Item ${(first?.index ?? 0) + 1} has the same name and text`;
		const row = { action: 'skipped', success: true, reason };
		for (const { index } of others)
			results.set(index, { kind: 'skipped', json: [{ ...requested.get(index), ...row }] });
	}
	return results;
}
