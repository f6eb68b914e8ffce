import { reasonOf } from '../text/failure';
import { groupBy } from '../text/groups';
import { itemNumbers, joinLimited, quoted, sentences, withoutTags } from '../text/quoting';
import type { Failed, ItemResult } from './itemResult';
import { describe, nameWithId } from './itemResult';

/** A note that n8n shows above the output. */
export interface Hint {
	message: string;
	type: 'info' | 'warning';
}

/** More lines of one kind would hide the output. */
const MOST_LINES = 5;

/** The notes above the output, one line for each text: first failures, then warnings, then remarks. */
export function hints(itemResults: ItemResult[], furtherResults: ItemResult[] = []): Hint[] {
	const all = [...itemResults, ...furtherResults];
	const where = (indexes: number[]) => whichItems(indexes, itemResults.length);
	const lines = (
		type: Hint['type'],
		textsOf: (result: ItemResult) => string[],
		line: (text: string, indexes: number[]) => string,
	): Hint[] => {
		const groups = [...groupBy(all.entries(), ([, result]) => textsOf(result))].map(
			([text, entries]) => [text, entries.map(([index]) => index)] as const,
		);
		const shown = groups.slice(0, MOST_LINES).map(([text, indexes]) => line(text, indexes));
		const others = new Set(groups.slice(MOST_LINES).flatMap(([, indexes]) => indexes));
		const sorted = [...others].sort((one, other) => one - other);
		if (sorted.length > 0) shown.push(`There are more of this kind${where(sorted)}.`);
		return shown.map((message) => ({ type, message: withoutTags(message) }));
	};
	const failed = (_: string, indexes: number[]) =>
		`${indexes.length} ${itemWord(indexes)} failed${where(indexes)}: ${wordsOf(all[indexes[0] ?? 0])}`;
	const said = (text: string, indexes: number[]) => `${text}${where(indexes)}.`;
	const noted = (kind: 'warnings' | 'remarks') => (result: ItemResult) =>
		result.kind === 'failed' ? [] : (result[kind] ?? []);
	return [
		...lines('warning', failureReason, failed),
		...lines('warning', noted('warnings'), said),
		...lines('info', noted('remarks'), said),
	];
}

/** No note for an item that was not started: another item is the reason. */
function failureReason(result: ItemResult): string[] {
	const isReason = result.kind === 'failed' && result.errorType !== 'cancelled';
	return isReason ? [reasonOf(result.title, result)] : [];
}

function wordsOf(result: ItemResult | undefined): string {
	return result?.kind === 'failed' ? sentences(`${result.title}.`, describe(result)) : '';
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

/** More would hide the message. */
const MOST_NAMES = 20;

/** Says what a stopped execution did, and how to continue. @param cause The item that the message is about. */
export function stopReport(
	itemResults: ItemResult[],
	cause: number | undefined,
	stopHint?: string,
): Pick<Failed, 'advice' | 'progress'> {
	if (itemResults.length === 1 && cause !== undefined) return { advice: '', progress: '' };
	const failed = itemResults.flatMap((result, index) =>
		result.kind === 'failed' ? [{ ...result, index }] : [],
	);
	const notStarted = failed.filter(isNotStarted);
	const others = failed.filter((one) => !isNotStarted(one));
	const changed = others.filter(({ index, effect }) => index !== cause && effect !== 'not applied');
	const done = itemResults.length - failed.length;
	const count = (items: typeof failed, words: string) => {
		const names = joinLimited(items.map(nameOf), MOST_NAMES);
		return items.length > 0 && `${items.length} ${words}: ${names}.`;
	};
	const created = itemResults.flatMap((result, index) =>
		index === cause ? [] : (result.created ?? []),
	);
	const createdNames = created.map((document) => nameWithId(document));
	return {
		advice: sentences(
			stopHint ?? (done === 0 ? RUN_AGAIN : SEND_REST),
			created.some(({ isEmpty }) => isEmpty) && DELETE_EMPTY,
		),
		progress: sentences(
			`${done} done.`,
			count(others, 'failed'),
			count(notStarted, 'not started'),
			...changed.slice(0, MOST_LINES).map(({ progress }) => progress),
			created.length > 0 && `In CometChat: ${joinLimited(createdNames, MOST_NAMES)}.`,
		),
	};
}

/** An item, as users look for it. */
function nameOf({ requested, index }: Failed & { index: number }): string {
	const { name, uniqueIds, uniqueId, question, uid } = requested;
	return quoted(String(name ?? uniqueIds ?? uniqueId ?? question ?? uid ?? `item ${index + 1}`));
}

function isNotStarted({ errorType, effect }: Failed): boolean {
	return errorType === 'cancelled' && effect === 'not applied';
}

const SEND_REST =
	"Then send only the items that are not done, for example with a Filter node. To pass on items that succeeded, set 'On Error' to 'Continue'.";

const RUN_AGAIN = 'Then run the workflow again.';

const DELETE_EMPTY = "Delete the empty documents with 'Document: Delete'.";
