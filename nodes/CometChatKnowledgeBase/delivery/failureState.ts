import { tell } from '../output/describeEach';
import type { ItemState } from '../output/itemResult';
import { nameWithId } from '../output/itemResult';
import { FAILED } from '../api/documents';
import type { Effect } from '../text/failure';
import { quoted, sentences } from '../text/quoting';
import type { Delivery, OldVersion, Step } from './delivery';
import { isDeletionWanted, isStillUsed, isUsed } from './delivery';

/** The fields of a delivery that describe the state of its document. */
export type Progress = Pick<Delivery, 'name' | 'agent' | 'plan' | 'steps' | 'old' | 'deletes'> &
	Partial<Pick<Delivery, 'uniqueId' | 'status' | 'leftover' | 'hasText'>>;

/**
 * Describes the state of a failed item's documents, and the next step:
 *
 * | Documents                                            | Next step                                     |
 * | ---------------------------------------------------- | --------------------------------------------- |
 * | unknown whether one exists                           | look first                                    |
 * | none exists                                          | run the item again                            |
 * | an empty document exists                             | delete it, run the item again                 |
 * | CometChat couldn't index some, all others are added  | the hint of the failure                       |
 * | an agent still uses an old version                   | run the item again, which leaves a copy       |
 * | all other cases                                      | use the IDs                                   |
 *
 * @param hint The next step if it is safe to run the item again.
 */
export function failureState(deliveries: readonly Progress[], hint?: string): ItemState {
	const present = deliveries.filter(({ uniqueId }) => uniqueId !== undefined);
	const isChange = deliveries.some(({ plan }) => plan.action === 'update');
	const isLost = deliveries.some((one) => effectOfCreation(one) === 'unknown');
	const added = present.filter(({ agent }) => agent !== undefined);
	return {
		effect: present.length > 0 ? 'partly applied' : isLost ? 'unknown' : 'not applied',
		detail: sentences(
			tell(
				deliveries.map((one) => [thing(one), effectOfCreation(one)]),
				isChange ? 'changed' : 'in CometChat',
			),
			tell(
				added.map((one) => [quoted(one.name), isUsed(one) ? 'applied' : notApplied(one, 'add')]),
				'added to the agent',
			),
			...present.map((one) => tellOld(one, 'the old version ')),
			...deliveries.map(
				({ leftover }) => leftover && `CometChat may show an empty document: ${thing(leftover)}.`,
			),
		),
		hint: nextStep(deliveries, present, hint),
	};
}

function thing({ name, uniqueId }: Pick<Progress, 'name' | 'uniqueId'>): string {
	return uniqueId === undefined ? quoted(name) : nameWithId({ name, uniqueId });
}

function effectOfCreation(one: Progress): Effect {
	return one.uniqueId === undefined ? notApplied(one, 'create') : 'applied';
}

function notApplied({ steps }: Pick<Progress, 'steps'>, step: Step): Effect {
	return steps[step] ?? 'not applied';
}

/** Describes the old versions that are still used or not deleted. */
export function tellOld(delivery: Pick<Progress, 'old' | 'deletes'>, prefix = ''): string {
	const parts = (old: OldVersion[], step: Step) =>
		old.map((one) => {
			const { uniqueId, name = uniqueId } = one;
			return [`${prefix}${nameWithId({ name, uniqueId })}`, notApplied(one, step)] as const;
		});
	const { used, existing } = unfinished(delivery);
	return sentences(
		tell(parts(used, 'remove'), 'removed from the agent'),
		tell(parts(existing, 'delete'), 'deleted'),
	);
}

/** Returns the old versions that still have to be removed or deleted. */
function unfinished(delivery: Pick<Progress, 'old' | 'deletes'>) {
	const open = delivery.old.filter(({ reason }) => reason === undefined);
	const isUndeleted = (one: OldVersion) =>
		!isStillUsed(one) && isDeletionWanted(delivery, one) && one.steps.delete !== 'applied';
	return { used: open.filter(isStillUsed), existing: open.filter(isUndeleted) };
}

/** Returns the next step; undefined if it is safe to run the item again, empty if the failure itself names it. */
function nextStep(
	deliveries: readonly Progress[],
	present: readonly Progress[],
	hint?: string,
): string | undefined {
	if (present.length === 0) {
		if (deliveries.some(({ leftover }) => leftover)) return DELETE_EMPTY;
		const isLost = deliveries.some((one) => effectOfCreation(one) === 'unknown');
		return isLost ? (hint ?? LOOK_FIRST) : undefined;
	}
	if (deliveries.some(isUnreadable) && deliveries.every((one) => isUsed(one) || isUnreadable(one)))
		return '';
	return hint ?? (present.some((one) => unfinished(one).used.length > 0) ? REPLACE_AGAIN : USE_IDS);
}

function isUnreadable({ status, hasText }: Progress): boolean {
	return status === FAILED || hasText === false;
}

/** The next step for documents that the next execution finds by their title or URL. */
export const RERUN_CONTINUES =
	'Run the item again in a few minutes. It continues where it stopped and creates no duplicates.';

const DELETE_EMPTY =
	"Delete the empty document with 'Document: Delete' if CometChat shows it. Then run the item again.";

const LOOK_FIRST =
	"Look for the document in the CometChat dashboard before you run the item again. If it is there with content, add it with 'Add Files'. If it is empty, delete it.";

const USE_IDS =
	"Use these IDs, for example in 'Add Files' or 'Document: Delete'. Running the item again would create a duplicate.";

const REPLACE_AGAIN =
	'Run the item again later: it replaces the old version then. This may leave an unused copy of the new version in CometChat.';
