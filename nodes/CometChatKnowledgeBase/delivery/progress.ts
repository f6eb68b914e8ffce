import type { ItemState } from '../output/itemResult';
import { nameWithId } from '../output/itemResult';
import { FAILED } from '../api/documents';
import { listed, quoted, sentences } from '../text/quoting';
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
			present.length > 0 && `${words.done}: ${listed(present.map(withId))}.`,
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
	'It is not known whether CometChat made an entry for it. Such an entry has no content, and no agent has it.';

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

const LOOK_FIRST =
	'It was not sent again, because it could then be there twice. Look at the knowledge base in the CometChat dashboard before you run it again.';

const SEND_UNREADABLE = 'To go on, upload only what could not be read.';

const USE_IDS =
	'To go on, use these IDs in Document: Get Status and Add Files, and upload only what is missing: to upload the same again would make a second copy.';

const REPLACE_BY_HAND =
	'To go on, let the agent have the new version (Add Files), then remove the old one from it (Remove Files) or delete it (Document: Delete), with these IDs.';

function withId({ name, uniqueId = '' }: Progress): string {
	return nameWithId({ name, uniqueId });
}

function namesOf(deliveries: readonly Progress[]): string {
	return listed(deliveries.map(({ name }) => quoted(name)));
}
