import type { Document } from '../api/documents';
import { FAILED } from '../api/documents';

/** A document that exists in CometChat and may be the one that an item describes. */
export interface ExistingDocument {
	uniqueId: string;
	name?: string;
	status?: string;
	/** The text of a text entry, normalized; undefined where CometChat does not show the content. */
	content?: string;
	/** Undefined if CometChat does not report it. Without an agent: true, all documents of the account count. */
	isAttached?: boolean;
	/** Whether other agents use it, as far as that matters. */
	isUsedByOthers?: boolean;
	/** Whether this node uploaded it, by its own record. */
	isOwn?: boolean;
}

/** What happens with an item whose document may exist already. */
export type Rule = 'add' | 'fail' | 'skip' | 'replace' | 'update';

/** What to do with one item. `retire`: the documents that lose their place once the new one is attached. */
export type Plan =
	| { action: 'create'; retire: ExistingDocument[] }
	| { action: 'update' | 'use'; found: ExistingDocument; retire: ExistingDocument[] }
	| { action: 'skip'; found: ExistingDocument }
	| { action: 'refuse'; reason: 'exists' | 'notReported'; found: ExistingDocument[] };

/**
 * Decides what to do with an item, from the existing documents with its name, newest first:
 *
 * | Rule    | Existing document                                  | Plan                                        |
 * | ------- | -------------------------------------------------- | ------------------------------------------- |
 * | add     | any                                                | create                                      |
 * | fail    | one that the agent has                             | refuse: it exists                           |
 * | skip    | a readable one that the agent has                  | skip                                        |
 * | skip    | only failed ones                                   | create                                      |
 * | both    | one, and CometChat does not report the agent's     | refuse: not reported                        |
 * | replace | a readable one with the same content               | use it, retire the others                   |
 * | replace | a failed one with the same content                 | update it (index again), retire the others  |
 * | update  | the best one has the same content, and is readable | use it, retire the others                   |
 * | update  | any other best one                                 | update it in place, retire the others       |
 * | replace | any other                                          | create, retire those that the agent has     |
 * | any     | none, or one that only other agents have           | create                                      |
 *
 * The best one is one that the agent has, else one that no agent has, else one that others have. Among these, a readable
 * one comes first, then one with the same content, then the newest.
 *
 * A document that the agent does not have is never retired, unless this node uploaded it.
 */
export function plan(
	wanted: { content?: string },
	existing: readonly ExistingDocument[],
	rule: Rule,
): Plan {
	if (rule === 'add') return { action: 'create', retire: [] };
	if (rule === 'fail' || rule === 'skip') return planOrRefuse(existing, rule);
	const same = existing.filter(
		({ content }) => wanted.content !== undefined && content === wanted.content,
	);
	const candidates = rule === 'update' ? existing : same;
	const rankOf = (one: ExistingDocument) => rank(one, same.includes(one));
	const [found] = [...candidates].sort((one, other) => rankOf(one) - rankOf(other));
	const retire = existing.filter((one) => one !== found && hasPlace(one));
	if (found === undefined) return { action: 'create', retire };
	const isUnchanged = same.includes(found) && isReadable(found);
	return { action: isUnchanged ? 'use' : 'update', found, retire };
}

function planOrRefuse(existing: readonly ExistingDocument[], rule: 'fail' | 'skip'): Plan {
	// A failed document is no reason to leave out the file.
	const possible = existing.filter(
		(one) => one.isAttached !== false && (rule === 'fail' || isReadable(one)),
	);
	const found = possible.find(({ isAttached }) => isAttached === true);
	if (rule === 'skip' && found) return { action: 'skip', found };
	if (possible.length === 0) return { action: 'create', retire: [] };
	return { action: 'refuse', reason: found ? 'exists' : 'notReported', found: possible };
}

/** The first flaw counts most. */
function rank(one: ExistingDocument, isSame: boolean): number {
	const isOnlyOthers = one.isUsedByOthers === true && one.isAttached !== true;
	const flaws = [isOnlyOthers, one.isAttached !== true, !isReadable(one), !isSame];
	return flaws.reduce((sum, hasFlaw) => 2 * sum + Number(hasFlaw), 0);
}

function isReadable({ status }: ExistingDocument): boolean {
	return status !== FAILED;
}

function hasPlace({ isAttached, isOwn }: ExistingDocument): boolean {
	return isAttached !== false || isOwn === true;
}

/** A document of the account, for a plan. */
export function fromDocument(
	{ uniqueId, sourceName: name, status }: Document,
	more: Partial<ExistingDocument> = {},
): ExistingDocument {
	return { uniqueId, name, status, ...more };
}
