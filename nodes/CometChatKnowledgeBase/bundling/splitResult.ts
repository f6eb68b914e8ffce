import { insteadOfId } from '../input/fileIds';
import { describeFiles, effectOnItem, filesByEffect, withAdvice } from '../results/filesOfItem';
import type { Succeeded, Failed } from '../results/itemResult';
import { ApiError } from '../results/apiError';
import { failed } from '../results/failure';
import { sentences } from '../results/itemResult';
import type { Change } from '../service/attachments';
import { itemNumbers } from '../values/ranges';
import { itemsOf } from './batches';
import type { BatchResult } from './sendBatch';
import { listed } from '../values/quoting';

/** Some of an item's file IDs, and the request in which they ended. */
export interface Part {
	uniqueIds: string[];
	batchResult: BatchResult;
}

/** The parts of each item, by its place among the input items. */
export function partsOfItems(batchResults: BatchResult[]): Map<number, Part[]> {
	const parts = new Map<number, Part[]>();
	for (const batchResult of batchResults) {
		for (const { index, uniqueIds } of batchResult.batch.entries) {
			const known = parts.get(index);
			if (known) known.push({ uniqueIds, batchResult });
			else parts.set(index, [{ uniqueIds, batchResult }]);
		}
	}
	return parts;
}

/** What an item asks for, and what it has beside it. */
export interface ItemOfFiles {
	change: Change;
	/** Of its IDs, those that look like none of the service's own. */
	unlike: string[];
	/** The names of the files that the item itself has. */
	attached: string[];
}

/**
 * What the requests that have ended mean for an item.
 *
 * @param parts All of the item's files; never empty.
 * @param nameOf How a person calls a document.
 */
export function itemResultOf(
	index: number,
	parts: [Part, ...Part[]],
	{ change, unlike, attached }: ItemOfFiles,
	nameOf: (id: string) => string,
): Succeeded | Failed {
	const batchResults = parts.map(({ batchResult }) => batchResult);
	const attempts = batchResults.reduce((most, one) => Math.max(most, one.attempts), 0);
	const failure = causeAmong(batchResults);
	const done: string = change.operation === 'add' ? 'added' : 'removed';
	const shown = shownChange(change, nameOf);
	if (failure === undefined) {
		return {
			kind: 'succeeded',
			json: [{ ...shown, action: done, success: true }],
			attempts,
			unlikeIds: unlike,
		};
	}

	const outcome = filesByEffect(
		parts.map(({ uniqueIds, batchResult: { effect } }) => ({ uniqueIds, effect })),
	);
	const isMixed = batchResults.some(({ effect }) => effect !== failure.effect);
	const notDone = [...outcome.notApplied, ...outcome.unknown];
	const advised = new ApiError(withAdvice(failure, insteadOfId(notDone, attached)));
	return failed(advised, {
		attempts,
		requested: { ...shown, ...(isMixed ? { outcome } : {}) },
		standing: {
			effect: effectOnItem(outcome),
			consequence: sentences(
				describeOtherItems(failure, index) ?? '',
				describeFiles(outcome, change.uniqueIds.length, done, nameOf),
			),
		},
	});
}

/** The request that the item has failed with; undefined if none has failed. */
function causeAmong(batchResults: BatchResult[]): BatchResult | undefined {
	const failures = batchResults.filter(({ effect }) => effect !== 'applied');
	// One that was not sent because of another item is no cause, if there is any other.
	return failures.find(({ stopReason }) => stopReason !== 'cancelled') ?? failures[0];
}

/** As the user has given it, with names as far as they are known. */
function shownChange({ uid, sourceType, uniqueIds }: Change, nameOf: (id: string) => string) {
	const ids = uniqueIds;
	const isNamed = ids.some((id) => nameOf(id) !== id);
	return {
		...(isNamed && { name: listed(ids.map(nameOf)) }),
		uniqueIds: ids,
		sourceType: sourceType,
		uid: uid,
	};
}

/** With which other items an item was sent. */
function describeOtherItems(
	{ batch, refusedWith }: BatchResult,
	index: number,
): string | undefined {
	const together = itemsOf(batch);
	if (refusedWith && refusedWith.length > together.length) {
		return `CometChat refused it together with others (${itemWords(refusedWith)}), so it was sent again in smaller requests.`;
	}
	if (together.every((other) => other === index)) return undefined;
	return `The request held the files of ${together.length} items (${itemWords(together)}), and failed for all of them.`;
}

/** @param items Two at least. */
function itemWords(items: number[]): string {
	return `items ${itemNumbers(items)}`;
}
