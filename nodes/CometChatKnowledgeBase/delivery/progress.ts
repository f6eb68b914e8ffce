import type { ItemState } from '../output/itemResult';
import { nameWithId } from '../output/itemResult';
import { FAILED } from '../api/documents';
import { joinLimited, quoted, sentences } from '../text/quoting';
import type { Delivery } from './delivery';

/** The part of a delivery that shows how far its document got. */
export type Progress = Pick<Delivery, 'name' | 'agent' | 'plan' | 'isAttached' | 'retired'> &
	Partial<
		Pick<Delivery, 'uniqueId' | 'status' | 'lost' | 'leftover' | 'mayHaveLeftover' | 'hasText'>
	>;

/** Says how far the documents of a failed item got, and how to continue. */
export function describeDeliveries(deliveries: readonly Progress[], hint?: string): ItemState {
	const present = deliveries.filter(({ uniqueId }) => uniqueId !== undefined);
	const missing = deliveries.filter(({ uniqueId }) => uniqueId === undefined);
	const lost = missing.filter((one) => one.lost === 'create');
	const absent = missing.filter((one) => one.lost !== 'create');
	const words = deliveries.some(({ plan }) => plan.action === 'update') ? CHANGED : CREATED;
	const isUnknown = lost.length > 0 || deliveries.some((one) => one.mayHaveLeftover === true);
	return {
		effect: present.length > 0 ? 'partly applied' : isUnknown ? 'unknown' : 'not applied',
		detail: sentences(
			present.length > 0 && `${words.done}: ${joinLimited(present.map(withId))}.`,
			...lost.map(({ name }) => `It is not known whether ${quoted(name)} ${words.isDone}.`),
			absent.length > 0 && `${words.notDone}: ${namesOf(absent)}.`,
			agentWords(present),
			...present.flatMap(oldWords),
			...deliveries.flatMap(leftoverWords),
		),
		hint: nextStep(deliveries, present, hint),
	};
}

const CREATED = {
	done: 'In CometChat',
	isDone: 'is in CometChat',
	notDone: 'Not in CometChat',
};

const CHANGED = {
	done: 'Changed in CometChat',
	isDone: 'was changed',
	notDone: 'Not changed',
};

function agentWords(present: readonly Progress[]): string {
	if (present[0]?.agent === undefined) return '';
	const added = present.filter(({ isAttached }) => isAttached);
	const others = present.filter(({ isAttached }) => !isAttached);
	if (others.length === 0) return 'Added to the agent.';
	if (others.some(({ lost }) => lost === 'attach')) {
		return 'It is not known whether it was added to the agent.';
	}
	if (added.length === 0) return 'Not added to the agent.';
	return `Added to the agent: ${namesOf(added)}. Not added: ${namesOf(others)}.`;
}

function oldWords({ retired, lost }: Progress): string[] {
	const still = (isLost: boolean) => (isLost ? 'may still have' : 'still has');
	return retired.flatMap(({ uniqueId, state }) => {
		const old = `the old version (ID ${uniqueId}).`;
		if (state === 'attached') return `The agent ${still(lost === 'detach')} ${old}`;
		return state === 'detached' ? `CometChat ${still(lost === 'delete')} ${old}` : [];
	});
}

function leftoverWords({ leftover, mayHaveLeftover = false }: Progress): string[] {
	if (leftover) {
		return [
			`CometChat may show an entry without content: ${nameWithId(leftover)}. If it has no content, delete it with Document: Delete.`,
		];
	}
	return mayHaveLeftover ? [MAY_HAVE_ENTRY] : [];
}

const MAY_HAVE_ENTRY =
	'It is not known whether CometChat created an entry for the file. Such an entry has no content, and no agent uses it.';

/** Undefined: running the item again is safe. Empty: the failure itself says what to do. */
function nextStep(
	deliveries: readonly Progress[],
	present: readonly Progress[],
	hint?: string,
): string | undefined {
	if (present.length === 0) {
		const isLost = deliveries.some(({ lost, leftover }) => lost === 'create' && !leftover);
		return isLost ? (hint ?? LOOK_FIRST) : undefined;
	}
	const isSettled = (one: Progress) => one.isAttached || isUnreadable(one);
	if (deliveries.some(isUnreadable) && deliveries.every(isSettled)) {
		return present.some((one) => !isUnreadable(one)) && hint === undefined ? SEND_UNREADABLE : '';
	}
	const isReplacing = present.some((one) => oldWords(one).length > 0);
	return hint ?? (isReplacing ? REPLACE_BY_HAND : USE_IDS);
}

function isUnreadable({ status, hasText }: Progress): boolean {
	return status === FAILED || hasText === false;
}

/** For documents that the next execution finds by their title or URL. */
export const RERUN_CONTINUES =
	'To continue, run the item again in a few minutes: it finds the existing documents, and adds only the missing ones.';

const LOOK_FIRST =
	'Check the knowledge base in the CometChat dashboard before you run the item again: the request was not repeated, because that could make a second copy.';

const SEND_UNREADABLE = 'To continue, upload only the files that CometChat could not read.';

const USE_IDS =
	'To continue, use these IDs in Document: Get Status and Add Files. Upload only the missing files: to upload the others again would make a second copy.';

const REPLACE_BY_HAND =
	'To continue, add the new version to the agent with Add Files. Then remove the old version with Remove Files, or delete it with Document: Delete. Use these IDs.';

function withId({ name, uniqueId = '' }: Progress): string {
	return nameWithId({ name, uniqueId });
}

function namesOf(deliveries: readonly Progress[]): string {
	return joinLimited(deliveries.map(({ name }) => quoted(name)));
}
