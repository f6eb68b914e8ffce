import type { ItemState } from '../output/itemResult';
import { nameWithId } from '../output/itemResult';
import { FAILED } from '../api/documents';
import { joinLimited, quoted, sentences } from '../text/quoting';
import type { Delivery } from './delivery';

/** The part of a delivery that shows how far its document got. */
export type Progress = Pick<Delivery, 'name' | 'agent' | 'plan' | 'isAttached' | 'retired'> &
	Partial<Pick<Delivery, 'uniqueId' | 'status' | 'lost' | 'leftover' | 'hasText'>>;

/** Says how far the documents of a failed item got, and how to continue. */
export function describeDeliveries(deliveries: readonly Progress[], hint?: string): ItemState {
	const present = deliveries.filter(({ uniqueId }) => uniqueId !== undefined);
	const missing = deliveries.filter(({ uniqueId }) => uniqueId === undefined);
	const lost = missing.filter((one) => one.lost === 'create');
	const absent = missing.filter((one) => one.lost !== 'create');
	const words = deliveries.some(({ plan }) => plan.action === 'update') ? CHANGED : CREATED;
	return {
		effect: present.length > 0 ? 'partly applied' : lost.length > 0 ? 'unknown' : 'not applied',
		detail: sentences(
			present.length > 0 && `${words.done}: ${joinLimited(present.map(withId))}.`,
			lost.length > 0 && `${words.unknown}: ${namesOf(lost)}.`,
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
	unknown: 'Result unknown, may be in CometChat',
	notDone: 'Not in CometChat',
};

const CHANGED = {
	done: 'Changed in CometChat',
	unknown: 'Result unknown, may be changed',
	notDone: 'Not changed',
};

function agentWords(present: readonly Progress[]): string {
	if (present[0]?.agent === undefined) return '';
	const added = present.filter(({ isAttached }) => isAttached);
	const others = present.filter(({ isAttached }) => !isAttached);
	if (others.length === 0) return 'Added to the agent.';
	if (others.some(({ lost }) => lost === 'attach')) {
		return `CometChat didn't confirm that the agent uses ${namesOf(others)}.`;
	}
	if (added.length === 0) return 'Not added to the agent.';
	return `Added to the agent: ${namesOf(added)}. Not added: ${namesOf(others)}.`;
}

function oldWords({ retired, lost }: Progress): string[] {
	return retired.flatMap(({ uniqueId, state, reason }) => {
		const old = `the old version (ID ${uniqueId}).`;
		if (state === 'attached')
			return `The agent ${lost === 'detach' || reason !== undefined ? 'may still use' : 'still uses'} ${old}`;
		return state === 'detached'
			? `CometChat ${lost === 'delete' ? 'may still have' : 'still has'} ${old}`
			: [];
	});
}

function leftoverWords({ leftover }: Progress): string[] {
	return leftover ? [`CometChat may show an empty document: ${withId(leftover)}.`] : [];
}

/** Undefined: running the item again is safe. Empty: the failure itself says what to do. */
function nextStep(
	deliveries: readonly Progress[],
	present: readonly Progress[],
	hint?: string,
): string | undefined {
	if (present.length === 0) {
		const isLost = deliveries.some(({ lost, leftover }) => lost === 'create' && !leftover);
		if (isLost) return hint ?? LOOK_FIRST;
		return deliveries.some(({ leftover }) => leftover) ? DELETE_EMPTY : undefined;
	}
	const isSettled = (one: Progress) => one.isAttached || isUnreadable(one);
	if (deliveries.some(isUnreadable) && deliveries.every(isSettled)) {
		return present.some((one) => !isUnreadable(one)) && hint === undefined ? SEND_UNREADABLE : '';
	}
	const isReplacing = present.some((one) => oldWords(one).length > 0);
	const isMissing = present.length < deliveries.length;
	const byIds = isReplacing ? replaceManually(present) : USE_IDS;
	return hint ?? sentences(byIds, isMissing && UPLOAD_MISSING);
}

function replaceManually(present: readonly Progress[]): string {
	if (present.every(({ agent }) => agent === undefined)) return DELETE_OLD;
	const isAdded = present.every(({ isAttached }) => isAttached);
	return isAdded ? REMOVE_OLD : sentences(ADD_NEW, REMOVE_OLD, WOULD_DUPLICATE);
}

function isUnreadable({ status, hasText }: Progress): boolean {
	return status === FAILED || hasText === false;
}

/** For documents that the next execution finds by their title or URL. */
export const RERUN_CONTINUES =
	'Run the item again in a few minutes. It continues where it stopped and creates no duplicates.';

const DELETE_EMPTY =
	"Delete the empty document with 'Document: Delete' if CometChat shows it. Then run the item again.";

const LOOK_FIRST =
	'Check the knowledge base in the CometChat dashboard before you run the item again: running it twice could create a duplicate.';

const SEND_UNREADABLE = "Upload only the files that CometChat couldn't index.";

const WOULD_DUPLICATE = 'Running the item again would create a duplicate.';

const USE_IDS = `Use the IDs below, for example in 'Add Files'. ${WOULD_DUPLICATE}`;

const UPLOAD_MISSING = 'Upload only the missing files.';

const ADD_NEW = "Add the new version to the agent with 'Add Files'.";

const REMOVE_OLD =
	"Remove the old version with 'Remove Files', or delete the old version permanently with 'Document: Delete'. Use the IDs below.";

const DELETE_OLD = `When the new version is indexed, delete the old version with 'Document: Delete'. Use the IDs below. ${WOULD_DUPLICATE}`;

function withId({ name, uniqueId = '' }: Pick<Progress, 'name' | 'uniqueId'>): string {
	return nameWithId({ name, uniqueId });
}

function namesOf(deliveries: readonly Progress[]): string {
	return joinLimited(deliveries.map(({ name }) => quoted(name)));
}
