import type { IfNameExists } from '../pipeline/fields';
import type { Document } from '../service/documents';
import { FAILED, isReady } from '../service/documents';
import { timeMs } from '../values/times';

/**
 * What is done with a new document, unless it is one of several, by what is there under its name:
 *
 * | If the name is there | There is                                               | Done                                |
 * | -------------------- | ------------------------------------------------------ | ----------------------------------- |
 * | fail                 | one that the agent has or may have, or that nobody has | refused                             |
 * | skip                 | one that the agent has                                 | skipped                             |
 * | skip                 | one that it may have, and that says the same           | continued with                      |
 * | skip                 | another that it may have                               | refused                             |
 * | skip                 | one that nobody has, and that is whole or on its way   | continued with                      |
 * | replace, and delete  | several that the agent may have                        | refused: nobody knows which is old  |
 * | replace, and delete  | one that says the same, and is whole or on its way     | continued with; the others are old  |
 * | replace, and delete  | any other                                              | uploaded; all that are there are old|
 *
 * What a file says CometChat does not tell: it is uploaded anew each time. What nobody has was left by a run that broke
 * off, or belongs to one that goes on just now: it is old only once it is no longer young.
 */
export type Decision<Old = Document> =
	| { action: 'upload'; found?: undefined; old: Old[] }
	/** With the one that is there, or not at all, since it is there. */
	| { action: 'continue' | 'skip'; found: Document; old: Old[] }
	| { action: 'refuse'; reason: 'isThere' | 'several' };

/** The documents of a name, newest first. */
export interface Namesakes {
	/** Those that the agent has; where they go to none, those of the account. */
	attached: Document[];
	/** Whether CometChat tells that; false: the agent may have them. */
	isKnown: boolean;
	/** Those that nobody has, as far as CometChat proves it; where they go to no agent, none. */
	spare: Document[];
	hasAgent: boolean;
}

/** What else is to be known of a document. */
export interface Judge {
	/** Whether it says what the new one says. */
	saysSame(record: Document): boolean;
	/** Whether it came so shortly ago that it may still be on its way. */
	isYoung(record: Document): boolean;
}

export function decide(
	choice: Exclude<IfNameExists, 'add'>,
	there: Namesakes,
	judge: Judge,
): Decision {
	const { attached, isKnown, spare } = there;
	const [first] = attached;
	switch (choice) {
		case 'fail':
			return (first ?? spare[0]) ? IS_THERE : { action: 'upload', old: [] };
		case 'skip': {
			if (first && isKnown) return { action: 'skip', found: first, old: [] };
			const candidates = [...attached.filter((one) => judge.saysSame(one)), ...spare];
			const found = candidates.find((one) => isUsable(one, judge));
			if (found) return { action: 'continue', found, old: [] };
			return first ? IS_THERE : { action: 'upload', old: [] };
		}
		case 'replace':
		case 'replaceAndDelete': {
			if (!isKnown && attached.length > 1) return { action: 'refuse', reason: 'several' };
			const old = oldOf(there, judge);
			const found = [...attached, ...spare].find(
				(one) => judge.saysSame(one) && isUsable(one, judge),
			);
			if (found === undefined) return { action: 'upload', old };
			return { action: 'continue', found, old: old.filter((one) => one !== found) };
		}
	}
}

const IS_THERE: Decision = { action: 'refuse', reason: 'isThere' };

function isUsable(one: Document, { isYoung }: Judge): boolean {
	return isReady(one.status) || (one.status !== FAILED && isYoung(one));
}

/** What an agent has goes in any case; what none has, unless another run may be about it. */
export function oldOf(
	{ attached, spare, hasAgent }: Namesakes,
	{ isYoung }: Pick<Judge, 'isYoung'>,
) {
	if (hasAgent) return [...attached, ...spare.filter((one) => !isYoung(one))];
	return attached.filter((one) => isReady(one.status) || !isYoung(one));
}

/** Newest first. One without a time was made by this run. */
export function newestFirst(records: Document[]): Document[] {
	return [...records].sort((one, other) => createdMs(other) - createdMs(one));
}

/** Of all records of a name, the newest that an agent can answer from. */
export function newestWhole(records: Document[]): Document | undefined {
	return newestFirst(records).find(({ status }) => isReady(status));
}

/** @param maxMs Max Indexing Time. */
export function isYoung(record: Document, nowMs: number, maxMs: number): boolean {
	return nowMs - createdMs(record) < maxMs;
}

function createdMs({ createdAt }: Document): number {
	return timeMs(createdAt) ?? Infinity;
}
