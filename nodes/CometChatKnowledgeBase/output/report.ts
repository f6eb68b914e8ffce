import { reasonOf } from '../text/failure';
import { groupBy } from '../text/groups';
import { itemNumbers, joinLimited, sentences } from '../text/quoting';
import type { Failed, ItemResult } from './itemResult';
import { describe, nameWithId } from './itemResult';

/** A note that n8n shows above the output. */
export interface Hint {
	message: string;
	type: 'info' | 'warning';
}

/** More lines of one kind would bury the output. */
const MOST_LINES = 5;

/**
 * The notes above the output, a line for each text: first the reasons of failures, then warnings, then remarks.
 *
 * @param furtherResults The results that belong to no input item.
 */
export function hints(itemResults: ItemResult[], furtherResults: ItemResult[] = []): Hint[] {
	const all = [...itemResults, ...furtherResults];
	const where = (indexes: number[]) => whichItems(indexes, itemResults.length);
	const lines = (
		type: Hint['type'],
		textsOf: (result: ItemResult) => string[],
		line: (text: string, indexes: number[]) => string,
	): Hint[] => {
		const groups = [...groupByText(all, textsOf)];
		const shown = groups.slice(0, MOST_LINES).map(([text, indexes]) => line(text, indexes));
		const others = new Set(groups.slice(MOST_LINES).flatMap(([, indexes]) => indexes));
		const sorted = [...others].sort((one, other) => one - other);
		if (sorted.length > 0) shown.push(`There are more of this kind${where(sorted)}.`);
		return shown.map((message) => ({ type, message: withoutTags(message) }));
	};
	const failed = (_: string, indexes: number[]) =>
		`${indexes.length} ${itemWord(indexes)} failed${where(indexes)}: ${wordsOf(all[indexes[0] ?? 0])}`;
	const said = (text: string, indexes: number[]) => `${text}${where(indexes)}.`;
	return [
		...lines('warning', failureReason, failed),
		...lines(
			'warning',
			(result) => (result.kind === 'failed' ? [] : (result.warnings ?? [])),
			said,
		),
		...lines('info', (result) => (result.kind === 'failed' ? [] : (result.remarks ?? [])), said),
	];
}

/** None for an item that was not started: another item is the reason. */
function failureReason(result: ItemResult): string[] {
	const isReason = result.kind === 'failed' && result.errorType !== 'cancelled';
	return isReason ? [reasonOf(result.title, result)] : [];
}

function wordsOf(result: ItemResult | undefined): string {
	return result?.kind === 'failed' ? sentences(`${result.title}.`, describe(result)) : '';
}

/** n8n shows notes as HTML. */
function withoutTags(message: string): string {
	return message.replace(/</g, '‹').replace(/>/g, '›');
}

/** Groups items by their texts, in the order in which a text first occurs. */
function groupByText(
	results: ItemResult[],
	textsOf: (result: ItemResult) => string[],
): Map<string, number[]> {
	const groups = groupBy(results.entries(), ([, result]) => textsOf(result));
	return new Map([...groups].map(([text, entries]) => [text, entries.map(([index]) => index)]));
}

/** The input items among some results, for the end of a clause; empty if there is only one item. */
function whichItems(indexes: number[], count: number): string {
	const items = indexes.filter((index) => index < count);
	if (count === 1 || items.length === 0) return '';
	return ` (${itemWord(items)} ${itemNumbers(items)})`;
}

function itemWord({ length }: number[]): string {
	return length === 1 ? 'item' : 'items';
}

/** More would bury the message. */
const MOST_CREATED = 20;

/**
 * Says what a stopped execution did with each item, and which items to run again.
 *
 * @param cause The item that the message is about; undefined if it is about none.
 * @param stopHint How to continue; left out: with the items that are not done.
 */
export function stopReport(
	itemResults: ItemResult[],
	cause: number | undefined,
	stopHint?: string,
): Pick<Failed, 'advice' | 'progress'> {
	if (itemResults.length === 1 && cause !== undefined) return { advice: '', progress: '' };
	const groups = groupByText(itemResults, (result) => [outcomeOf(result)]);
	const each = [...groups].map(
		([outcome, indexes]) => `${outcome}: ${itemWord(indexes)} ${itemNumbers(indexes)}.`,
	);
	const reasons = invalidInputs(itemResults, cause);
	const others = itemResults.flatMap(({ created = [] }, index) =>
		index === cause ? [] : created.map((document) => ({ document, index })),
	);
	const created = others.map(({ document, index }) => nameWithId(document, `item ${index + 1}`));
	const hasEmpty = others.some(({ document }) => document.isEmpty === true);
	return {
		advice: sentences(stopHint ?? runAgain(groups, cause), hasEmpty && DELETE_EMPTY),
		progress: sentences(
			...each,
			...reasons,
			created.length > 0 && `In CometChat now: ${joinLimited(created, ', ', MOST_CREATED)}.`,
		),
	};
}

/** Why other items than the one that the message is about have invalid input, so that one attempt corrects all of them. */
function invalidInputs(itemResults: ItemResult[], cause: number | undefined): string[] {
	const reasons = groupByText(itemResults, (result) =>
		result.kind === 'failed' && result.errorType === 'input' ? [result.title] : [],
	);
	const others = [...reasons].filter(
		([, indexes]) => cause === undefined || !indexes.includes(cause),
	);
	return others.slice(0, MOST_LINES).map(([title, [index = 0]]) => `Item ${index + 1}: ${title}.`);
}

const DELETE_EMPTY = "Delete the empty documents with 'Document: Delete'.";

/** Adds the report to the item that the message is about. */
export function withReport(failed: Failed, report: Pick<Failed, 'advice' | 'progress'>): Failed {
	return {
		...failed,
		advice: sentences(failed.advice, report.advice),
		progress: sentences(failed.progress, report.progress),
	};
}

/** The advice for the item that the message is about is its own. */
function runAgain(groups: ReadonlyMap<string, number[]>, cause: number | undefined): string {
	const indexesOf = (...outcomes: string[]) =>
		outcomes.flatMap((outcome) => groups.get(outcome) ?? []).sort((one, other) => one - other);
	const again = indexesOf(NOT_DONE, INVALID, NOT_STARTED);
	const isAll = again.length === [...groups.values()].flat().length;
	const which = isAll ? 'all items' : `${itemWord(again)} ${itemNumbers(again)} only`;
	const open = indexesOf(PARTLY_DONE, UNKNOWN).filter((index) => index !== cause);
	return sentences(
		again.length > 0 && `Then run the workflow again with ${which}.`,
		open.length > 0 &&
			`Before you run ${itemWord(open)} ${itemNumbers(open)} again, check the knowledge base in the CometChat dashboard.`,
	);
}

const NOT_DONE = 'Not done';
const PARTLY_DONE = 'Partly done';
const UNKNOWN = 'Result unknown';
const INVALID = 'Invalid input';
const NOT_STARTED = 'Not started';

function outcomeOf(result: ItemResult): string {
	if (result.kind !== 'failed') return 'Done';
	if (result.errorType === 'input') return INVALID;
	if (result.errorType === 'cancelled' && result.attempts === 0) return NOT_STARTED;
	return OUTCOMES[result.effect];
}

const OUTCOMES = {
	'not applied': NOT_DONE,
	'partly applied': PARTLY_DONE,
	unknown: UNKNOWN,
};
