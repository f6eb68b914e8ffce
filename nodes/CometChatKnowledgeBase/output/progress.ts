import type { Effect } from '../text/failure';
import { listed, quoted, sentences } from '../text/quoting';
import type { CreatedDocument, ItemState } from './itemResult';
import { nameWithId } from './itemResult';

/** How far an item has come that brings documents into CometChat and to an agent. */
export interface Progress {
	/** What it brings, as a person calls it, in its order. */
	wanted: readonly string[];
	/** Of these the first so many, which are in CometChat now: brought by the item, or found there. */
	documents: readonly CreatedDocument[];
	/** The IDs of those that CometChat could not read. */
	unreadable?: readonly string[];
	/** The IDs of those that the agent has; left out: they go to no agent. */
	attached?: readonly string[];
	/** Old versions that are still to be dealt with, and whether the agent has them. */
	old?: readonly OldOne[];
	/** The request whose answer was lost. */
	unknown?: 'upload' | 'attach' | 'detach' | 'delete';
	/** Entries without content that could not be taken away. */
	leftovers?: readonly CreatedDocument[];
	/** Whether there may be such an entry of which CometChat has not told. */
	mayHaveLeftover?: boolean;
	/** Whether it is changed where it is, and so in CometChat in any case. */
	isChange?: boolean;
	/** How a new run goes on with what is there; left out: it would bring it a second time. */
	hint?: string;
}

interface OldOne {
	uniqueId: string;
	is: 'attached' | 'detached';
}

/** The one place that tells how far documents have come: a sentence for each fact, and how to go on. */
export function describeProgress(progress: Progress): ItemState {
	return {
		effect: effectOf(progress),
		detail: sentences(
			...presentWords(progress),
			agentWords(progress),
			...oldWords(progress),
			...leftoverWords(progress),
		),
		hint: nextStep(progress),
	};
}

function effectOf({ documents, unknown, mayHaveLeftover = false }: Progress): ItemState['effect'] {
	if (documents.length > 0) return 'partly applied';
	return unknown !== undefined || mayHaveLeftover ? 'unknown' : 'not applied';
}

function presentWords({ wanted, documents, unknown, isChange = false }: Progress): string[] {
	const missing = wanted.slice(documents.length).map(quoted);
	const [next, ...others] = missing;
	const isLost = unknown === 'upload' && next !== undefined;
	const lacking = (isLost ? others : missing).join(', ');
	const [there, isThere, notThere] = isChange
		? ['Changed in CometChat', 'was changed', 'Not changed']
		: ['In CometChat', 'is in CometChat', 'Not in CometChat'];
	return [
		documents.length > 0 ? `${there}: ${named(documents)}.` : '',
		isLost ? `It is not known whether ${next} ${isThere}.` : '',
		lacking === '' ? '' : `${notThere}: ${lacking}.`,
	];
}

function agentWords({ documents, attached, unknown }: Progress): string {
	if (attached === undefined || documents.length === 0) return '';
	const isAttached = ({ uniqueId }: CreatedDocument) => attached.includes(uniqueId);
	const added = documents.filter(isAttached);
	if (added.length === documents.length) return 'Added to the agent.';
	if (unknown === 'attach') return 'It is not known whether it was added to the agent.';
	if (added.length === 0) return 'Not added to the agent.';
	const others = documents.filter((one) => !isAttached(one));
	return `Added to the agent: ${namesOf(added)}. Not added: ${namesOf(others)}.`;
}

function oldWords({ old = [], unknown }: Progress): string[] {
	const still = (isLost: boolean) => (isLost ? 'may still have' : 'still has');
	const [attached, detached] = [idsOf(old, 'attached'), idsOf(old, 'detached')];
	return [
		attached && `The agent ${still(unknown === 'detach')} the old version (ID ${attached}).`,
		detached && `CometChat ${still(unknown === 'delete')} the old version (ID ${detached}).`,
	];
}

function leftoverWords({ leftovers = [], mayHaveLeftover = false }: Progress): string[] {
	const [entries, condition, them] =
		leftovers.length === 1 ? ['an entry', 'it has', 'it'] : ['entries', 'they have', 'them'];
	return [
		leftovers.length > 0
			? `CometChat may show ${entries} without content: ${named(leftovers)}. If ${condition} no content, delete ${them} with Document: Delete.`
			: '',
		mayHaveLeftover
			? 'It is not known whether CometChat made an entry for it. Such an entry has no content, and no agent has it.'
			: '',
	];
}

