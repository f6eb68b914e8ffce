import { itemsOf } from './batches';
import type { Change } from '../service/attachments';
import { MOST_IN_MESSAGE, quoted } from '../values/quoting';
import type { BatchResult } from './sendBatch';
import type { Succeeded, Failed } from '../results/itemResult';
import { failedBy } from '../results/itemResult';
import { insteadOfId } from '../input/fileIds';
import type { RequestResult } from '../results/messages';
import { ranges } from '../values/ranges';
import type { Shown, Words } from '../values/shown';
import { given, joined, worded } from '../values/shown';
import type { Effect } from '../requests/attemptResult';
import type { RetryPolicy } from '../requests/retryPolicy';

/** Some of an item's file IDs, and the request in which they ended. */
export interface Part {
	uniqueIds: string[];
	batchResult: BatchResult;
}

/** An item's file IDs by what became of them. */
export type FilesByEffect = Record<'applied' | 'notApplied' | 'unknown', Shown[]>;

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
	/** How many file IDs stood in the item more than once. */
	repeated: number;
	/** The names of the files that the item itself has. */
	attached: string[];
}

/**
 * What the requests that have ended mean for an item.
 *
 * @param parts All of the item's files; never empty.
 */
export function itemResultOf(
	index: number,
	parts: [Part, ...Part[]],
	{ change, repeated, attached }: ItemOfFiles,
	policy: RetryPolicy,
): Succeeded | Failed {
	const batchResults = parts.map(({ batchResult }) => batchResult);
	const sent = {
		attempts: batchResults.reduce((most, { attempts }) => Math.max(most, attempts), 0),
		isRepeated: batchResults.some(({ repetitions }) => repetitions > 0),
	};
	const failure = causeAmong(batchResults);
	if (failure === undefined) {
		return {
			kind: 'succeeded',
			json: [{ success: true, ...shownChange(change) }],
			...sent,
			repeated,
		};
	}

	const files = filesByEffect(
		parts.map(({ uniqueIds, batchResult: { effect } }) => ({ uniqueIds, effect })),
	);
	const isMixed = batchResults.some(({ effect }) => effect !== failure.effect);
	const circumstances = {
		...sent,
		requested: { ...shownChange(change), ...(isMixed ? { files } : {}) },
		effect: itemEffect(files),
		consequence: describeFiles(
			files,
			change.uniqueIds.length,
			change.operation === 'add' ? 'added' : 'removed',
		),
		otherItems: describeOtherItems(failure, index),
	};
	const notDone = [...files.notApplied, ...files.unknown];
	return failedBy(withAdvice(failure, notDone, attached), circumstances, policy);
}

/** The request that the item has failed with; undefined if none has failed. */
function causeAmong(batchResults: BatchResult[]): BatchResult | undefined {
	const failures = batchResults.filter(({ effect }) => effect !== 'applied');
	// One that was not sent because of another item is no cause, if there is any other.
	return failures.find(({ stopReason }) => stopReason !== 'cancelled') ?? failures[0];
}

/** As the user has given it. */
function shownChange({ operation, uid, sourceType, uniqueIds }: Change) {
	return {
		operation,
		uid: given(uid),
		sourceType: given(sourceType),
		uniqueIds: uniqueIds.map((id) => given(id)),
	};
}

export function filesByEffect(
	parts: Array<{ uniqueIds: string[]; effect: Effect }>,
): FilesByEffect {
	const idsOf = (wanted: Effect) =>
		parts.flatMap(({ uniqueIds, effect }) =>
			effect === wanted ? uniqueIds.map((id) => given(id)) : [],
		);
	return {
		applied: idsOf('applied'),
		notApplied: idsOf('not applied'),
		unknown: idsOf('unknown'),
	};
}

function itemEffect({ applied, unknown }: FilesByEffect): Failed['effect'] {
	if (applied.length > 0) return 'partly applied';
	return unknown.length > 0 ? 'unknown' : 'not applied';
}

/** The statuses of an answer to something that is no ID. */
const UNKNOWN_FILE = [400, 404, 422];

/**
 * A result with what to do about something that is not the ID of a file, if the service does not know it.
 */
export function withAdvice<Result extends RequestResult>(
	result: Result,
	uniqueIds: string[],
	attached: string[],
): Result {
	const { explanation } = result;
	const { concernsOneFile, status = 0 } = explanation ?? {};
	if (!explanation || !concernsOneFile || !UNKNOWN_FILE.includes(status)) return result;
	const advice = insteadOfId(uniqueIds, attached);
	if (advice === undefined) return result;
	return {
		...result,
		explanation: { ...explanation, remedy: worded`${advice} ${explanation.remedy}` },
	};
}

/** With which other items an item was sent. */
function describeOtherItems({ batch, refusedWith }: BatchResult, index: number): Words | undefined {
	const together = itemsOf(batch);
	if (refusedWith && refusedWith.length > together.length) {
		return `CometChat refused it together with others (${itemWords(refusedWith)}), so it was sent again in smaller requests.`;
	}
	if (together.every((other) => other === index)) return undefined;
	return `The request held the files of ${together.length} items (${itemWords(together)}), and failed for all of them.`;
}

function itemWords(items: number[]): string {
	return `${items.length === 1 ? 'item' : 'items'} ${ranges(items)}, counted from 0`;
}

/** @param done What was to become of the files: 'added', 'removed', 'deleted'. */
export function describeFiles(
	{ applied, notApplied, unknown }: FilesByEffect,
	count: number,
	done: Words,
): Shown {
	if (applied.length > 0) {
		const lists = [
			worded`Of its ${count} files, ${applied.length} ${applied.length === 1 ? 'was' : 'were'} ${done}`,
			...(notApplied.length > 0 ? [worded`not ${done}: ${listed(notApplied)}`] : []),
			...(unknown.length > 0 ? [worded`not known whether ${done}: ${listed(unknown)}`] : []),
		];
		return worded`${joined(lists, '; ')}.`;
	}
	return unknown.length > 0
		? worded`It is not known whether the files were ${done}: look at the knowledge base, or run this item again.`
		: worded`The files were not ${done}.`;
}

function listed(ids: string[]): Shown {
	const more = ids.length - MOST_IN_MESSAGE;
	const shown = joined(ids.slice(0, MOST_IN_MESSAGE).map(quoted), ', ');
	return more > 0 ? worded`${shown}, and ${more} more` : shown;
}
