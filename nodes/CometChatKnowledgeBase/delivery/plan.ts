import type { Document } from '../api/documents';
import { FAILED } from '../api/documents';
import { timeMs } from '../text/times';

/** An existing document that may be the document of an item. */
export interface ExistingDocument {
	uniqueId: string;
	name?: string;
	status?: string;
	/** The normalized text of a text entry; undefined if CometChat doesn't return it. */
	content?: string;
	/** Undefined if CometChat doesn't report it. Without an agent, it is true for all documents of the account. */
	isAttached?: boolean;
	/** Whether other agents use the document; only set if the rule needs it. */
	isUsedByOthers?: boolean;
	/** Whether this node uploaded the document, by the node's own record. */
	isOwn?: boolean;
	/** Whether another file has the same document, which is then never retired. */
	isShared?: boolean;
	/** A Unix time in milliseconds; undefined if CometChat does not report it. */
	createdMs?: number;
}

/** The rule for an item whose document may exist already. */
export type Rule = 'add' | 'fail' | 'skip' | 'replace' | 'update';

/** The plan for an item. `retire`: the documents to remove once the new document is added. */
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
 * | fail    | one that the agent uses                            | refuse: it exists                           |
 * | skip    | a readable one that the agent uses                 | skip                                        |
 * | skip    | only failed ones                                   | create                                      |
 * | both    | one, and the agent's documents are not reported    | refuse: not reported                        |
 * | replace | a readable one with the same content               | use it, retire the others                   |
 * | replace | a failed one with the same content                 | update it (index again), retire the others  |
 * | update  | the best one has the same content, and is readable | use it, retire the others                   |
 * | update  | any other best one                                 | update it in place, retire the others       |
 * | replace | any other                                          | create, retire those that the agent uses    |
 * | any     | none, or one that only other agents use            | create                                      |
 *
 * The best document is one that the agent uses, then one that no agent uses, then one that other agents use. Among
 * these, a readable document is first, then a document with the same content, then the newest.
 *
 * A document that the agent doesn't use is never retired, unless this node uploaded it.
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
	// A failed document is no reason to skip the file.
	const possible = existing.filter(
		(one) => one.isAttached !== false && (rule === 'fail' || isReadable(one)),
	);
	const found = possible.find(({ isAttached }) => isAttached === true);
	if (rule === 'skip' && found) return { action: 'skip', found };
	if (possible.length === 0) return { action: 'create', retire: [] };
	return { action: 'refuse', reason: found ? 'exists' : 'notReported', found: possible };
}

/** Returns the rank of a document for `update`; the first flaw counts most. */
function rank(one: ExistingDocument, isSame: boolean): number {
	const isOnlyOthers = one.isUsedByOthers === true && one.isAttached !== true;
	const flaws = [isOnlyOthers, one.isAttached !== true, !isReadable(one), !isSame];
	return flaws.reduce((sum, hasFlaw) => 2 * sum + Number(hasFlaw), 0);
}

function isReadable({ status }: ExistingDocument): boolean {
	return status !== FAILED;
}

function hasPlace({ isAttached, isOwn, isShared }: ExistingDocument): boolean {
	return isShared !== true && (isAttached !== false || isOwn === true);
}

/** Makes an existing document for a plan. */
export function fromDocument(
	{ uniqueId, sourceName: name, status, createdAt }: Document,
	more: Partial<ExistingDocument> = {},
): ExistingDocument {
	return { uniqueId, name, status, createdMs: timeMs(createdAt), ...more };
}