function nextStep(progress: Progress): string | undefined {
	const { wanted, documents, unreadable = [], attached = [], old = [], hint } = progress;
	if (documents.length === 0) return beforeAnything(progress);
	const isDone = ({ uniqueId }: CreatedDocument) =>
		unreadable.includes(uniqueId) || attached.includes(uniqueId);
	const isComplete = documents.length === wanted.length;
	if (isComplete && unreadable.length > 0 && documents.every(isDone)) {
		return attached.length > 0 && hint === undefined ? SEND_UNREADABLE : '';
	}
	if (hint !== undefined) return hint;
	if (!isComplete) return SEND_MISSING;
	return old.length > 0 ? REPLACE_BY_HAND : ATTACH_BY_HAND;
}

function beforeAnything({ unknown, leftovers = [], hint }: Progress): string | undefined {
	if (unknown === undefined || leftovers.length > 0) return undefined;
	return hint ?? LOOK_FIRST;
}

/** For what is looked for by its name, title or address. */
export const GOES_ON =
	'To go on, run the item again in a few minutes: it finds what is there, and brings what is missing.';

const NO_SECOND_COPY = 'to bring them again would make a second copy.';

const LOOK_FIRST =
	'It was not sent again, because it could then be there twice. Look at the knowledge base in the CometChat dashboard before you run it again.';

const SEND_MISSING = `To go on, bring only what is missing, and use these IDs in Document: Get Status and Add Files: ${NO_SECOND_COPY}`;

const SEND_UNREADABLE =
	"To go on, bring only what could not be read. With 'If Name Already Exists' set to Skip, the item can be run again as it is.";

const ATTACH_BY_HAND = `To go on, use these IDs in Document: Get Status and Add Files: ${NO_SECOND_COPY}`;

const REPLACE_BY_HAND =
	'To go on, let the agent have the new version (Add Files), then take the old one from it (Remove Files) or delete it (Document: Delete), with these IDs.';

function named(records: readonly CreatedDocument[]): string {
	return records.map((one) => nameWithId(one)).join(', ');
}

function namesOf(records: readonly CreatedDocument[]): string {
	return records.map(({ name }) => quoted(name)).join(', ');
}

function idsOf(old: readonly OldOne[], is: OldOne['is']): string {
	return old
		.filter((one) => one.is === is)
		.map(({ uniqueId }) => uniqueId)
		.join(', ');
}

/**
 * How things stand with an item that asked for the same with each of its documents.
 *
 * @param effects What became of each document, by ID.
 * @param done What was to become of them: 'added', 'removed', 'deleted'.
 * @param nameOf How a person calls one.
 * @returns `outcome`: the IDs by what became of them, if that is not the same of all.
 */
export function describeEach(
	effects: ReadonlyMap<string, Effect>,
	done: string,
	nameOf: (uniqueId: string) => string,
): ItemState & { outcome?: Record<'applied' | 'notApplied' | 'unknown', string[]> } {
	const that = (wanted: Effect) =>
		[...effects].flatMap(([uniqueId, effect]) => (effect === wanted ? [uniqueId] : []));
	const [applied, notApplied, unknown] = [that('applied'), that('not applied'), that('unknown')];
	const isMixed = new Set(effects.values()).size > 1;
	const named = (ids: string[]) => listed(ids.map((uniqueId) => quoted(nameOf(uniqueId))));
	const were = applied.length === 1 ? 'was' : 'were';
	const otherwise = unknown.length > 0 ? 'unknown' : 'not applied';
	return {
		effect: applied.length > 0 ? 'partly applied' : otherwise,
		detail: sentences(
			applied.length > 0 && `Of its ${effects.size} documents, ${applied.length} ${were} ${done}.`,
			notApplied.length > 0 && `Not ${done}: ${named(notApplied)}.`,
			unknown.length > 0 && `Not known whether ${done}: ${named(unknown)}. ${LOOK_OR_AGAIN}`,
		),
		outcome: isMixed ? { applied, notApplied, unknown } : undefined,
	};
}

const LOOK_OR_AGAIN = 'Look at the knowledge base, or run this item again.';
