import { UserError } from '../text/failure';
import { groupBy } from '../text/groups';
import { normalizeName } from '../text/names';
import { itemNumbers, quoted } from '../text/quoting';

/** A document that an item wants. */
export interface Claim {
	/** The place of the input item. */
	index: number;
	name: string;
	/** The agent that gets it; undefined where the name counts for the whole account. */
	uid?: string;
	/** Undefined where nothing proves that two documents have the same content. */
	content?: string;
	/** Whether several documents may have this name. */
	isAnother?: boolean;
}

/**
 * Finds items of one execution that want different documents under one name: one would replace the other.
 *
 * | Two claims of a name for one agent | Conflict |
 * | ---------------------------------- | -------- |
 * | the same content                   | no       |
 * | both may be one of several         | no       |
 * | any other                          | yes      |
 *
 * @param predicate Begins the title after the items, such as `have a file with the same name:`.
 * @param advice What to do, in sentences.
 * @returns The errors by item.
 */
export function findConflicts(
	claims: Iterable<Claim>,
	predicate: string,
	advice: string,
): Map<number, UserError> {
	const keyOf = ({ uid, name }: Claim) => JSON.stringify([uid, normalizeName(name)]);
	const groups = groupBy(claims, (claim) => [keyOf(claim)]);
	const errors = new Map<number, UserError>();
	for (const group of groups.values()) {
		const [first] = group;
		if (first === undefined || !isConflict(group)) continue;
		const error = conflictOf(first, group, predicate, advice);
		for (const { index } of group) errors.set(index, error);
	}
	return errors;
}

function isConflict(group: Claim[]): boolean {
	const [first] = group;
	const isSame = group.every(({ content }) => content !== undefined && content === first?.content);
	return group.length > 1 && !isSame && !group.every(({ isAnother }) => isAnother === true);
}

function conflictOf(
	{ name, uid }: Claim,
	group: Claim[],
	predicate: string,
	advice: string,
): UserError {
	const indexes = [...new Set(group.map(({ index }) => index))];
	const agent = uid === undefined ? '' : ' for the same agent';
	const title =
		indexes.length === 1
			? `The item has two files named ${quoted(name)}`
			: `Items ${itemNumbers(indexes)} ${predicate} ${quoted(name)}${agent}`;
	return new UserError(title, advice, { fileName: name });
}
