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
	/** The hash of a text, because the same document need not be uploaded twice. */
	content?: string;
}

/** The reason to skip an item: an earlier item has the same document. It is no failure. */
export class Repeat extends UserError {
	constructor(readonly first: number) {
		super(`Item ${first + 1} has the same name and text`, '');
	}
}

/**
 * Finds conflicting items of an execution: one item would undo or ignore the value of another item.
 *
 * | Two claims of a name for one agent | Conflict                    |
 * | ---------------------------------- | --------------------------- |
 * | the same value                     | no                          |
 * | the same content                   | no: the later one is skipped |
 * | any other                          | yes                         |
 *
 * @param words The words between the items and the name in the title, such as `have the same title`.
 * @param advice The next step, in sentences.
 * @returns The errors by item.
 */
export function conflicts(
	claims: Iterable<Claim>,
	words: string,
	advice: string,
): Map<number, UserError> {
	const keyOf = ({ uid, name }: Claim) => JSON.stringify([uid, normalizeName(name)]);
	const errors = new Map<number, UserError>();
	for (const group of groupBy(claims, (claim) => [keyOf(claim)]).values()) {
		const [first = { index: 0, name: '' }, ...others] = group;
		const isSame = (key: 'value' | 'content') =>
			first[key] !== undefined && others.every((one) => one[key] === first[key]);
		if (others.length === 0 || isSame('value')) continue;
		if (isSame('content')) {
			for (const { index } of others) errors.set(index, new Repeat(first.index));
			continue;
		}
		const indexes = [...new Set(group.map(({ index }) => index))];
		const agent = first.uid === undefined ? '' : ' for the same agent';
		const title =
			indexes.length === 1
				? `The item has two files named ${quoted(first.name)}`
				: `Items ${itemNumbers(indexes)} ${words}${agent}: ${quoted(first.name)}`;
		for (const index of indexes) errors.set(index, new UserError(title, advice));
	}
	return errors;
}
